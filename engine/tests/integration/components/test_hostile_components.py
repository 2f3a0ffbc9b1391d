"""Components that fail, hang or take too much: they are findings, and all others are drawn."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from octavo.components import load_components, site_components
from octavo.components.process import ComponentProcess
from octavo.config import Config
from octavo.content import COMPONENT_KIND
from octavo.diagnostics import Span
from octavo.publish.build import build_site
from octavo.rendering import Use
from octavo.runtime import Cache
from tests.support.children import children_of, command_of
from tests.support.sites import HOME, MakeSite, page
from tests.support.waiting import wait_for

from .test_component_findings import BROKEN
from .test_components import CHIP, FILES

HOSTILE = {
    "loops": "for (;;);",
    "loops as it is loaded": "",
    "allocates": "const all = []; for (;;) all.push(new Array(1000).fill(Math.random()));",
    "allocates buffers": "const all = []; for (;;) all.push(new Uint8Array(5e7).fill(1));",
    "recurses": "const again = () => again() + 1; again();",
    "throws nothing": "throw null;",
}


def test_hostile_components_are_findings_and_others_are_drawn(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_components, "SECONDS", 2.5)
    monkeypatch.setattr(site_components, "MEMORY", 64 << 20)
    names = {case: f"Bad{number}" for number, case in enumerate(HOSTILE)}
    top = {"loops as it is loaded": "for (;;);"}
    uses = "\n\n".join(f"<{name}>\n\nInner {name}.\n\n</{name}>" for name in names.values())
    files = {
        **{
            f"components/{name}.tsx": f"{top.get(case, '')}\nexport default function Bad() {{\n  {HOSTILE[case]}\n}}\n"
            for case, name in names.items()
        },
        "components/Chip.jsx": CHIP,
        "docs/a.md": f'# A\n\n{uses}\n\n<Chip tone="x">fine</Chip>\n',
        **HOME,
    }
    site = make_site(files, '[diagnostics]\ncomponent = "warn"\n')
    build = site.build()
    expected = [(f"components/{name}.tsx", "component") for name in names.values()]
    assert [(problem.span.path, problem.code) for problem in build.diagnostics] == expected
    # As settings say, the site is published; readers see the content between the tags.
    assert build.is_published
    for name in names.values():
        assert f"<p>Inner {name}.</p>" in site.html("/a")
    assert '<b class="x">fine</b>' in site.html("/a")
    if sys.platform == "linux":
        wait_for(lambda: _hosts() == [])


MISUSES: dict[str, tuple[str, str]] = {
    "a changed method": (
        "Array.prototype.map = () => [];\nexport default () => <p>x</p>;\n",
        "The module fails: it changes Array.prototype.map, which all components share.",
    ),
    "a changed reader of data": (
        "JSON.stringify = () => '[]';\nexport default () => <p>x</p>;\n",
        "The module fails: it changes JSON.stringify, which all components share.",
    ),
    "a property of all objects": (
        "Object.prototype.t = 'POLLUTED';\nexport default () => <p>x</p>;\n",
        "The module fails: it changes Object.prototype.t, which all components share.",
    ),
    "changed iteration": (
        "Array.prototype[Symbol.iterator] = function* () {};\nexport default () => <p>x</p>;\n",
        "The module fails: it changes Array.prototype[Symbol(Symbol.iterator)], which all components share.",
    ),
    "the host": (
        "globalThis.OctavoComponents = { draw: () => '[]' };\nexport default () => <p>x</p>;\n",
        "The module fails: Cannot assign to read only property 'OctavoComponents'",
    ),
    "changed while it is drawn": (
        "export default () => {\n  JSON.stringify = () => '{}';\n  JSON.parse = () => null;\n  throw new Error('late');\n};\n",
        'The component "NAME" fails: late.',
    ),
    "a method changed while it is drawn": (
        "export default () => {\n  Array.prototype.map = () => ['BROKEN'];\n  return <p>x</p>;\n};\n",
        'The component "NAME" fails: it changes Array.prototype.map, which all components share.',
    ),
    "an object": (
        "export default () => ({ a: 1 });\n",
        'The component "NAME" fails: It returns or shows a value that React cannot show: object with keys {a}. Show its fields, or',
    ),
    "a function": (
        "export default () => () => <p>x</p>;\n",
        'The component "NAME" fails: It returns a function, which React does not show. Return an element, a text, or null.',
    ),
    "a symbol": (
        "export default () => Symbol('x');\n",
        'The component "NAME" fails: It returns a symbol, which React does not show.',
    ),
    "an element of nothing": (
        "const Missing = undefined;\nexport default () => <Missing />;\n",
        'The component "NAME" fails: An element has no component: it is undefined. Look at how it is imported and exported.',
    ),
    "a style in text": (
        "export default () => <p style='color: red'>x</p>;\n",
        'The component "NAME" fails: style must be an object, such as style={{ color: "red" }}.',
    ),
    "an error without a text": (
        "export default () => {\n  throw { toString() { throw 1; } };\n};\n",
        'The component "NAME" fails: it throws something that cannot be shown as a text.',
    ),
    "a long error": (
        "export default () => {\n  throw new Error('x'.repeat(5e6));\n};\n",
        f'The component "NAME" fails: {"x" * 1_000}. It is used at',
    ),
    "an address": (
        "import x from 'https://evil.example/x.js';\nexport default () => <p>{x}</p>;\n",
        '"https://evil.example/x.js" cannot be imported: it is neither a file of the site nor the name of a package. Nothing is',
    ),
}


def test_misused_components_are_findings_and_others_are_drawn(make_site: MakeSite) -> None:
    names = {case: f"Bad{number}" for number, case in enumerate(MISUSES)}
    uses = "\n\n".join(f"<{name}>\n\nInner {name}.\n\n</{name}>" for name in names.values())
    other = "export default ({ t }) => <b>{[1, 2].map((x) => x + 1)}{t}{({}).t}</b>;\n"
    site = make_site(
        {
            **{f"components/{name}.jsx": MISUSES[case][0] for case, name in names.items()},
            "components/Other.jsx": other,
            "components/None.jsx": "export default () => null;\n",
            "docs/a.md": f'# A\n\n{uses}\n\n<Other t="fine" />\n\n<None />\n',
            **HOME,
        },
        "[diagnostics]\ncomponent = 'warn'\ncomponent_import = 'warn'\n",
    )
    found = site.check()
    for case, name in names.items():
        own = [one.partition(": warn: ")[2] for one in found if one.startswith(f"components/{name}.jsx:")]
        assert len(own) == 1, (case, own)
        assert own[0].startswith(MISUSES[case][1].replace("NAME", name)), case
        assert f"<p>Inner {name}.</p>" in site.html("/a")
    assert len(found) == len(MISUSES)
    assert "<b>23fine</b>" in re.sub("<!-- -->", "", site.html("/a"))


def test_component_that_breaks_what_is_shared_as_it_is_drawn_fails_no_other(make_site: MakeSite) -> None:
    site = make_site(
        {
            "components/Bad.jsx": "export default () => {\n  Array.prototype.map = null;\n  return <i>bad</i>;\n};\n",
            "components/Chip.jsx": CHIP,
            "docs/a.md": page("A", '<Bad />\n\n<Chip tone="x">fine</Chip>'),
            **HOME,
        },
        "[diagnostics]\ncomponent = 'warn'\n",
    )
    [problem] = site.check()
    assert "it changes Array.prototype.map, which all components share." in problem
    assert '<b class="x">fine</b>' in site.html("/a")


def _hosts() -> list[int]:
    """List the processes of components that this process has started."""
    return [child for child in children_of() if b"component_host" in command_of(child)]


def test_site_with_a_failing_component_is_not_published(make_site: MakeSite) -> None:
    site = make_site({"components/Bad.tsx": BROKEN["browser"][0], "docs/a.md": page("A", "<Bad/>"), **HOME})
    assert not site.build().is_published
    # `octavo dev` and drafts of a site publish whatever is wrong.
    assert build_site(site.root, site.out, publishes_always=True).is_published


@pytest.fixture
def starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Count the starts of V8 for components, in forked processes too."""
    log, start = tmp_path / "starts", ComponentProcess._start

    def counted(self: ComponentProcess) -> None:
        if not self.is_running:
            with log.open("a", encoding="ascii") as file:
                file.write("x")
        start(self)

    monkeypatch.setattr(ComponentProcess, "_start", counted)
    return lambda: log.stat().st_size if log.exists() else 0


def test_many_pages_are_drawn_by_several_processes_as_by_one(make_site: MakeSite, starts: Callable[[], int]) -> None:
    files: Mapping[str, str] = {
        **FILES,
        **{f"docs/n/{n}.md": page(f"N {n}", f'<Chart label="L{n}" values={{[{n}]}}/>\n') for n in range(60)},
    }
    site = make_site(files)
    assert site.check() == []
    assert 'href="/a">L7</a>' in site.html("/n/7")
    assert "data-island" in site.html("/n/59")
    if sys.platform == "linux":
        # They share one V8: to start it costs as much as thousands of uses.
        assert starts() == 1
        site.write({"components/lib/sum.ts": "export const sum = (all: number[]) => all.length + 1;\n"})
        assert site.build().drawn == 61
        assert starts() == 2
        assert "<b>2" in site.html("/n/30")


def test_component_that_is_stopped_takes_no_other_page_with_it(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_components, "SECONDS", 3)
    bad = "export default function Bad({ n }) {\n  if (n === 30) for (;;);\n  return <u>{n}</u>;\n}\n"
    names = range(70)
    site = make_site(
        {
            "components/Bad.jsx": bad,
            "components/Chip.jsx": CHIP,
            **{f"docs/n/{n}.md": page(f"N {n}", f'<Bad n={{{n}}}/>\n\n<Chip tone="t{n}">a</Chip>\n') for n in names},
            **HOME,
        },
        '[diagnostics]\ncomponent = "warn"\n',
    )
    build = site.build()
    assert [(problem.span.path, "n/30.md" in problem.message) for problem in build.diagnostics] == [
        ("components/Bad.jsx", True)
    ]
    assert [n for n in names if f"<u>{n}</u>" not in site.html(f"/n/{n}")] == [30]
    assert all(f'<b class="t{n}">a</b>' in site.html(f"/n/{n}") for n in names)
    if sys.platform == "linux":
        wait_for(lambda: _hosts() == [])


def test_time_that_a_component_has_taken_is_not_remembered(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine may have been busy: the next build tries again, though nothing has changed."""
    slow = "export default () => { for (const end = Date.now() + 2000; Date.now() < end; ); return <b>DONE</b>; };\n"
    site = make_site(
        {"components/Slow.jsx": slow, "docs/a.md": page("A", "<Slow />"), **HOME}, "[diagnostics]\ncomponent = 'warn'\n"
    )
    with monkeypatch.context() as patch:
        patch.setattr(site_components, "SECONDS", 0.2)
        found = site.check()
        assert any("takes longer than 0.2 s" in line for line in found), found
        assert site.build().drawn == 1
    assert site.build().drawn == 1
    assert "<b>DONE</b>" in site.html("/a")
    assert site.build().drawn == 0


def test_no_process_is_started_for_pages_without_components(tmp_path: Path) -> None:
    (tmp_path / "components").mkdir()
    (tmp_path / "components/Good.jsx").write_text("export default () => <b>ok</b>;\n", "utf-8")
    components = load_components(tmp_path, Config(title="Site"), Cache(tmp_path / "cache"))
    assert components is not None
    try:
        components._process.close()  # it has read the component
        components.share(["tabs", f"{COMPONENT_KIND}Unknown"])
        assert not components._process.is_running
        components.share([f"{COMPONENT_KIND}Good"])
        assert components._process.is_running is sys.platform.startswith("linux")
    finally:
        components.close()


HANGING = "for (;;) {}"


def test_nobody_waits_for_a_component_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a patience, as in `octavo dev`: what hangs would otherwise hang this test."""
    monkeypatch.setattr(site_components, "SECONDS", 3600.0)
    (tmp_path / "components").mkdir()
    for name, body in (("Good", ""), ("Bad", HANGING)):
        text = f"export default ({{ children }}) => {{ {body} return <b>{{children}}</b>; }};\n"
        (tmp_path / f"components/{name}.jsx").write_text(text, "utf-8")
    (tmp_path / "components/Worse.jsx").write_text(f"{HANGING}\n{CHIP}", "utf-8")
    cache = Cache(tmp_path / "cache")
    components = load_components(tmp_path, Config(title="Site"), cache, patience=0.1)
    assert components is not None
    try:
        assert components.problems == []
        for name in ("Bad", "Worse", "Bad"):
            [drawn] = components.draw([Use(name, {}, True, False, Span("docs/a.md"))])
            assert (drawn.is_passing, drawn.problem) == (True, None)
        good = Use("Good", {}, True, False, Span("docs/a.md"))
        wait_for(lambda: components.settle() or not components.draw([good])[0].is_passing)
        assert components.draw([good])[0].html.startswith("<b>")
    finally:
        components.close()
    # And with a limit, the late answer is a finding.
    monkeypatch.setattr(site_components, "SECONDS", 0.3)
    components = load_components(tmp_path, Config(title="Site"), cache, patience=0.1)
    assert components is not None
    try:
        uses = [Use("Bad", {"n": n}, True, False, Span("docs/a.md")) for n in range(3)]

        def problems() -> list[str]:
            components.settle()
            drawn = [one.problem.message for one in components.draw(uses) if one.problem is not None]
            return sorted([*drawn, *(one.message for one in components.problems)])

        wait_for(lambda: len(problems()) == 4)
        texts = problems()
        assert [("longer than 0.3 s" in text, "stopped 2 times" in text) for text in texts] == [
            (True, False),
            (True, False),
            (False, True),
            (True, False),
        ]
        assert "components/Worse.jsx" in {one.span.path for one in components.problems}
        components.forget_stops()
        assert [one.problem for one in components.draw(uses)] == [None] * 3
    finally:
        components.close()
