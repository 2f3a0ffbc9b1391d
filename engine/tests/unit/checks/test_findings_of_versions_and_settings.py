"""Findings as they are shown: what they weigh in old versions, and the line of the key or setting that they are about."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from octavo.checks import SourceLines, check_addresses, complete_findings
from octavo.config import Config, Version, parse_config
from octavo.diagnostics import Diagnostic, Level, Span
from octavo.revisions import STORE
from octavo.site import Redirects
from tests.support.each import each


def config_with(settings: str = "", stored: dict[str, str] | None = None) -> Config:
    """Give settings with versions: name → folder in the store, or nothing for files of the site. The first is the newest."""
    config = parse_config(f'title = "T"\n{settings}')
    versions = [
        Version(
            name=name, label=name, path="" if not number else name, docs=f"{STORE}/{folder}/docs" if folder else "docs"
        )
        for number, (name, folder) in enumerate((stored or {"1": ""}).items())
    ]
    return msgspec.structs.replace(config, versions=versions)


def shown(root: Path, config: Config, *findings: Diagnostic) -> list[str]:
    found = complete_findings(findings, config, SourceLines(root))
    return [f"{one.span} {one.level}: {one.message} {one.suggestion}".rstrip() for one in found]


def stored(folder: str, level: Level = "error", code: str = "kit", suggestion: str = "") -> Diagnostic:
    return Diagnostic(code, level, Span(f"{STORE}/{folder}/docs/a.md"), "M", suggestion)


VERSIONS = {"4": "d", "3": "a", "2": "a", "1": "c"}


@each(
    "finding, level, remedy",
    [
        (stored("c"), "warn", 'This is in version 1: leave it out with hidden = ["1"],'),
        (stored("a"), "warn", 'This is in versions 3 and 2: leave it out with hidden = ["3", "2"],'),
        (stored("a", suggestion="Mend it."), "warn", 'Mend it. This is in versions 3 and 2: leave it out with hidden = ["3", "2"],'),
        # The newest is what readers are given first, and a page that cannot be drawn is missing.
        (stored("d"), "error", ""),
        (stored("c", code="render"), "error", ""),
        (stored("x"), "error", ""),
    ],
)  # fmt: skip
def test_finding_in_an_old_version_weighs_less(tmp_path: Path, finding: Diagnostic, level: str, remedy: str) -> None:
    (found,) = complete_findings([finding], config_with(stored=VERSIONS), SourceLines(tmp_path))
    assert found.level == level
    assert found.suggestion == (f'{remedy} or set released = "ignore" in [diagnostics].' if remedy else "")


def test_finding_about_a_page_of_an_old_version_is_one_of_it(tmp_path: Path) -> None:
    finding = Diagnostic("kit", "error", Span("octavo.toml"), "M", page=f"{STORE}/c/docs/a.md")
    (found,) = complete_findings([finding], config_with(stored=VERSIONS), SourceLines(tmp_path))
    assert found.level == "warn"
    assert found.suggestion.startswith("This is in version 1:")


def test_five_versions_are_named_by_the_first_and_the_last(tmp_path: Path) -> None:
    for count, named in ((4, "9 and 8 and 7 and 6"), (5, "9 to 5")):
        versions = {"10": "x", **{str(9 - number): "a" for number in range(count)}}
        (found,) = complete_findings([stored("a")], config_with(stored=versions), SourceLines(tmp_path))
        assert f"in versions {named}: leave" in found.suggestion


def test_levels_of_old_versions_can_be_set(tmp_path: Path) -> None:
    config = config_with('[diagnostics]\nreleased = "ignore"\n', VERSIONS)
    assert shown(tmp_path, config, stored("c"), stored("d")) == [f"{STORE}/d/docs/a.md:1:1 error: M"]
    strict = config_with('[diagnostics]\nreleased = "error"\n', VERSIONS)
    assert [one.partition(": ")[0] for one in shown(tmp_path, strict, stored("c"), stored("c", "warn", "other"))] == [
        f"{STORE}/c/docs/a.md:1:1 error",
        f"{STORE}/c/docs/a.md:1:1 warn",
    ]


def test_findings_are_shown_once_and_in_order_of_place(tmp_path: Path) -> None:
    given = [
        Diagnostic(code, "warn", Span(path, line), message)
        for path, line, code, message in (
            ("b.md", 1, "a", "M"), ("a.md", 9, "a", "M"), ("a.md", 2, "b", "M"), ("a.md", 2, "a", "N"), ("a.md", 2, "a", "M"),
            ("b.md", 1, "a", "M"),
        )
    ]  # fmt: skip
    found = complete_findings(given, config_with(), SourceLines(tmp_path))
    assert [(str(one.span), one.code, one.message) for one in found] == [
        ("a.md:2:1", "a", "M"), ("a.md:2:1", "a", "N"), ("a.md:2:1", "b", "M"), ("a.md:9:1", "a", "M"), ("b.md:1:1", "a", "M"),
    ]  # fmt: skip


@each(
    "code, message, place",
    [
        ("duplicate-id", "M", 3),
        ("duplicate-route", "M", 3),
        ("unsafe-address", "slug is odd", 4),
        ("pagination", "M", 5),
        ("pagination", "pagination_next is odd", 6),
        ("pagination", "pagination_next, too", 5),
        ("displayed-sidebar", "M", 1),
        ("kit", "M", 1),
    ],
)
def test_finding_about_a_page_is_at_its_key(tmp_path: Path, code: str, message: str, place: int) -> None:
    head = "---\ntitle: T\nid : a\nslug: b\npagination_prev: c\npagination_next: d\n---\ndisplayed_sidebar: e\n"
    (tmp_path / "a.md").write_text(head)
    (found,) = complete_findings(
        [Diagnostic(code, "warn", Span("a.md"), message)], config_with(), SourceLines(tmp_path)
    )
    assert str(found.span) == f"a.md:{place}:1"
    assert found.excerpt == head.split("\n")[place - 1]
    (inner,) = complete_findings(
        [Diagnostic(code, "warn", Span("a.md", 2), message)], config_with(), SourceLines(tmp_path)
    )
    assert inner.span == Span("a.md", 2)


@each(
    "place, message, found",
    [
        (Span("octavo.toml"), 'What "two" is and "one" is', "octavo.toml:4:6"),
        (Span("octavo.toml"), 'What "gone" is and "one" is', "octavo.toml:2:6"),
        (Span("octavo.toml"), 'What "gone" is', "octavo.toml:1:1"),
        (Span("octavo.toml"), 'What "wo" is', "octavo.toml:1:1"),
        (Span("octavo.toml", 5), 'In "three", what "one" is', "octavo.toml:5:15"),
        (Span("octavo.toml", 5), 'What "two" is', "octavo.toml:5:1"),
        (Span("octavo.toml", 5, 3), 'What "three" is', "octavo.toml:5:3"),
        (Span("a.md"), 'What "two" is', "a.md:1:1"),
    ],
)
def test_finding_about_a_setting_is_at_its_value(tmp_path: Path, place: Span, message: str, found: str) -> None:
    (tmp_path / "octavo.toml").write_text('# two\nx1 = \'one\'\n  # "two"\nx2 = "two"\nx3 = "three", \'one\'\n')
    assert shown(tmp_path, config_with(), Diagnostic("kit", "warn", place, message)) == [f"{found} warn: {message}"]


def test_lines_of_files_are_those_that_spans_count(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes("\ufeffone\r\ntwo\rthree\u2028\f\nfour".encode() + b"\xff")
    lines = SourceLines(tmp_path)
    assert lines.of("a.md") == ["one", "two", "three\u2028\f", "four\ufffd"]
    assert lines.of("gone.md") == []
    (found,) = complete_findings([Diagnostic("kit", "warn", Span("a.md", 5), "M")], config_with(), lines)
    assert found.excerpt == ""


def test_files_out_of_the_site_are_shown_to_nobody(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "secret.md").write_text("S")
    (tmp_path / "site/link.md").symlink_to(tmp_path / "secret.md")
    lines = SourceLines(tmp_path / "site")
    assert lines.text("link.md") == ""
    assert lines.text("../secret.md") == "S"


def test_names_in_a_folder_are_a_few(tmp_path: Path) -> None:
    site = tmp_path / "site"
    for name in (".x", "f", "e", "d", "c", "b", "a"):
        (site / "in" / name).mkdir(parents=True)
    lines = SourceLines(site)
    assert lines.names_in("in") == ["a", "b", "c", "d", "e"]
    for other in ("gone", "../", f"{site}/in", "in/../.."):
        assert lines.names_in(other) == []


# Addresses that were published


@pytest.mark.parametrize("level", ["warn", "error"])
def test_addresses_that_vanished_are_found(level: Level) -> None:
    config = parse_config(f'title = "T"\n[diagnostics]\nvanished_addresses = "{level}"\nvanished_anchors = "warn"\n')
    ledger = {"/kiln": 4, '/gone "1"': 5, "/moved": 6, "/kiln#heat": 7, "/kiln#heta": 8, "/kiln#zzz": 9, "/old#x": 10}  # fmt: skip
    found = check_addresses(
        ledger,
        {"/kiln", "/kiln#heat"},
        anchors={"/kiln": frozenset(["heat", "glaze"])},
        redirects=Redirects({"/moved": "/kiln"}, {}),
        levels=config.diagnostics,
        suggest_route={'/gone "1"': "/kiln"}.get,
    )
    gone = "If it is gone for good, run `octavo check --update-addresses`."
    assert [(one.code, one.level, str(one.span), one.message, one.suggestion) for one in found] == [
        (
            "vanished-address", level, "addresses.txt:5:1",
            '"/gone "1"" was published, and there is neither a page nor a redirect now.',
            f'If it moved, add to redirects in octavo.toml: {{ from = "/gone \\"1\\"", to = "/kiln" }}. {gone}',
        ),
        (
            "vanished-anchor", "warn", "addresses.txt:8:1",
            '"/kiln#heta" was published, and the page has no heading or element with the id "heta" now.',
            f'If "heat" is its new name, write <a id="heta"></a> before it. {gone}',
        ),
        (
            "vanished-anchor", "warn", "addresses.txt:9:1",
            '"/kiln#zzz" was published, and the page has no heading or element with the id "zzz" now.',
            f'Where its text is now, write <a id="zzz"></a> before it. {gone}',
        ),
    ]  # fmt: skip
