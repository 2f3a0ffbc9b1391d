"""Components that load others while they are drawn, and what of a drawing browsers would not have."""

from __future__ import annotations

import pytest

from octavo.diagnostics import Diagnostic
from tests.support.sites import HOME, MakeSite, page

PART = 'import { lazy, Suspense } from "react";\nconst Leaf = lazy(() => import("./Leaf"));\nexport default ({ of }) => <Suspense fallback="…"><Leaf of={of} /></Suspense>;\n'
LEAF = "export default ({ of }) => <b>leaf of {of}</b>;\n"
LAZY = """import { lazy, Suspense } from "react";

const Part = lazy(() => import("./lib/Part"));
export default ({ of, children }) => <section><Suspense fallback={<i>wait</i>}><Part of={of} />{children}</Suspense></section>;
"""


@pytest.mark.parametrize("client", ["none", "load"])
def test_what_is_loaded_lazily_is_drawn_by_the_build(make_site: MakeSite, client: str) -> None:
    files = {
        "components/Tree.tsx": f'export const client = "{client}";\n{LAZY}',
        "components/lib/Part.tsx": PART,
        "components/lib/Leaf.tsx": LEAF,
        "docs/a.md": page("A", '<Tree of="oak">\n\nInner.\n\n</Tree>\n\n<Tree of="elm" />\n'),
    }
    site = make_site(files | HOME)
    assert site.check() == []
    text = site.html("/a").replace("<!-- -->", "")
    assert "<b>leaf of oak</b>" in text
    assert "<b>leaf of elm</b>" in text
    assert "<p>Inner.</p>" in text
    assert "wait" not in text
    assert "…" not in text


def test_what_is_never_loaded_is_a_finding_unless_browsers_load_it(make_site: MakeSite) -> None:
    code = 'import { Suspense, use } from "react";\nconst never = new Promise<string>(() => {});\nconst Said = () => <b>{use(never)}</b>;\n'
    shown = "export default function NAME() {\n  return <Suspense fallback={<i>wait</i>}><Said /></Suspense>;\n}\n"
    files = {
        "components/Still.tsx": code + shown.replace("NAME", "Still"),
        "components/Live.tsx": f'{code}export const client = "load";\n{shown.replace("NAME", "Live")}',
        "docs/a.md": page("A", "<Still />\n\n<Live />\n"),
    }
    site = make_site(files | HOME)
    [found] = site.check()
    assert found.startswith(
        'components/Still.tsx:4:1: warn: The component "Still" shows only the fallback of what it loads'
    )
    assert site.html("/a").count("<i>wait</i>") == 2


FAILING = """import * as React from "react";
const { Suspense: Border } = React;
function Bad({ at }: { at: string }): React.ReactNode {
  if (at) throw new Error(`bad ${at}`);
  return <b>{at}</b>;
}
export default function NAME({ at, children }) {
  console.log("once");
  return <Border fallback={<i>wait</i>}><Bad at={at} />{children}</Border>;
}
"""


@pytest.mark.parametrize("client", ["none", "visible"])
def test_error_within_suspense_is_a_finding(make_site: MakeSite, client: str) -> None:
    """React draws the fallback for it, and says nothing."""
    code = FAILING.replace("NAME", "Sus").replace('  console.log("once");\n', "")
    files = {
        "components/Sus.tsx": f'{code}export const client = "{client}";\n',
        "docs/a.md": page("A", '<Sus at="here">Inner.</Sus>\n\n<Sus at="">Inner.</Sus>\n'),
    }
    site = make_site(files | HOME, "[diagnostics]\ncomponent = 'warn'\n")
    [found] = site.check()
    expected = {
        "none": 'The component "Sus" fails: bad here. It is used at docs/a.md:5:1. [component]',
        "visible": 'The component "Sus" shows the fallback of its Suspense, because the build fails within it: bad here. '
        "Browsers draw it again; readers without scripts, search and printers have the fallback. [component]",
    }
    assert found == f"components/Sus.tsx:4:17: warn: {expected[client]}"
    assert ("<i>wait</i>" in site.html("/a")) == (client != "none")


def test_what_throws_a_promise_shows_its_fallback_with_a_finding(make_site: MakeSite) -> None:
    """It waits by itself, as libraries did before `use`; nothing was said of it."""
    code = FAILING.replace("NAME", "Sus").replace('  console.log("once");\n', "")
    code = code.replace("throw new Error(`bad ${at}`)", "throw new Promise(() => {})")
    site = make_site({"components/Sus.tsx": code, "docs/a.md": page("A", '<Sus at="x">Inner.</Sus>\n'), **HOME})
    [found] = site.check()
    assert 'The component "Sus" shows only the fallback of what it loads' in found


def test_errors_that_speak_of_waiting_are_reported_and_those_that_are_left_to_browsers_are_not(
    make_site: MakeSite,
) -> None:
    code = FAILING.replace("NAME", "Sus").replace('  console.log("once");\n', "")
    left = code.replace(
        "new Error(`bad ${at}`)", 'Object.assign(new Error("x"), { digest: "BAILOUT_TO_CLIENT_SIDE_RENDERING" })'
    )
    files = {
        "components/Sus.tsx": code,
        "components/Left.tsx": f'{left.replace("function Sus(", "function Left(")}export const client = "load";\n',
        "docs/a.md": page("A", '<Sus at="and suspended">Inner.</Sus>\n\n<Left at="x">Inner.</Left>\n'),
    }
    site = make_site(files | HOME, "[diagnostics]\ncomponent = 'warn'\n")
    found = site.check()
    assert len(found) == 1, found
    assert 'The component "Sus" fails: bad and suspended.' in found[0]
    assert "<i>wait</i>" in site.html("/a")


def test_component_with_suspense_prints_once(make_site: MakeSite) -> None:
    code = FAILING.replace("NAME", "Sus")
    files = {"components/Sus.tsx": code, "docs/a.md": page("A", '<Sus at="">Inner.</Sus>\n')}
    [found] = make_site(files | HOME).check()
    assert 'The component "Sus" prints: once. ' in found


def misplaced(problems: list[Diagnostic]) -> list[str]:
    return [one.message for one in problems if "which HTML does not allow" in one.message]


def test_element_that_browsers_put_elsewhere_is_a_finding_where_the_component_is_hydrated(make_site: MakeSite) -> None:
    code = "export default function NAME({ children }) {\n  return <p>{children}</p>;\n}\n"
    files = {
        "components/Still.tsx": code.replace("NAME", "Still"),
        "components/Live.tsx": 'export const client = "idle";\n' + code.replace("NAME", "Live"),
        "components/Rows.tsx": 'export const client = "load";\nexport default () => <table><tr><td>1</td></tr></table>;\n',
        "docs/a.md": page(
            "A", "<Still>\n\nOne.\n\n</Still>\n\n<Live>\n\nTwo.\n\n</Live>\n\nA <Live>line</Live>.\n\n<Rows />\n"
        ),
    }
    site = make_site(files | HOME)
    problems = site.build().diagnostics
    assert [(one.span.path, one.span.line) for one in problems] == [
        ("components/Live.tsx", 2),
        ("components/Rows.tsx", 2),
    ]
    assert misplaced(problems) == [
        'The component "Live" shows <div> within <p>, which HTML does not allow: browsers put it elsewhere, and React draws it anew.',
        'The component "Rows" shows <tr> within <table>, which HTML does not allow: browsers put it elsewhere, and React draws it anew.',
    ]
