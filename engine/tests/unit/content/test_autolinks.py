import pytest

from octavo.content.render.autolinks import find_addresses


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see https://a.org.", ["https://a.org"]),
        ("(https://a.org/b_(c))", ["https://a.org/b_(c)"]),
        ("https://a.org/?q=1&amp;", ["https://a.org/?q=1"]),
        ("http://localhost:8989/health", ["http://localhost:8989/health"]),
        ("www.a.org/x, and more", ["http://www.a.org/x"]),
        ("me@a.org or first.last+tag@sub.a.org.", ["mailto:me@a.org", "mailto:first.last+tag@sub.a.org"]),
        ("HTTPS://A.ORG", ["HTTPS://A.ORG"]),
        ("«https://a.org/ü»", ["https://a.org/ü»"]),
        ("ftp://a.org xhttps://a.org a@b @a.org https:// www. https://?", []),
        ("me@a.org-", []),
    ],
)
def test_addresses_are_those_of_github(text: str, found: list[str]):
    assert found == [href for _, _, href in find_addresses(text)]
