"""Pages in React: drawn once where they work, else reduced to their texts and links."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from octavo.config import parse_config
from octavo.documents import Compiler
from octavo.importing import react_pages
from octavo.importing.components import Program, UnusableError
from octavo.importing.components.trial import Tried
from octavo.importing.model import Plan
from octavo.importing.react_pages import _front, _names, _pieces, take_over_pages
from tests.support.each import each

CONFIG = parse_config('title = "Kite"\ntagline = "Flies"\n')


@each(
    "text, expected",
    [
        ("", []),
        ("<h1>One</h1><h1>Two</h1><h3>Three</h3>", ["# One", "## Two", "## Three"]),
        ("<h2>One</h2><Heading as='h1'>Main</Heading>", ["## One", "# Main"]),
        ("<p>A text</p><p>goes on</p>", ["A text goes on"]),
        ("<p>A *text*</p><h2>Part</h2><p>&lt;b&gt; &amp; more</p>", ["A \\*text\\*", "## Part", "\\<b\\> & more"]),
        ('<p>See <a href="/a b">the page</a> now</p>', ["See [the page](/a%20b) now"]),
        ("<Link className='x' to={'/b'}>Go</Link> <Link to=\"/c\"> </Link>", ["[Go](/b)"]),
        ('const list = [{ title: "Fast", description: "It is fast" }];', ["**Fast**", "It is fast"]),
        ('const a = { label: "Word" }, b = { label: "Two words" }, c = { label: "Two words" };', ["Two words"]),
        ("<Feature title='One' text={`Of it`} />", ["**One**", "Of it"]),
        ('<Feature heading="A heading" />', ["**A heading**"]),
        ('const a = { text: "See [this](/a) and **that** {x}" };', ["See [this](/a) and **that** \\{x\\}"]),
        ('const a = { text: "line\\nbreak \\"quoted\\"" };', ['line break "quoted"']),
        ("// <p>a comment</p>\n<p>shown</p>{/* <p>hidden</p> */}", ["shown"]),
        ("<div>{list.map((one) => <b>{one}</b>)}</div>", []),
        ("<p>1 + 2</p>", []),
    ],
)
def test_texts_and_links_are_shown_in_their_order(text: str, expected: list[str]) -> None:
    assert list(_pieces(text)) == expected


def test_each_page_has_a_component_with_a_name_of_its_own() -> None:
    paths = ["src/pages/index.tsx", "src/pages/about-us/team.js", "src/pages/about_us/team.js", "lib/home page.jsx"]
    assert _names(paths) == {
        "src/pages/index.tsx": "PageIndex",
        "src/pages/about-us/team.js": "PageAboutUsTeam",
        "src/pages/about_us/team.js": "PageAboutUsTeam2",
        "lib/home page.jsx": "PageHomePage",
    }


@each(
    "text, route, has_title, title, description, layout",
    [
        ("", "/about-us", False, '"About us"', None, "page"),
        ("", "", False, '"Kite"', '"Flies"', "page"),
        ("", "/", True, '"Kite"', '"Flies"', "landing"),
        ("<Layout title=\"Own  \n title\" description='Of it'>", "/a", False, '"Own title"', '"Of it"', "page"),
        ("<Layout description={`Ü`} title={'T'}>", "", True, '"T"', '"Ü"', "landing"),
        ("<Layout title={`Hello ${name}`}>", "/a", False, '"A"', None, "page"),
        ('<Other title="x">', "/a", False, '"A"', None, "page"),
    ],
)
def test_front_matter_says_what_is_written_out(
    text: str, route: str, has_title: bool, title: str, description: str | None, layout: str
) -> None:
    about = [f"description: {description}"] if description else []
    lines = [
        "---",
        f"title: {title}",
        *about,
        f"layout: {layout}",
        "displayed_sidebar: null",
        "---",
        "",
        "{/* Taken over from a.tsx */}",
        "",
        "",
    ]
    assert _front("a.tsx", text, route, CONFIG, has_title=has_title) == "\n".join(lines)


# What is planned for them


class Copier:
    """Copies programs as their paths say, and tries them."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.copied: list[tuple[str, ...]] = []
        patch.setattr(react_pages, "copy_program", self.copy)
        patch.setattr(react_pages, "try_programs", self.attempt)

    def copy(self, name: str, path: str, site_dir: Path, folder: str, *rest: object, is_page: bool) -> Program:
        assert is_page
        self.copied.append((name, path, folder))
        if "unusable" in path:
            raise UnusableError("it imports what is not there")
        return Program(name, path, {f"{folder}/{name}.tsx": f"copy of {path}"})

    @staticmethod
    def attempt(programs: Iterable[Program], *_: object) -> Tried:
        found = [one.name for one in programs]
        titles = {name: "<h1>T</h1>" if name == "PageIndex" else "<p>x</p>" for name in found}
        return Tried({name: "it fails" for name in found if "Failing" in name}, titles)


def take_over(
    folder: Path, patch: pytest.MonkeyPatch, files: dict[str, str], taken: Iterable[str] = (), **settings: Any
) -> tuple[Plan, list[Program]]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    plan = Plan("docusaurus", folder, dict(settings))
    routes = {name: "/" + name.partition("pages/")[2].partition(".")[0] for name in files}
    plan.react_pages |= {name: "" if route == "/index" else route for name, route in routes.items()}
    Copier(patch)
    shown = take_over_pages(plan, CONFIG, Compiler.of(folder, CONFIG, {}), "components", set(taken))
    return plan, shown


def test_pages_that_can_be_drawn_are_components_of_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    redirects = [{"from": "/team", "to": "/x"}, {"from": "/", "to": "/y"}, {"from": "/kept", "to": "/z"}]
    files = {"src/pages/index.tsx": "", "src/pages/team.tsx": ""}
    plan, shown = take_over(tmp_path, monkeypatch, files, redirects=redirects, mounts={"a": "/b"})
    assert [one.name for one in shown] == plan.programs == ["PageIndex", "PageTeam"]
    assert plan.files["components/PageTeam.tsx"] == "copy of src/pages/team.tsx"
    home, team = plan.files["octavo-pages/index.mdx"], plan.files["octavo-pages/team.mdx"]
    assert home.rstrip().endswith("<PageIndex />")
    assert ("layout: landing" in home, "layout: page" in team) == (True, True)
    # A page takes the place of a redirect from its address.
    assert plan.settings["redirects"] == [{"from": "/kept", "to": "/z"}]
    assert plan.settings["mounts"] == {"a": "/b", "octavo-pages": "/"}
    assert plan.notes == []


def test_pages_that_cannot_be_drawn_are_reduced_or_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "src/pages/failing.tsx": "<h1>Head</h1><p>Some text</p>",
        "src/pages/unusable.tsx": "<p>Other text</p>",
        "src/pages/unusable/empty.tsx": "",
    }
    plan, shown = take_over(tmp_path, monkeypatch, files)
    assert shown == []
    assert plan.programs == []
    assert sorted(plan.files) == ["octavo-pages/failing.mdx", "octavo-pages/unusable.mdx"]
    failing, unusable = plan.files["octavo-pages/failing.mdx"], plan.files["octavo-pages/unusable.mdx"]
    assert failing.rstrip().endswith("# Head\n\nSome text")
    assert ("layout: landing" in failing, "layout: page" in unusable) == (True, True)
    notes = {note.what: (note.count, note.files) for note in plan.notes}
    assert notes == {
        "Pages in React of which only texts and links are shown": (
            2, ["src/pages/failing.tsx: it fails", "src/pages/unusable.tsx: it imports what is not there"],
        ),
        "Pages in React that are left out": (1, ["src/pages/unusable/empty.tsx: it imports what is not there"]),
    }  # fmt: skip


def test_page_that_an_author_has_written_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, shown = take_over(tmp_path, monkeypatch, {"src/pages/team.tsx": ""}, ["octavo-pages/team.mdx"])
    assert shown == []
    assert plan.files == {}
    assert plan.settings["mounts"] == {"octavo-pages": "/"}


def test_site_of_which_no_page_is_left_mounts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, _ = take_over(tmp_path, monkeypatch, {"src/pages/unusable.tsx": ""})
    assert "mounts" not in plan.settings
    assert len(plan.notes) == 1
