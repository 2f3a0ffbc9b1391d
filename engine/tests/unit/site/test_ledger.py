"""The ledger of addresses: what was published once."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.errors import PublishError
from octavo.site import Redirects, find_vanished, list_addresses, parse_ledger, write_ledger
from octavo.site.addresses import LEDGER_NAME, keep_addresses, ledger_problem, load_ledger, renew_addresses
from tests.support.sites import HOME, MakeSite, page

NONE = Redirects({}, {})


def test_ledger_is_read_as_it_was_written_each_address_once_headings_below_their_page() -> None:
    text = write_ledger(["/b", "/a#z", "/a/b", "/a", "/a#c", "/b"])
    assert list(parse_ledger(text)) == ["/a", "/a#c", "/a#z", "/a/b", "/b"]
    assert parse_ledger(text)["/a"] == text.splitlines().index("/a") + 1


def test_remarks_and_empty_lines_are_no_addresses() -> None:
    assert parse_ledger("\ufeff# remark\n\n/a\n  # another\nnonsense\n") == {"/a": 3}


def test_pages_headings_redirects_and_files_are_addresses(make_site: MakeSite) -> None:
    config = '[[redirects]]\nfrom = "/old"\nto = "/a"\n[[redirects]]\nfrom = "/f/*"\nto = "/a"'
    site = make_site({**HOME, "docs/a.md": page("A", "## Ports\n\n### Größe"), "docs/c%23.md": page("C")}, config)
    assert sorted(list_addresses(site.assemble(), ["img/a.svg"])) == [
        "/",
        "/a",
        "/a#größe",
        "/a#ports",
        "/c%2523",
        "/img/a.svg",
        "/old",
    ]


def test_what_neither_site_nor_redirect_answers_has_vanished() -> None:
    ledger = ["/a", "/gone", "/moved", "/folder/x", "/a%23b"]
    redirects = Redirects({"/moved": "/a"}, {"/folder/": "/a"})
    assert find_vanished(ledger, {"/a"}, {"/a": frozenset()}, redirects) == ["/gone", "/a%23b"]


def test_heading_has_vanished_when_no_element_of_its_page_has_the_id() -> None:
    ledger = ["/a", "/a#kept", "/a#gone", "/other#x"]
    assert find_vanished(ledger, {"/a"}, {"/a": frozenset({"kept"})}, NONE) == ["/a#gone"]


def kept(folder: Path) -> list[str]:
    return list(load_ledger(folder) or ())


def test_new_addresses_are_added_and_none_is_taken_out(tmp_path: Path) -> None:
    keep_addresses(tmp_path, {"/a": 1, "/gone": 2}, {"/a", "/b"})
    assert kept(tmp_path) == ["/a", "/b", "/gone"]


def test_site_that_keeps_no_ledger_or_knows_all_writes_none(tmp_path: Path) -> None:
    keep_addresses(tmp_path, None, {"/a"})
    keep_addresses(tmp_path, {"/a": 1, "/gone": 2}, {"/a"})
    assert load_ledger(tmp_path) is None


def test_renewed_ledger_keeps_of_the_old_addresses_those_with_a_redirect(tmp_path: Path) -> None:
    redirects = Redirects({"/moved": "/a"}, {"/folder/": "/a"})
    ledger = dict.fromkeys(["/a#gone", "/gone", "/moved", "/moved#part", "/folder/x", "/folder/x#part"], 1)
    renew_addresses(tmp_path, ledger, {"/a", "/a#new"}, redirects)
    assert kept(tmp_path) == ["/a", "/a#new", "/folder/x", "/moved"]
    renew_addresses(tmp_path, None, {"/a"}, redirects)
    assert kept(tmp_path) == ["/a"]


def test_ledger_that_cannot_be_written_stops_the_command_and_one_that_cannot_be_read_is_found(tmp_path: Path) -> None:
    assert ledger_problem(tmp_path) is None
    (tmp_path / LEDGER_NAME).mkdir()
    with pytest.raises(PublishError, match=LEDGER_NAME):
        keep_addresses(tmp_path, {}, {"/a"})
    problem = ledger_problem(tmp_path)
    assert problem is not None
    assert "The ledger of addresses cannot be read, so nothing keeps them" in problem.message
