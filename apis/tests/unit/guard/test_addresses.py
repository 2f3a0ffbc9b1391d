"""Which network an address belongs to, whichever way it is written."""

from __future__ import annotations

import pytest

from service_guard.addresses import is_of_this_link, is_public, read_address


@pytest.mark.parametrize(
    ("text", "public", "of_this_link"),
    [
        ("93.184.216.34", True, False),
        ("10.0.0.1", False, False),
        ("127.0.0.1", False, True),
        ("169.254.169.254", False, True),
        ("0.0.0.0", False, True),
        ("224.0.0.1", False, True),
        ("2606:4700::1111", True, False),
        ("::1", False, True),
        ("fe80::1%eth0", False, True),
        ("fec0::1", False, False),
        ("ff02::1", False, True),
        ("::ffff:10.0.0.1", False, False),
        ("::ffff:127.0.0.1", False, True),
        # Addresses that stand for others: of NAT64, 6to4 and Teredo.
        ("64:ff9b::5db8:d822", True, False),
        ("64:ff9b::7f00:1", False, True),
        ("64:ff9b:1::a9fe:a9fe", False, True),
        ("2002:7f00:1::", False, True),
        ("2001:0:4136:e378:8000:63bf:80ff:fffe", False, True),
    ],
)
def test_network_of_an_address_is_that_of_the_one_that_it_stands_for(
    text: str, public: bool, of_this_link: bool
) -> None:
    address = read_address(text)
    assert (is_public(address), is_of_this_link(address)) == (public, of_this_link)


def test_mapped_address_is_the_one_that_it_is() -> None:
    assert str(read_address("::ffff:10.0.0.1")) == "10.0.0.1"
    with pytest.raises(ValueError, match="does not appear to be"):
        read_address("localhost")
