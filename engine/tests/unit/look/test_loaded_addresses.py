"""What the addresses of style sheets lead to, and what the content security policy must allow for them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from octavo.config import parse_config
from octavo.diagnostics import Span
from octavo.look.addresses import LoadedAddresses, host_of, needs_of_remote
from octavo.stylesheets import Reference
from tests.support.each import each

SPAN = Span("static/css/site.css", 3, 5)


class Followed:
    """What came of following one address."""

    def __init__(self, root: Path, address: str, folder: str | None, *, has_base: bool, kind: str = "image") -> None:
        kinds: dict[str, Literal["import", "font", "image"]] = {"import": "import", "font": "font", "image": "image"}
        loaded = LoadedAddresses(parse_config('title = "T"\nbase_url = "/docs/"\n'), root)
        self.file = loaded.follow(Reference(1, 1, kinds[kind], address), SPAN, folder, has_base=has_base)
        self.needs = list(loaded.needs)
        assert all(one.span == SPAN for one in loaded.problems)
        self.found = [(one.code, one.level, one.message, one.suggestion) for one in loaded.problems]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("static/css/k.svg", "static/img/big kiln.png", "static/top.png", "other/k.svg"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "static/link.png").symlink_to(tmp_path.parent)
    (tmp_path.parent / "outside.png").write_text("x")
    (tmp_path / "static/outside.png").symlink_to(tmp_path.parent / "outside.png")
    return tmp_path


@each(
    "address, file",
    [
        ("k.svg", "static/css/k.svg"),
        (" ../img/big%20kiln.png?v=1#x ", "static/img/big kiln.png"),
        ("/docs/top.png", "static/top.png"),
        ("/docs/img/../top.png", "static/top.png"),
        ("", None),
        ("#mark", None),
        ("/docs/_octavo/x.css", None),
    ],
)
def test_address_leads_to_a_file_of_the_static_folder(root: Path, address: str, file: str | None) -> None:
    followed = Followed(root, address, "static/css", has_base=True)
    assert (followed.file, followed.found, followed.needs) == (file, [], [])


@each(
    "address, suggestion",
    [
        ("kk.svg", 'Did you mean "k.svg"?'),
        ("../img/big%20klin.png", 'Did you mean "../img/big kiln.png"?'),
        ("/docs/topp.png", 'Did you mean "/docs/top.png"?'),
        ("zzzzzzzz", ""),
        ("gone/k.svg", ""),
        ("../../other/k.svg", ""),
        ("../../other/kk.svg", ""),
        ("../outside.png", ""),
        ("../img", ""),
        ("x" * 5000, ""),
    ],
)
def test_address_that_leads_to_no_file_is_a_finding(root: Path, address: str, suggestion: str) -> None:
    followed = Followed(root, address, "static/css", has_base=True)
    message = f'"{address}" is not a file in the folder "static".'
    assert (followed.file, followed.found) == (None, [("broken-asset", "error", message, suggestion)])


def test_address_without_the_base_url_leads_outside_of_the_site_or_gets_it(root: Path) -> None:
    outside = Followed(root, "/top.png", "static/css", has_base=True)
    assert outside.file is None
    assert outside.found == [
        (
            "style-sheet",
            "warn",
            '"/top.png" leads outside of the site, whose base_url is "/docs/".',
            'Write "/docs/top.png", or an address relative to this file.',
        )
    ]
    assert Followed(root, "/top.png", "static/css", has_base=False).file == "static/top.png"
    assert Followed(root, "/docs/top.png", "static/css", has_base=False).file == "static/top.png"


def test_relative_address_without_a_folder_is_another_one_on_each_page(root: Path) -> None:
    followed = Followed(root, "k.svg", None, has_base=True)
    assert followed.file is None
    assert followed.found == [
        (
            "style-sheet",
            "warn",
            '"k.svg" is relative to each page, so it leads to another place on each.',
            'Write the address of a file of the folder "static": "/docs/…".',
        )
    ]


@each(
    "kind, address, needs",
    [
        ("image", "data:image/png;base64,x", []),
        ("font", "DATA:font/woff2;base64,x", ["font-src data:"]),
        ("image", "https://a.example/x.png", ["img-src https://a.example"]),
        ("font", "//a.example:8080/x.woff2", ["font-src https://a.example:8080"]),
        ("font", "HTTP://a.example/x", ["font-src http://a.example"]),
        (
            "import",
            "https://a.example/x.css",
            ["style-src https://a.example", "font-src https://a.example", "img-src https://a.example"],
        ),
    ],
)
def test_policy_must_allow_other_hosts(root: Path, kind: str, address: str, needs: list[str]) -> None:
    followed = Followed(root, address, "static/css", has_base=True, kind=kind)
    assert (followed.file, followed.needs, followed.found) == (None, needs, [])


@each("address", ["javascript:x()", "ftp://a.example/x", "https:", "https://a;b/x", "https://[x/"])
def test_address_that_pages_may_not_load_is_a_finding(root: Path, address: str) -> None:
    followed = Followed(root, address + "x" * 90, None, has_base=True)
    shown = (address + "x" * 90)[:60]
    message = f'"{shown}" is not an address that pages may load.'
    assert followed.found == [("style-sheet", "warn", message, "Put the file into the static folder.")]
    assert followed.needs == []


def test_style_sheet_of_another_host_loads_fonts_from_where_it_is_known_to() -> None:
    assert needs_of_remote("https://fonts.googleapis.com/css?family=X") == [
        "font-src https://fonts.gstatic.com",
        "img-src https://fonts.googleapis.com",
    ]
    assert needs_of_remote("/x.css") == []
    assert host_of("https://a.example:1/x") == "https://a.example:1"
    assert host_of("https://a b/x") == ""
    assert host_of("https://[x/") == ""


def test_name_that_no_file_system_takes_is_no_file(tmp_path: Path) -> None:
    loaded = LoadedAddresses(parse_config('title = "T"\n'), tmp_path)
    assert loaded.is_file("a\0b") is False
    assert loaded.is_file("x" * 5000) is False
