"""What slots are given, where types of properties are found, and modules as browsers load them. Nothing is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from octavo.components.component import Component
from octavo.components.drawing import failure_message, hidden_children
from octavo.components.modules import Modules
from octavo.components.process import ComponentProcess
from octavo.components.props import PropertyChecks, read_properties, wrong_values
from octavo.components.publishing import PublishedModules, offline_script
from octavo.components.slots import layout_parts, page_props, slots_of
from octavo.contract import PagePayload
from octavo.diagnostics import Span
from octavo.rendering import Use
from octavo.rendering.payloads import PayloadMaker
from octavo.site import AssetStore, LastCommit, LinkResolver
from tests.support.each import each
from tests.support.sites import MakeSite, page, page_at

FILES = {
    "docs/a.md": page("A", "## One\n\nText.", tags=["x"], description="About."),
    "docs/short.md": page("Short"),
    "docs/guides/_category_.yaml": "label: Guides\nlink: { type: generated-index, slug: /guides }",
    "docs/guides/b.md": page("B"),
    "docs/api.md": page("API", layout="reference"),
    "pages/index.md": page("Home", layout="landing"),
    "pages/free.md": page("Free", layout="blank"),
    "pages/about.md": page("About", "## Two\n\nText."),
    "pages/search.md": page("Search", layout="search"),
}
FRAME, SIDEBAR = ["top-bar-end", "footer"], ["sidebar-top", "sidebar-bottom"]
ARTICLE, ALL = ["article-top", "article-bottom"], ["search-empty", "layout"]


def payload(make_site: MakeSite, route: str) -> PagePayload:
    settings = 'base_url = "/docs/"\nshows_last_update = true\nedit_url = "https://example.org/edit/"\n'
    folder = make_site(FILES, settings)
    site = folder.assemble(history={"docs/a.md": LastCommit("2026-01-02", "Ann")})
    maker = PayloadMaker(site, LinkResolver(site, AssetStore(folder.root, site.config.static)))
    return maker.page(page_at(site, route)) if route else maker.not_found(site.main_edition)


@pytest.mark.parametrize(
    ("route", "slots"),
    [
        ("/a", [*FRAME, *SIDEBAR, *ARTICLE, "contents-bottom", *ALL]),
        ("/short", [*FRAME, *SIDEBAR, *ARTICLE, *ALL]),
        ("/guides", [*FRAME, *SIDEBAR, *ARTICLE, *ALL]),
        ("/api", [*FRAME, *SIDEBAR, *ARTICLE, *ALL]),
        ("/about", [*FRAME, *ARTICLE, "contents-bottom", *ALL]),
        ("/", [*FRAME, *ALL]),
        ("/free", ALL),
        ("/search", [*FRAME, *ALL]),
        ("", [*FRAME, "not-found", *ALL]),
    ],
)
def test_page_has_the_slots_of_its_layout(make_site: MakeSite, route: str, slots: list[str]) -> None:
    assert list(slots_of(payload(make_site, route))) == slots


def test_layout_is_told_which_parts_a_page_has(make_site: MakeSite) -> None:
    with_sidebar, without = layout_parts(payload(make_site, "/a")), layout_parts(payload(make_site, "/about"))
    assert (with_sidebar["sidebar"], without["sidebar"]) == (True, False)
    assert with_sidebar["announcements"] is False
    assert {name for name, is_there in without.items() if not is_there} == {"sidebar", "announcements"}


def test_slot_is_given_the_page_and_the_site(make_site: MakeSite) -> None:
    assert page_props(payload(make_site, "/a"), "Site", "/docs/") == {
        "page": {
            "path": "/docs/a",
            "layout": "doc",
            "title": "A",
            "description": "About.",
            "tags": ["x"],
            "lastUpdated": "2026-01-02",
            "editUrl": "https://example.org/edit/docs/a.md",
        },
        "site": {"title": "Site", "baseUrl": "/docs/"},
    }
    assert page_props(payload(make_site, "/short"), "", "/")["page"]["lastUpdated"] is None


class Folder:
    """A folder with modules."""

    def __init__(self, folder: Path, files: dict[str, str]) -> None:
        self.root = folder
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        self.modules = Modules(folder, "parts", ComponentProcess("/", seconds=1, memory=1 << 20), "tools", {})

    def types(self, name: str, path: str = "parts/X.tsx") -> str | None:
        found = self.modules.find_types(path, name)
        return found[0] if found else None


def test_types_are_found_where_a_compiler_finds_them(tmp_path: Path) -> None:
    names = ("parts/a.ts", "parts/b.tsx", "parts/c.d.ts", "parts/d.js", "parts/d.d.ts", "parts/e/index.d.ts", "f.ts")
    (tmp_path / "out.ts").write_text("secret")
    site = Folder(tmp_path / "site", dict.fromkeys(names, "text"))
    (tmp_path / "site/parts/link.ts").symlink_to(tmp_path / "out.ts")
    found = {name: site.types(name) for name in ("./a", "./a.ts", "./b", "./c", "./d.js", "./d", "../f", "./a.js")}
    assert found == {
        "./a": "parts/a.ts",
        "./a.ts": "parts/a.ts",
        "./b": "parts/b.tsx",
        "./c": "parts/c.d.ts",
        "./d.js": "parts/d.d.ts",
        "./d": "parts/d.d.ts",
        "../f": "f.ts",
        "./a.js": "parts/a.ts",
    }
    for name in ("./gone", "./link", "../../out", "/f", "https://example.org/a.ts"):
        assert site.types(name) is None
    assert site.modules.typed == {"parts/a.ts", "parts/b.tsx", "parts/c.d.ts", "parts/d.d.ts", "f.ts"}


def test_component_is_another_when_its_types_change(tmp_path: Path) -> None:
    text = '{"a": 1}'
    site = Folder(tmp_path, {"parts/a.json": text, "parts/b.json": text})
    for name in ("a", "b"):
        site.modules.add(f"parts/{name}.json")
    assert site.modules.key("parts/a.json") != site.modules.key("parts/b.json")
    assert site.modules.key("parts/a.json") == site.modules.key("parts/a.json")


def test_data_is_a_script_of_its_own_in_the_browser_and_on_disk(tmp_path: Path) -> None:
    site = Folder(tmp_path, {"parts/My data.json": '{"a": 1}'})
    site.modules.add("parts/My data.json")
    published = PublishedModules(site.modules, "/docs/")
    address = published.address("parts/My data.json")
    assert address.startswith("_octavo/")
    assert address.endswith(".js")
    assert " " not in address
    files = published.scripts("parts/My data.json")
    assert list(files) == [address, f"{address}.map"]
    script = files[address].decode()
    assert script.startswith('export const path="parts/My data.json";export const needs={};export function run(')
    assert '\nmodule.exports = JSON.parse("{\\"a\\": 1}");\n}' in script
    assert script.endswith(f"\n//# sourceMappingURL={address.rpartition('/')[2]}.map\n")
    assert json.loads(files[f"{address}.map"]) == {
        "version": 3,
        "sources": ["parts/My data.json"],
        "names": [],
        "mappings": ";",
        "authored": "",
    }
    on_disk = offline_script(address, script)
    assert on_disk.startswith(f'octavoFile("{address}",{{path:"parts/My data.json",needs:{{}},run:function(')
    assert "sourceMappingURL" not in on_disk
    assert "import" not in on_disk


def test_script_on_disk_names_what_it_needs_by_address() -> None:
    script = (
        'import * as m0 from "./b-1.js";import * as m1 from "./c-2.js";export const path="parts/A.tsx";'
        'export const needs={"./b":m0,"./c":m1,"./b.js":m0};export function run(exports,require,module){\nx();\n}\n'
        "//# sourceMappingURL=a.js.map\n"
    )
    assert offline_script("_octavo/site/a.js", script) == (
        'octavoFile("_octavo/site/a.js",{path:"parts/A.tsx",needs:{"./b": "_octavo/site/b-1.js", '
        '"./c": "_octavo/site/c-2.js", "./b.js": "_octavo/site/b-1.js"},run:function(exports,require,module){\nx();\n}})\n'
    )
    with pytest.raises(AssertionError, match=r"a\.js is not a module"):
        offline_script("a.js", "x();")


def use(name: str = "Kiln", **more: Any) -> Use:
    given = {
        "name": name,
        "props": {},
        "has_children": False,
        "is_inline": False,
        "span": Span("docs/a.md", 2, 3),
        **more,
    }
    return Use(**given)


PROPS = "export default function Kiln({ a }: { a: string; children?: ReactNode }) {}"


def checked(path: str, one: Use, text: str = PROPS, *, has_failed: bool = False) -> str:
    read: list[str] = []

    def give(path: str) -> str:
        read.append(path)
        return text

    checks = PropertyChecks(give, lambda *_: None)
    first = checks.wrong_values(path, one, has_failed=has_failed)
    assert checks.wrong_values(path, one, has_failed=has_failed) == first
    assert len(read) <= 1
    return first


def test_values_of_a_use_are_checked_against_the_types_of_its_file() -> None:
    assert checked("parts/Kiln.tsx", use(props={"a": "x"})) == ""
    assert checked("parts/Kiln.tsx", use()) == '<Kiln> needs "a", which is string (parts/Kiln.tsx:1:39).'
    both = checked("parts/Kiln.tsx", use(props={"a": 1, "b": 2}))
    assert both == (
        '"a" of <Kiln> is the number 1, and must be string (parts/Kiln.tsx:1:39). <Kiln> has no property "b".'
    )


def test_files_without_types_and_slots_are_not_checked() -> None:
    assert checked("parts/Kiln.jsx", use()) == ""
    assert checked("slots/footer.tsx", use()) == ""
    assert checked("parts/Kiln.tsx", use(), "export default class Kiln {}") == ""


@each(
    "has_children, wrong",
    [(True, []), (False, ['<X> needs "children", which is string (X.tsx:1:26).'])],
)
def test_content_of_a_use_is_its_children(has_children: bool, wrong: list[str]) -> None:
    properties = read_properties("export default (props: { children: string; a?: 'x' }) => null;")
    assert properties is not None
    assert wrong_values(properties, "X", "X.tsx", {}, has_children=has_children) == wrong


@each(
    "given, wrong",
    [
        ({"tone": "x"}, 'Did you mean "tones"?'),
        ({"key": 1, "children": 2}, None),
        ({"tones": None}, None),
        ({"size": None}, "and must be number"),
        ({"size": True}, "is true, and must be number"),
        ({"size": {"a": "x" * 60}}, f'is the object {{"a": "{"x" * 33}…, and must be'),
        ({"size": ["x"]}, 'is the list ["x"], and must be'),
        ({"size": 1.5, "flag": True}, "must be false"),
        ({"size": 1, "flag": False, "level": 2}, None),
        ({"size": 1, "level": True}, "must be 1 | 2"),
    ],
)
def test_wrong_values_are_said_in_words(given: dict[str, Any], wrong: str | None) -> None:
    source = "export default (props: { tones?: string; size?: number; flag?: false; level?: 1 | 2 }) => null;"
    properties = read_properties(source)
    assert properties is not None
    # A value that may be left out may be nothing, too.
    if given == {"size": None}:
        properties = properties._replace(
            all={**properties.all, "size": properties.all["size"]._replace(is_optional=False)}
        )
    found = wrong_values(properties, "X", "X.tsx", given, has_children=False)
    assert (found == []) == (wrong is None)
    assert wrong is None or wrong in found[0]


def test_types_that_are_joined_eight_deep_are_read_no_further() -> None:
    def nested(depth: int) -> str:
        names = [f"type T{number} = T{number + 1} & {{ a{number}?: string }};" for number in range(depth)]
        return "\n".join([*names, f"type T{depth} = {{ last: string }};", "export default (props: T0) => null;"])

    shallow, deep = read_properties(nested(2)), read_properties(nested(12))
    assert shallow is not None
    assert "last" in shallow.all
    assert shallow.is_complete
    assert deep is not None
    assert "last" not in deep.all
    assert not deep.is_complete
    assert "a0" in deep.all


def test_what_fails_is_named_as_readers_of_the_message_know_it() -> None:
    message, hint = failure_message(use(), "window is not defined")
    assert message == 'The component "Kiln" fails: window is not defined. It is used at docs/a.md:2:3.'
    assert hint.startswith("This exists in browsers only")
    message, hint = failure_message(use("slot:footer"), "x" * 1200 + ".")
    assert message == f'The slot "footer" fails: {"x" * 1000}.'
    assert hint == ""
    assert failure_message(use("slot:card"), "x.")[0] == 'The slot "card" fails: x. It is used at docs/a.md:2:3.'


def test_content_that_nobody_sees_is_quoted() -> None:
    component = Component("Kiln", "parts/Kiln.tsx", key="", client="none", line=1, is_usable=True)
    found = hidden_children(component, use(), "x" * 70)
    assert f'<Kiln> does not show "{"x" * 60}" here' in found.message
    assert "(parts/Kiln.tsx)" in found.message
    assert found.span == Span("docs/a.md", 2, 3)
    assert hidden_children(component, use("slot:card")).message.startswith(
        'The slot "card" does not show what it is given as content here'
    )
