"""Files that components import, what is said of their modules, and the islands that are written. Nothing is run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from octavo.components import slots
from octavo.components.children import Trees
from octavo.components.component import Component, component_files, unusable_files
from octavo.components.definitions import Definitions
from octavo.components.drawing import ComponentAnswer, failure_message, find_doubt, hidden_children, use_key
from octavo.components.islands import client_of, write_island
from octavo.components.modules import Module, Modules
from octavo.components.process import ComponentError, ComponentProcess
from octavo.components.publishing import PublishedModules
from octavo.components.slots import CONTRACT, contract_problem
from octavo.content import SLOT
from octavo.diagnostics import Span
from octavo.rendering import Use
from tests.support.each import each


class Site:
    """A folder with components, and their modules."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = ComponentProcess("/", seconds=1, memory=1 << 20)

    def write(self, name: str, text: str | bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def modules(self, known: dict[str, Module] | None = None) -> Modules:
        return Modules(self.folder, "parts", self.process, "tools", known or {})

    def module(self, name: str, text: str | bytes) -> Module:
        self.write(name, text)
        modules = self.modules()
        modules.add(name)
        return modules.all[name]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def test_data_is_read_as_a_value_and_not_as_code(site: Site) -> None:
    module = site.module("parts/a.json", '{"__proto__": 1, "a": "</script>"}')
    assert module.problems == []
    assert module.code == 'module.exports = JSON.parse("{\\"__proto__\\": 1, \\"a\\": \\"</script>\\"}");'


@each(
    "text, message, line, column",
    [
        ('{\n  "a": }', "It is not valid JSON: Expecting value.", 2, 8),
        ("NaN", "It is not valid JSON: NaN is not a value.", 1, 1),
        ("[" * 100_000, "Its lists and objects are too many within each other.", 1, 1),
    ],
)
def test_data_that_is_none_is_a_finding_at_its_place(
    tmp_path: Path, text: str, message: str, line: int, column: int
) -> None:
    (problem,) = Site(tmp_path).module("parts/a.json", text).problems
    assert (problem.message, problem.span.line, problem.span.column) == (message, line, column)


def test_file_that_cannot_be_read_as_text_is_a_finding(site: Site) -> None:
    (problem,) = site.module("parts/a.css", b"\xff").problems
    assert problem.message == '"parts/a.css" cannot be read: it is not UTF-8.'
    modules = site.modules()
    modules.add("parts/gone.css")
    (gone,) = modules.all["parts/gone.css"].problems
    assert gone.message == '"parts/gone.css" cannot be read: No such file or directory.'


def test_picture_is_its_address(site: Site) -> None:
    module = site.module("parts/My kiln (1).SVG".replace(".SVG", ".svg"), "<svg/>")
    assert module.is_file
    assert 'require("octavo").withBase("/_octavo/' in module.code
    assert "My-kiln" in module.code
    assert module.code.endswith('.svg");')


def test_style_sheet_loads_files_beside_it_and_nothing_else(site: Site) -> None:
    site.write("parts/k.svg", "<svg/>")
    sheet = "@import 'b.css';\na { background: url(k.svg#x) }\nb { background: url('gone.png') }\nc { background: url(/i.png) }\n"
    module = site.module("parts/a.css", sheet)
    assert module.is_style
    assert module.needs == {"./k.svg#x".partition("#")[0]: "parts/k.svg"}
    assert [(one.code, one.span.line) for one in module.problems] == [("component-import", 1), ("component-import", 3)]
    assert "cannot import another one" in module.problems[0].message
    assert '"gone.png" is not a file of the site' in module.problems[1].message


def test_published_style_sheet_loads_the_published_files_and_those_below_the_base_url(site: Site) -> None:
    site.write("parts/k.svg", "<svg/>")
    site.write(
        "parts/a.css",
        "a { background: url(k.svg#x) }\nb { background: url(/i.png) }\nc { background: url(/docs/j.png) }\n",
    )
    modules = site.modules()
    modules.add("parts/a.css")
    published = PublishedModules(modules, "/docs/")
    ((picture, content),) = published.pictures("parts/a.css").items()
    ((address, sheet),) = published.styles("parts/a.css").items()
    assert (content, address.endswith(".css")) == (b"<svg/>", True)
    assert f"url({picture.rpartition('/')[2]}#x)" in sheet.decode().replace('"', "")
    assert "url(/docs/i.png)" in sheet.decode().replace('"', "")
    assert "url(/docs/j.png)" in sheet.decode().replace('"', "")
    assert published.scripts("parts/a.css") == {}


def test_module_changes_with_what_it_imports_and_stays_known_otherwise(site: Site) -> None:
    site.write("parts/k.svg", "<svg/>")
    site.write("parts/a.css", "a { background: url(k.svg) }")
    first = site.modules()
    first.add("parts/a.css")
    assert [one.path for one in first.below("parts/a.css")] == ["parts/k.svg", "parts/a.css"]
    known = {one.key: one for one in first.all.values()}
    again = site.modules(known)
    again.add("parts/a.css")
    assert again.all["parts/a.css"] is first.all["parts/a.css"]
    assert again.key("parts/a.css") == first.key("parts/a.css")
    site.write("parts/k.svg", "<svg></svg>")
    changed = site.modules(known)
    changed.add("parts/a.css")
    assert changed.key("parts/a.css") != first.key("parts/a.css")
    (site.folder / "parts/k.svg").unlink()
    gone = site.modules(known)
    gone.add("parts/a.css")
    assert len(gone.all["parts/a.css"].problems) == 1


def test_files_outside_of_the_site_are_not_loaded(tmp_path: Path) -> None:
    site = Site(tmp_path / "site")
    (tmp_path / "secret.svg").write_text("<svg/>")
    site.write("parts/x", "")
    (site.folder / "parts/link.svg").symlink_to(tmp_path / "secret.svg")
    for address in ("../../secret.svg", "link.svg"):
        assert site.module("parts/a.css", f"a {{ background: url({address}) }}").needs == {}


def test_names_of_files_say_which_are_components(site: Site) -> None:
    for name in (
        "Kiln.tsx",
        "Kiln.Door.jsx",
        "kiln.tsx",
        "Kiln.test.tsx",
        "Kiln.css",
        "inner/Deep.tsx",
        "kiln.test.tsx",
    ):
        site.write(f"parts/{name}", "")
    assert sorted(component_files(site.folder, "parts")) == ["parts/Kiln.Door.jsx", "parts/Kiln.tsx"]
    for name in ("parts/Oven.js", "parts/oven.js", "parts/Oven.d.ts", "slots/footer.ts", "slots/other.ts"):
        site.write(name, "")
    unusable = [path for path, _, _ in unusable_files(site.folder, "parts", "slots", ["footer"])]
    assert unusable == ["parts/kiln.tsx", "parts/Oven.js", "slots/footer.ts"]
    assert list(component_files(site.folder, "gone")) == []


def judged(site: Site, found: Any, text: str = "export default 1;\n", path: str = "parts/Kiln.tsx") -> Any:
    site.write(path, text)
    modules = site.modules()
    modules.all[path] = Module(path, "", "", "", {}, [], line=1)
    return Definitions(site.folder, modules, site.process).judge(path, found)


EXPORTS = {"isComponent": True, "client": "none", "children": None, "contract": None}


def test_component_that_says_when_it_comes_alive_is_taken_at_its_word(site: Site) -> None:
    found = judged(site, EXPORTS | {"client": "visible", "children": "elements"})
    assert (found.client, found.problems, found.children, found.idle) == ("visible", [], "elements", None)


def test_component_that_reacts_to_readers_and_never_comes_alive_is_warned_of(site: Site) -> None:
    text = "export default function Kiln() {\n  return <b onClick={() => 1} />;\n}\n"
    found = judged(site, EXPORTS, text)
    assert (found.problems, found.idle.level, found.idle.span.line) == ([], "warn", 2)
    assert judged(site, EXPORTS, f'export const client = "none";\n{text}').idle is None
    assert judged(site, EXPORTS | {"client": "load"}, text).idle is None


@each(
    "changes, text, message, line, column",
    [
        ({"isComponent": False}, "x\n", "This file has no default export that is a component.", 1, 1),
        (
            {"isComponent": False},
            "export function Oven() {}\n",
            'This file has no default export that is a component. It exports "Oven"; only one named "Kiln", like the file, counts as the default.',
            1,
            1,
        ),
        ({"client": "soon"}, '\nexport const client = "soon";', '"soon" is not a time at which a component comes alive.', 2, None),
        ({"children": "odd"}, '\n\nexport const children = "odd";', '"odd" is no way in which a component gets its children.', 3, None),
        ({"error": "x is 1", "place": None}, "x", "The module fails: x is 1.", 1, 1),
    ],
)  # fmt: skip
def test_module_that_is_no_component_is_a_finding_at_its_place(
    tmp_path: Path, changes: dict[str, Any], text: str, message: str, line: int, column: int | None
) -> None:
    found = judged(Site(tmp_path), EXPORTS | changes, text)
    (problem,) = found.problems
    assert (problem.message, problem.level, problem.span.line) == (message, "error", line)
    assert column in (None, problem.span.column)


def test_answer_that_cannot_be_read_is_an_error_of_the_module(site: Site) -> None:
    for answer in (ComponentError("it hangs"), ["odd"], {}):
        (problem,) = judged(site, answer).problems
        assert problem.message.startswith("The module fails when it is run: ")


@each(
    "given, message",
    [
        (None, "does not say which version"),
        ("1", "says '1' for which version"),
        (True, "says True for which version"),
        (CONTRACT + 1, "this Octavo has version"),
    ],
)
def test_contract_of_another_version_is_a_finding(given: object, message: str) -> None:
    found = contract_problem(given)
    assert found is not None
    assert message in found[0]
    assert contract_problem(CONTRACT) is None


KILN = Component("Kiln", "parts/Kiln.tsx", "key", "visible", 1, True)


def use(name: str = "Kiln", **given: Any) -> Use:
    return Use(
        name,
        given.pop("props", {}),
        given.pop("has_children", False),
        given.pop("is_inline", False),
        Span("a.md", 3, 5),
        **given,
    )


def test_components_that_are_drawn_together_come_alive_as_soon_as_the_first() -> None:
    clients = {one: msgspec.structs.replace(KILN, client=one) for one in ("none", "visible", "idle", "load")}
    assert client_of([clients["none"], clients["visible"], clients["idle"]]) == "idle"
    assert client_of([clients["visible"], clients["load"]]) == "load"
    assert client_of([clients["none"]]) == "none"


def island(one: Use, drawn: str = "<b>x</b>", trees: Trees | None = None, **modules: str) -> str:
    return write_island(KILN, one, drawn, "/k.js", "visible", trees, modules)


def test_island_has_what_the_browser_needs() -> None:
    written = island(use(props={"a": '"<é>"'}))
    assert written.startswith(
        f'<div class="island" data-island="component" data-id="{SLOT}ID{SLOT}" data-source="parts/Kiln.tsx"'
    )
    assert (
        'data-module="/k.js" data-client="visible" data-props="{&quot;a&quot;:&quot;\\&quot;&lt;é&gt;\\&quot;&quot;}"'
        in written
    )
    assert written.endswith("><b>x</b></div>")
    assert island(use(is_inline=True)).startswith("<span ")


def test_children_that_are_not_drawn_wait_in_a_template() -> None:
    child = f"{SLOT}C0{SLOT}"
    assert island(use(has_children=True)).endswith(f'<template data-children="{SLOT}ID{SLOT}">{child}</template>')
    assert "<template" not in island(use(has_children=True), f"<b>{child}</b>")
    assert "<template" not in island(use())


def test_parts_of_its_content_that_are_not_drawn_wait_too() -> None:
    parts = [f"{SLOT}P{number}{SLOT}" for number in (0, 1)]
    trees = Trees({"children": [{"part": 0}]}, ["<p>a</p>", "<p>b</p>"], {}, [])
    written = island(use(has_children=True), f"<b>{parts[0]}</b>", trees, Oven="/o.js")
    assert 'data-modules="{&quot;Oven&quot;:&quot;/o.js&quot;}"' in written
    assert written.endswith(f'<template data-children="{SLOT}ID{SLOT}"><div data-part="1">{parts[1]}</div></template>')
    assert "data-modules" not in island(use(), parts[0] + parts[1], trees)


def test_failures_name_the_use_and_what_exists_in_browsers_only() -> None:
    message, hint = failure_message(use(), "window is not defined.")
    assert message == 'The component "Kiln" fails: window is not defined. It is used at a.md:3:5.'
    assert hint.startswith("This exists in browsers only")
    assert failure_message(use("slot:footer"), "x") == ('The slot "footer" fails: x.', "")
    assert "It is used at a.md:3:5." in failure_message(use("slot:card"), "x")[0]
    changing = ComponentAnswer("<b>1</b>", is_changing=True, place={"line": 3})
    doubts = [find_doubt(one, changing, is_live=True) for one in (use("slot:footer"), use())]
    assert [doubt[0] for doubt in doubts if doubt] == [{"line": 3}] * 2
    assert doubts[0] is not None
    assert doubts[0][1].startswith('The slot "footer" shows the time')
    assert doubts[1] is not None
    assert doubts[1][1].startswith('The component "Kiln" shows the time')


@each(
    "answer, is_live, message",
    [
        (ComponentAnswer("<b>1</b>"), False, None),
        (ComponentAnswer("", misplaced="<div> within <p>"), True, "shows <div> within <p>, which HTML does not allow"),
        (ComponentAnswer("<main >x</main>"), False, "shows <main>, which every page has already"),
        (ComponentAnswer("<mainly>"), False, None),
        (ComponentAnswer("x", is_unfinished=True), False, "shows only the fallback of what it loads"),
        (ComponentAnswer("x", is_unfinished=True), True, None),
        (
            ComponentAnswer("x", hidden={"error": "no.", "place": {"line": 2}}),
            True,
            "because the build fails within it: no.",
        ),
        (ComponentAnswer("x", printed={"text": "a\nb.", "place": {"line": 2}}), True, "prints: a | b."),
    ],
)
def test_what_readers_see_otherwise_is_doubted(answer: ComponentAnswer, is_live: bool, message: str | None) -> None:
    found = find_doubt(use(), answer, is_live=is_live)
    assert (found is None) == (message is None)
    if found is not None and message is not None:
        assert message in found[1]
        assert found[1].startswith('The component "Kiln" ')
        assert found[0] == ({"line": 2} if answer.hidden or answer.printed else None)
        assert found[2]


def test_layout_may_show_the_main_part() -> None:
    assert find_doubt(use("slot:layout"), ComponentAnswer("<main>x</main>"), is_live=True) is None


def test_contract_of_an_earlier_version_names_what_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "CONTRACT", 4)
    monkeypatch.setattr(slots, "CHANGES", {2: "a went", 3: "b came", 4: "c is d"})
    found = contract_problem(2)
    assert found is not None
    assert found[0].endswith("this Octavo has version 4: since 3, b came; since 4, c is d.")
    assert found[1].endswith("export const contract = 4;")
    assert contract_problem(4) is None


def test_hidden_content_is_a_warning_at_the_use() -> None:
    found = hidden_children(KILN, use(), "Fire it")
    assert found.message == '<Kiln> does not show "Fire it" here, so no reader sees it (parts/Kiln.tsx).'
    assert (found.level, found.span) == ("warn", Span("a.md", 3, 5))
    assert "what it is given as content" in hidden_children(KILN, use()).message


def test_equal_uses_are_drawn_once_wherever_they_are() -> None:
    one = use(props={"a": 1, "b": 2})
    assert use_key(one) == use_key(one._replace(props={"b": 2, "a": 1}, span=Span("b.md", 1, 1)))
    for other in (
        {"props": {"a": 1}},
        {"has_children": True},
        {"is_inline": True},
        {"name": "Oven"},
        {"parts": {"main": True}},
    ):
        assert use_key(one._replace(**other)) != use_key(one)
