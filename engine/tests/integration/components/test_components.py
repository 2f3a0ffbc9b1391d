"""Components of authors in React, in published sites: compiled, drawn, published, and bounded."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from octavo.cli.main import octavo
from octavo.components import load_components, site_components
from octavo.components.process import ComponentProcess
from octavo.components.slots import SLOT_PROPS
from octavo.config import Config
from octavo.diagnostics import Span
from octavo.publish.build import build_site
from octavo.rendering import Use
from octavo.runtime import Cache
from tests.support import paths
from tests.support.npm import find_program
from tests.support.sites import HOME, MakeSite, page
from tests.support.waiting import wait_for

CHART = """
import { useState, type ReactNode } from "react";
import { withBase } from "octavo";
import { sum } from "./lib/sum";
import units from "./units.json";
import "./chart.css";

interface Props { label: string; values: number[]; big?: boolean; children?: ReactNode }

export const client = "visible";

export default function Chart({ label, values, big, children }: Props) {
  const [clicks, setClicks] = useState<number>(0);
  return (
    <figure className="chart">
      <a href={withBase("/a")}>{label}</a>
      <b>{sum(values)} {units.money} {big ? "big" : "small"}</b>
      <button onClick={() => setClicks(clicks + 1)}>{clicks}</button>
      {children}
    </figure>
  );
}
"""
CHIP = "export default function Chip({ tone, children }) { return <b className={tone}>{children}</b>; }\n"
FILES = {
    "components/Chart.tsx": CHART,
    "components/Chip.jsx": CHIP,
    "components/lib/sum.ts": "export const sum = (all: number[]): number => all.reduce((a, b) => a + b, 0);\n",
    "components/units.json": '{"money": "k€ </script>"}',
    "components/chart.css": ".chart { color: teal }\n",
    "docs/a.md": page(
        "A",
        'Word <Chip tone="red">with *style*</Chip>.\n\n<Chart label="Sales" values={[1, 2.5]} big>\n\nOf [B](./b.md).\n\n</Chart>\n',
    ),
    "docs/b.md": page("B", "Nothing."),
    **HOME,
}


def test_component_is_drawn_where_a_page_uses_it(make_site: MakeSite) -> None:
    own = {
        "components/chart.css": ".chart { background: url(/img/x.svg), url('/base/img/x.svg'), url(https://a.example/b) }\n",
        "static/img/x.svg": "<svg/>",
    }
    site = make_site(FILES | own, 'base_url = "/base/"\n')
    assert site.check() == []
    [sheet] = [content.decode() for name, content in site.published().items() if "chart-" in name and ".css" in name]
    assert "url(/base/img/x.svg), url('/base/img/x.svg')" in sheet
    assert "img-src 'self' data: https://a.example;" in site.manifest().content_policy
    text = re.sub("<!-- -->", "", site.html("/a"))
    assert '<p>Word <b class="red">with <em>style</em></b>.</p>' in text
    assert '<a href="/base/a">Sales</a><b>3.5 k€ &lt;/script&gt; big</b><button>0</button>' in text
    # The content between the tags is Markdown of the page: its links are resolved.
    assert '<p>Of <a href="/base/b">B</a>.</p>' in text
    assert "Of [B]" in (site.out / "a.md").read_text(encoding="utf-8")


def test_uses_that_are_alike_are_drawn_once(make_site: MakeSite) -> None:
    code = "let drawn = 0;\nexport default function Count({ of, children }: { of: string; children?: any }) {\n"
    files = {
        "components/Count.tsx": f"{code}  drawn += 1;\n  return <b>{{of}} {{drawn}} {{children}}</b>;\n}}\n",
        "docs/a.md": page("A", '<Count of="x">first</Count> <Count of="x">second</Count> <Count of="y"/>'),
        "docs/b.md": page("B", '<Count of="x">third</Count> <Count of={3}/>'),
    }
    site = make_site(files | HOME)
    [finding] = site.check()
    assert finding.startswith("docs/b.md:")
    assert '"of" of <Count> is the number 3' in finding
    assert site.build().is_published
    found = [re.findall(r"<b>(.*?)</b>", re.sub("<!-- -->", "", site.html(route))) for route in ("/a", "/b")]
    assert found[0][0].startswith("x 1 ")
    assert [found[0][0].removesuffix("first"), found[1][0].removesuffix("third")] == [
        found[0][1].removesuffix("second")
    ] * 2


def test_links_of_a_component_have_their_place_in_its_file(make_site: MakeSite) -> None:
    code = """import { withBase } from "octavo";
import { more } from "./lib/more";
export default function Links() {
  return <p><a href="/base/gone">x</a> <img src={withBase("/no.png")} alt="y" /> <a href={more}>z</a></p>;
}
"""
    files = {
        "components/Links.tsx": code,
        "components/lib/more.ts": "export const more = '#nowhere';\n",
        "docs/a.md": page("A", "<Links/>"),
        "docs/b.md": page("B", "<Links/>"),
    }
    site = make_site(files | HOME, 'base_url = "/base/"\n')
    assert [re.sub(r"(, shown on).*", r"\1", finding) for finding in site.check()] == [
        'components/Links.tsx:4:22: error: link "/base/gone", shown on',
        'components/Links.tsx:4:60: error: link "/base/no.png", shown on',
        'components/lib/more.ts:1:22: warn: link "#nowhere", shown on',
    ]


def test_time_that_changes_nothing_of_what_is_shown_is_no_finding(make_site: MakeSite) -> None:
    code = {
        "Age": 'export const client = "load";\nexport default () => <b>{Date.now() > 5 && "old"}</b>;\n',
        "Fixed": 'export const client = "load";\nexport default () => <b>{new Date(86400000).toISOString()}</b>;\n',
        "Kind": "export default () => <b>{String(new Date(0).constructor === Date)}</b>;\n",
        "Year": "export default () => <b>{new Date().getFullYear() > 2000 ? Date().length > 9 : new Date() instanceof Date}</b>;\n",
        "Effect": 'import { useEffect, useState } from "react";\nexport const client = "load";\n'
        "export default () => {\n  const [at, setAt] = useState(0);\n  useEffect(() => setAt(Date.now()), []);\n"
        "  return <b>{at}</b>;\n};\n",
    }
    files = {f"components/{name}.tsx": text for name, text in code.items()}
    site = make_site(files | {"docs/a.md": page("A", "<Age/>\n\n<Kind/>\n\n<Fixed/>\n\n<Year/>\n\n<Effect/>")} | HOME)
    assert site.check() == []
    assert "<b>1970-01-02T00:00:00.000Z</b>" in site.html("/a")
    assert "<b>true</b>" in site.html("/a")


WEB_APIS = {
    "new URL('../b?x=1', 'https://exämple.org/a/c').href": "https://xn--exmple-cua.org/b?x=1",
    "new URLSearchParams({ q: 'a b' }).toString()": "q=a+b",
    "new TextEncoder().encode('ä').join()": "195,164",
    "new TextDecoder().decode(new Uint8Array([195, 164]))": "ä",
    "atob(btoa('abc'))": "abc",
    "structuredClone(new Map([['a', [1]]])).get('a')[0]": "1",
}


def test_functions_that_browsers_and_servers_share_are_there_at_build(make_site: MakeSite) -> None:
    code = "".join(f"<dd>{{String({call})}}</dd>" for call in WEB_APIS)
    files = {
        "components/Plain.tsx": "export default () => <i>plain</i>;\n",
        "components/Calls.tsx": f"export default () => <dl>{code}</dl>;\n",
        "components/Breaks.tsx": "export default () => <b>{(URL.prototype as any).toString = () => 'x'}</b>;\n",
        "docs/a.md": page("A", "<Plain/>\n\n<Breaks/>\n\n<Calls/>"),
    }
    site = make_site(files | HOME, "[diagnostics]\ncomponent = 'warn'\n")
    [finding] = site.check()
    assert "it changes URL.prototype.toString, which all components share" in finding
    assert site.build().is_published
    assert re.findall(r"<dd>(.*?)</dd>", site.html("/a")) == list(WEB_APIS.values())
    assert "<i>plain</i>" in site.html("/a")


def test_content_that_a_component_never_shows_is_a_finding(make_site: MakeSite) -> None:
    files = {
        "components/Rule.tsx": "export default function Rule() { return <hr />; }\n",
        "components/Later.jsx": "export const client = 'load';\nexport default function Later() { return <hr />; }\n",
        "slots/admonition.tsx": "export const contract = 1;\nexport default function A({ title }) { return <b>{title}</b>; }\n",
        "slots/code-block.tsx": "export const contract = 1;\nexport default function C({ code }) { return <pre>{code}</pre>; }\n",
        "docs/a.md": page(
            "A",
            "<Rule/>\n\n<Rule>\n\nLost words.\n\n</Rule>\n\n<Later>\n\nHidden.\n\n</Later>\n\n:::note[Read]\n\nLost too.\n\n:::\n\n```\nx\n```",
        ),
    }
    found = make_site(files | HOME).check()
    assert [finding.partition(":")[2].partition(" warn: ")[2].partition(",")[0] for finding in found] == [
        "<Rule> does not show what it is given as content here",
        'The slot "admonition" does not show what it is given as content here',
    ]


def test_live_component_is_published_under_names_with_hashes(make_site: MakeSite) -> None:
    site = make_site(FILES)
    site.build()
    found = re.search(r'<div class="island" data-island="component"[^>]*>', site.html("/a"))
    assert found is not None
    attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', found[0]))
    assert attributes["data-client"] == "visible"
    assert json.loads(html.unescape(attributes["data-props"])) == {"label": "Sales", "values": [1, 2.5], "big": True}
    files = site.manifest().files
    assert attributes["data-module"].lstrip("/") in files
    module = (site.out / attributes["data-module"].lstrip("/")).read_text(encoding="utf-8")
    for needed in re.findall(r'from "\./([^"]+)"', module):
        assert f"_octavo/components/{needed}" in files
    sheet = re.search(r'<link rel="stylesheet" href="/(_octavo/components/[^"]+\.css)">', site.html("/a"))
    assert sheet is not None
    assert sheet[1] in files
    # A component that is only drawn is not sent to browsers, and neither is React a second time.
    assert not [name for name in files if "Chip" in name]
    assert not [
        name for name in files if name.startswith("_octavo/components/") and (site.out / name).stat().st_size > 9000
    ]
    assert "unsafe" not in site.manifest().content_policy


def test_changed_component_draws_only_the_pages_that_use_it(make_site: MakeSite) -> None:
    site = make_site(FILES)
    site.build()
    assert site.build().drawn == 0
    for path, text in (
        ("components/Chip.jsx", CHIP.replace("<b", "<i").replace("</b", "</i")),
        ("components/lib/sum.ts", "export const sum = (all: number[]) => all.length;\n"),
        ("components/units.json", '{"money": "EUR"}'),
        ("components/chart.css", ".chart { color: red }\n"),
    ):
        site.write({path: text})
        assert site.build().drawn == 1, path
    text = re.sub("<!-- -->", "", site.html("/a"))
    assert '<i class="red">' in text
    assert "<b>2 EUR big</b>" in text
    assert site.build().drawn == 0


BROKEN: dict[str, tuple[str, str]] = {
    "syntax": (
        "export default function Bad() {\n  return <p>{;}</p>;\n}\n",
        "2:18: error: It cannot be compiled: Unterminated regular expression.",
    ),
    "declared twice": (
        "let a = 1;\nlet a = 2;\nexport default () => null;\n",
        "2:5: error: It cannot be compiled: Identifier 'a' has already been declared.",
    ),
    "no component": (
        "export const Bad = 1;\n",
        "1:1: error: This file has no default export that is a component. Write: export default function Name(props) {…}.",
    ),
    "time of life": (
        'export const client = "now";\n\nexport default () => null;\n',
        '1:23: error: "now" is no time at which a component comes alive. Write export const client = one of "load", "visible", "idle", "none".',
    ),
    "fails as a module": (
        "const table = null;\n\nexport default () => table.rows;\ntable.sort();\n",
        "4:7: error: The module fails: Cannot read properties of null (reading 'sort').",
    ),
    "fails when drawn": (
        "export default function Bad({ rows }: { rows: string[] }) {\n  const first = (all: string[]): string =>\n    all[0].trim();\n  return <p>{first(rows)}</p>;\n}\n",
        "3:8: error: The component \"Bad\" fails: Cannot read properties of undefined (reading '0'). It is used at docs/a.md:5:1.",
    ),
    "browser": (
        "export default function Bad() {\n  return <p>{window.innerWidth}</p>;\n}\n",
        '2:13: error: The component "Bad" fails: window is not defined. It is used at docs/a.md:5:1. This exists in browsers only: use it in an effect or in a handler of events.',
    ),
    "package": (
        'import { scaleLinear } from "d3-scale";\nexport default () => <p>{scaleLinear()}</p>;\n',
        '1:30: error: The package "d3-scale" cannot be imported: there is no copy of it in "components/vendor". Copy it: `octavo bundle d3-scale`, which needs Node, or',
    ),
    "missing file": (
        'import { a } from "./nowhere";\nexport default () => <p>{a}</p>;\n',
        '1:20: error: "./nowhere" is not a file of the site that a component can import.',
    ),
    "file outside": (
        'import { a } from "../../outside";\nexport default () => <p>{a}</p>;\n',
        '1:20: error: "../../outside" is not a file of the site that a component can import.',
    ),
    "no value of data": (
        'import a from "./none.json";\nexport default () => <p>{a}</p>;\n',
        "1:1: error: It is not valid JSON: NaN is no value.",
    ),
    "deep data": (
        'import a from "./deep.json";\nexport default () => <p>{a}</p>;\n',
        "1:1: error: Its lists and objects are too many within each other.",
    ),
    "data": ('import a from "./data.json";\nexport default () => <p>{a}</p>;\n', "2:1: error: It is not valid JSON: "),
    "style sheet": (
        'import "./bad.css";\nexport default ({ children }) => children;\n',
        '2:5: warn: "colour" is no property that is known; browsers drop the declaration. Did you mean "color"? [style-sheet]',
    ),
    "address of a style sheet": (
        'import "./relative.css";\nexport default () => null;\n',
        "1:17: error: The style sheet of a component is published elsewhere, so an address relative to it leads nowhere.",
    ),
    "missing file of a style sheet": (
        'import "./missing.css";\nexport default ({ children }) => children;\n',
        '1:17: error: "/x.png" is no file in the folder "static". [broken-asset]',
    ),
    "random number": (
        'export const client = "load";\nexport default function Bad() {\n  return <p>{Math.random()}</p>;\n}\n',
        '3:19: warn: The component "Bad" shows the time or a random number, so browsers draw something else than the build did, and React draws it anew. Set it in an effect',
    ),
    "time": (
        'export const client = "visible";\nconst day = (at: Date) => at.toISOString();\n\nexport default () => <p>{day(new Date())}</p>;\n',
        '4:30: warn: The component "Bad" shows the time or a random number',
    ),
    "elements crossed": (
        "export default function Bad({ children }) {\n  return (\n    <b>\n      {children}</i>\n  );\n}\n",
        '4:17: error: It cannot be compiled: "</i>" closes "<b>": the names differ.',
    ),
    "reader without a browser": (
        "export default function Bad({ children }) {\n  return <button onClick={() => 1}>{children}</button>;\n}\n",
        "2:18: warn: This asks for a reader's browser, but the component is not hydrated there: nothing happens. Write export const client",
    ),
    "state without a browser": (
        'import { useState } from "react";\nexport default ({ children }) => {\n  useState<number>(0);\n  return children;\n};\n',
        "3:3: warn: This asks for a reader's browser",
    ),
    "left out of React": (
        'export const client = "load";\nexport default () => <my-element />;\n',
        "2:22: warn: In the browser this does not work: the published copy of React is without custom elements.",
    ),
}


def test_file_with_a_small_letter_is_a_finding_unless_a_component_imports_it(make_site: MakeSite) -> None:
    site = make_site(
        {
            "components/chart.tsx": "export default () => <b>x</b>;\n",
            "components/Fine.tsx": 'import "./lib";\nexport default () => null;\n',
            "components/lib.tsx": "",
            **HOME,
        }
    )
    assert [one.partition(" Rename")[0] for one in site.check()] == [
        'components/chart.tsx:1:1: warn: No page can use this file: the name of a component begins with a capital, and "chart" does not.'
    ]


def test_mistakes_have_a_place_in_the_file(make_site: MakeSite) -> None:
    names = {case: f"Bad{number}" for number, case in enumerate(BROKEN)}
    uses = "\n\n".join(f"<{name}>\n\nInner {name}.\n\n</{name}>" for name in names.values())
    site = make_site(
        {
            **{f"components/{name}.tsx": BROKEN[case][0] for case, name in names.items()},
            "components/data.json": "{\n]",
            "components/bad.css": "a {\n    colour: red }",
            "components/relative.css": "a { background: url(x.png) } /* url(y.png) */",
            "components/missing.css": "a { background: url(/x.png) }",
            "components/none.json": "[NaN]",
            "components/deep.json": "[" * 100_000 + "]" * 100_000,
            # Meant to stay as it is.
            "components/Still.tsx": 'export const client = "none";\nexport default () => <b onClick={() => 1}>s</b>;\n',
            "components/helper.tsx": "export const b = 1;\n",
            "components/Helped.tsx": 'import { b } from "./helper";\nexport default () => <b>{b}</b>;\n',
            # An element that is only a part of a text is no finding.
            "components/Fine.tsx": 'export const client = "load";\nexport default () => <p>{"<link rel"}</p>;\n',
            "docs/a.md": f"# A\n\n{uses}\n\n<Fine />\n",
            **HOME,
        },
        "[diagnostics]\ncomponent = 'warn'\ncomponent_import = 'warn'\nbroken_assets = 'warn'\n",
    )
    found = site.check()
    for case, name in names.items():
        file = {
            "data": "components/data.json",
            "style sheet": "components/bad.css",
            "address of a style sheet": "components/relative.css",
            "missing file of a style sheet": "components/missing.css",
            "no value of data": "components/none.json",
            "deep data": "components/deep.json",
        }.get(case, f"components/{name}.tsx")
        own = [one for one in found if one.startswith(f"{file}:")]
        assert len(own) == 1, (case, own)
        expected = BROKEN[case][1].replace("error:", "warn:").replace('"Bad"', f'"{name}"').replace(":5:1", "")
        assert re.sub(r"(docs/a.md):\d+:1", r"\1", own[0]).startswith(f"{file}:{expected}"), own
        kinds = ("component", "style-sheet", "broken-asset")
        assert own[0].rpartition("[")[2].startswith(kinds)
        # In the place of what cannot be drawn, readers see the content between the tags.
        assert f"Inner {name}." in site.html("/a") or case == "left out of React"
    assert len(found) == len(BROKEN)
    # The findings are there again when the page is taken over.
    again = site.build()
    assert (again.drawn, len(again.diagnostics)) == (0, len(BROKEN))


TYPED = """import type { ReactNode } from "react";
/** One. */
interface Props {
  label: string;
  values: readonly number[]; // of a year
  tone?: "calm" | "loud";
  rows?: Row[];
  onPick?: (row: Row) => void;
  children: ReactNode;
}
interface Row { name: string }
export default function Typed({ label, values = [], tone, children }: Props) {
  return <b className={tone}>{label}{values.length}{children}</b>;
}
"""


def test_values_are_checked_by_the_types_in_the_file(make_site: MakeSite) -> None:
    uses = [
        '<Typed label="a" values={[1]} tone="calm" rows={[{"name": 1}]}>x</Typed>',
        "<Typed label={1} values={[1, '2']} tnoe='calm'>x</Typed>",
        "Word <Typed values={[]} tone='shy' />.",
    ]
    site = make_site({"components/Typed.tsx": TYPED, "docs/a.md": page("A", "\n\n".join(uses)), **HOME})
    file = "components/Typed.tsx"
    hint = "Change the value in the page, or the type in the component. [component-props]"
    line = (site.root / "docs/a.md").read_text(encoding="utf-8").splitlines().index(uses[1]) + 1
    assert site.check() == [
        (
            f'docs/a.md:{line}:1: warn: "label" of <Typed> is the number 1, and must be string ({file}:4:3). "values" of <Typed> is '
            f'the list [1, "2"], and must be readonly number[] ({file}:5:3). <Typed> has no property "tnoe". '
            f'Did you mean "tone"? {hint}'
        ),
        (
            f'docs/a.md:{line + 2}:6: warn: <Typed> needs "label", which is string ({file}:4:3). "tone" of <Typed> is the text "shy", '
            f'and must be "calm" | "loud" ({file}:6:3). {hint}'
        ),
    ]
    # The page is drawn all the same, and the types count when the page is taken over.
    assert '<b class="shy">0</b>' in site.html("/a")
    site.write({file: TYPED.replace("label: string", "label?: any").replace(' | "loud"', ' | "loud" | "shy"')})
    assert len(site.check()) == 1


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


def _hosts() -> list[str]:
    """List the processes of components that this process has started."""
    return [
        child
        for task in Path("/proc/self/task").iterdir()
        for child in (task / "children").read_text(encoding="ascii").split()
        if b"component_host" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


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


def test_values_are_checked_by_the_types_in_other_files(make_site: MakeSite) -> None:
    files = {
        "components/Own.tsx": "import type { Props } from './lib/types';\nexport default ({ a }: Props) => <b>{a}</b>;\n",
        "components/lib/types.ts": "import type { A } from './a';\nexport interface Props { a: A }\n",
        "components/lib/a.ts": "export type A = string;\n",
        "components/Plot.tsx": "export { Plot as default } from '@acme/plots';\n",
        "components/vendor/@acme/plots.js": "exports.Plot = ({ rows }) => rows.length;\n",
        "components/vendor/@acme/plots.d.ts": "export declare function Plot(props: { rows: number[] }): any;\n",
        "docs/a.md": page("A", "<Own a={1}/>\n\n<Plot rows='1'/>"),
    }
    site = make_site(files | HOME)
    own, plot = site.check()
    assert '"a" of <Own> is the number 1, and must be string (components/lib/types.ts:2:26).' in own
    assert "must be number[] (components/vendor/@acme/plots.d.ts:1:39)." in plot
    # A file of which only types are read is no part of what browsers load, but of what pages depend on.
    assert not [name for name in site.published() if "types" in name]
    site.write({"components/lib/a.ts": "export type A = number;\n"})
    [left] = site.check()
    assert "<Plot>" in left


def test_name_that_is_no_component_is_still_a_finding(make_site: MakeSite) -> None:
    site = make_site({**FILES, "docs/a.mdx": page("A2", "<Chrat/>", slug="/a2")})
    assert any('There is no component "Chrat". Did you mean "<Chart>"?' in one for one in site.check())


def test_examples_of_the_documentation_are_drawn(make_site: MakeSite) -> None:
    guide = (paths.REPOSITORY / "docs/components.md").read_text(encoding="utf-8")
    files = dict(re.findall(r'```\w+ title="([^"]+)"\n(.*?)```', guide, re.DOTALL))
    assert files.keys() == {
        "components/Release.tsx",
        "components/Panels.tsx",
        "components/Panel.tsx",
        "docs/changes.md",
        "docs/winds.md",
        "slots/footer.tsx",
        "slots/layout.tsx",
    }
    own = {
        path.relative_to(paths.REPOSITORY / "docs").as_posix(): path.read_text(encoding="utf-8")
        for path in (paths.REPOSITORY / "docs/components").rglob("*.*")
    }
    use = re.search(r"^<Contrast.*?</Contrast>", guide, re.DOTALL | re.MULTILINE)
    assert use is not None
    files["slots/layout.css"] = ".desk { display: grid }"
    site = make_site({**files, **own, "docs/settings.md": page("Settings"), "docs/b.md": page("B", use[0]), **HOME})
    assert site.check() == []
    assert "<em>Breaking change</em>" in site.html("/changes")
    assert "Ask us" in site.html("/changes")
    assert '<button>Sea</button><button>Land</button><section aria-label="Sea">' in site.html("/winds")
    assert '<div class="desk"><aside><header class="top-bar top-bar-placed">' in site.html("/changes")
    assert "5.48<!-- -->:1, <!-- -->readable" in site.html("/b")


SLOT = """
import type { SlotProps } from "octavo";
export const contract = 1;
export default function Slot({ page, site, children }: SlotProps["footer"]) {
  return <div className="own">{page.title} of {site.title}: {children}</div>;
}
"""


def test_slots_are_shown_in_their_places(make_site: MakeSite) -> None:
    places = ("top-bar-end", "sidebar-top", "sidebar-bottom", "article-top", "article-bottom", "contents-bottom")
    plain = "export const contract = 1;\nexport default (props) => <i data-keys={Object.keys(props).join()}>{props.%s}{props.children}</i>;\n"
    site = make_site(
        {
            **{f"slots/{name}.tsx": SLOT for name in (*places, "footer", "not-found")},
            "slots/admonition.jsx": plain % "title",
            "slots/code-block.jsx": plain % "language",
            "slots/card.jsx": plain % "href",
            "docs/a.md": '# A\n\n## Part\n\n:::tip[Take *care*]\n\nInner [B](./b.md).\n\n:::\n\n```python\nprint(1)\n```\n\n<DocCard href="./b.md" label="To B" />\n',
            "docs/b.md": page("B"),
            **HOME,
        },
        "base_url = '/base/'\n",
    )
    assert site.check() == []
    html_ = re.sub("<!-- -->", "", site.html("/a"))
    for place in places:
        assert f'<div class="slot slot-{place}"><div class="own">A of Site: </div></div>' in html_, place
    # The footer's component gets what it replaces.
    assert '<div class="slot slot-footer"><div class="own">A of Site: <div class="footer-inner">' in html_
    assert html_.count('class="footer-inner"') == 1
    assert '<i data-keys="kind,title,children">Take care<p>Inner <a href="/base/b">B</a>.</p></i>' in html_
    assert '<i data-keys="language,code,children">python<figure class="code"' in html_
    assert '<i data-keys="href,title,description,children">/base/b<ul class="card-list">' in html_
    assert '<div class="slot slot-not-found"><div class="own">Page Not Found of Site: </div></div>' in (
        site.out / "404.html"
    ).read_text(encoding="utf-8").replace("<!-- -->", "")
    # A reader who comes from another page gets them with the data; in the page itself they are not sent twice.
    assert site.payload("/a")["slots"]["footer"].count("footer-inner") == 1
    inside = re.search(r'<script type="application/json" id="octavo-page">(.*?)</script>', site.html("/a"))
    assert inside is not None
    assert set(json.loads(inside[1])["slots"].values()) == {""}
    # A change of one is drawn on all pages; nothing else is.
    assert site.build().drawn == 0
    site.write({"slots/footer.tsx": SLOT.replace("own", "new")})
    assert site.build().drawn == 3


LAYOUT = """import "./layout.css";
export const contract = 1;
export default function Layout({ page, site, announcements, topBar, sidebar, main, footer }) {
  return <div className="own"><h2>{site.title}</h2>{footer}{sidebar ?? "no sidebar"}{main}{topBar}{announcements}</div>;
}
"""


def test_layout_arranges_the_parts_of_all_pages(make_site: MakeSite) -> None:
    site = make_site(
        {
            "slots/layout.tsx": LAYOUT,
            "slots/layout.css": ".own { display: grid }\n",
            "slots/search-empty.tsx": SLOT,
            "docs/a.md": page("A"),
            "pages/bare.md": page("Bare", layout="blank"),
            **HOME,
        },
        "base_url = '/base/'\n",
    )
    assert site.check() == []
    text = site.html("/a")
    inside = text[text.index('<div class="own">') :]
    marks = (
        '<h2>Site</h2><footer class="footer">',
        '<nav class="sidebar"',
        '<main id="main"',
        '<header class="top-bar top-bar-placed">',
    )
    assert sorted(inside.index(mark) for mark in marks) == [inside.index(mark) for mark in marks]
    assert text.count('<main id="main"') == 1
    assert 'class="frame' not in text
    assert '</footer>no sidebar<main id="main"' in site.html("/").replace("<!-- -->", "")
    assert "\0" not in text
    # Browsers draw it again, and find its module and its style sheet.
    for data in (
        site.payload("/a"),
        json.loads(html.unescape(re.findall(r'id="octavo-page">(.*?)</script>', text)[0])),
    ):
        files = json.loads(data["slots"]["layout"])
        for address in (files["module"], *re.findall(r'href="([^"]+)"', files["styles"])):
            assert address.removeprefix("/base/") in site.manifest().files
    assert files["styles"].startswith('<link rel="stylesheet" href="/base/_octavo/components/slots-layout-')
    assert f"<div>{files['styles']}</div>" in text
    # A page without a frame does not show it, but leads to pages that do.
    assert 'class="own"><h2>' not in site.html("/bare")
    assert "layout" in site.payload("/bare")["slots"]
    assert '<template id="search-empty"><div class="own">A of Site: </div></template>' in text.replace("<!-- -->", "")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (LAYOUT.replace("{main}", ""), "3:1: error: The layout does not show `main`, the text of the page. Until then"),
        (
            'import { useId } from "react";\n' + LAYOUT.replace("<h2>", "<h2 id={useId()}>"),
            "4:1: error: A layout cannot use `useId`: its ids are not those of the browser. Until then",
        ),
        (LAYOUT.replace("site.title", "site.none.title"), '4:46: error: The slot "layout" fails: Cannot read'),
    ],
)
def test_layout_that_cannot_be_shown_leaves_that_of_the_theme(make_site: MakeSite, code: str, said: str) -> None:
    site = make_site(
        {"slots/layout.tsx": code, "slots/layout.css": "", "docs/a.md": page("A"), **HOME},
        '[diagnostics]\nslot = "warn"\ncomponent = "warn"\n',
    )
    found = site.check()
    assert len(found) == 1
    assert found[0].startswith(f"slots/layout.tsx:{said.replace('error:', 'warn:')}")
    assert '<div class="frame frame-doc">' in site.html("/a")
    assert "slots" not in site.payload("/a")


def test_slots_for_another_version_or_place_are_findings(make_site: MakeSite) -> None:
    site = make_site(
        {
            "slots/footr.tsx": SLOT,
            "slots/footer.tsx": SLOT.replace("contract = 1", "contract = 0"),
            "slots/sidebar-top.tsx": SLOT.replace("contract = 1", "contract = 9"),
            "slots/article-top.tsx": SLOT.replace("export const contract = 1;", ""),
            "slots/article-bottom.tsx": SLOT.replace("return ", "return nothing() || "),
            "docs/a.md": page("A"),
            **HOME,
        },
        '[diagnostics]\ncomponent = "warn"\nslot = "warn"\n',
    )
    found = sorted(one.replace("error:", "warn:") for one in site.check())
    assert [one[: one.index("warn:")] for one in found] == [
        "slots/article-bottom.tsx:5:3: ",
        "slots/article-top.tsx:1:1: ",
        "slots/footer.tsx:3:25: ",
        "slots/footr.tsx:1:1: ",
        "slots/sidebar-top.tsx:3:25: ",
    ]
    assert "does not say which version" in found[1]
    assert "for version 0 of its contract; this Octavo has version 1: since 1, " in found[2]
    assert 'Did you mean "footer"?' in found[3]
    assert "for version 9 of its contract; this Octavo has version 1." in found[4]


def test_site_without_components_is_published_as_before(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A"), **HOME})
    site.build()
    assert "slots" not in site.payload("/a")
    assert not [name for name in site.manifest().files if "components" in name]


def test_site_without_components_loads_nothing_of_them(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A"), **HOME})
    code = (
        "import sys\nfrom pathlib import Path\nfrom octavo.publish.build import build_site\n"
        "build_site(Path(sys.argv[1]), None)\nprint([one for one in sys.modules if one.startswith('octavo.component')])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(site.root)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_compiler_of_typescript_takes_what_the_documentation_shows(tmp_path: Path) -> None:
    """By the declarations of `octavo types`, as an editor checks components and slots, and the types of React."""
    (tmp_path / "octavo.toml").write_text('title = "Site"\n', "utf-8")
    result = CliRunner().invoke(octavo, ["types", str(tmp_path)])
    assert result.exit_code == 0, result.output
    shown = (paths.REPOSITORY / "docs" / "components.md").read_text("utf-8")
    files = dict(re.findall(r'```tsx title="([^"]+)"\n(.*?)```', shown, re.DOTALL))
    assert {"components/Release.tsx", "slots/footer.tsx", "slots/layout.tsx"} <= files.keys()
    for name in SLOT_PROPS:
        # Each slot takes its own properties and no other.
        files.setdefault(
            f"slots/{name}.tsx",
            'import { useColorMode, withBase, type SlotProps } from "octavo";\n'
            f'export default (props: SlotProps["{name}"]) => <b id={{withBase(useColorMode())}}>{{props.none}}</b>;\n',
        )
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    modules = paths.ENGINE / "theme" / "node_modules"
    types = modules / "@types" / "react"
    options = {
        "strict": True,
        "noEmit": True,
        "jsx": "react-jsx",
        "module": "esnext",
        "moduleResolution": "bundler",
        "target": "es2022",
        "typeRoots": [str(modules / "@types")],
        "types": ["react"],
        "paths": {"react": [str(types)], "react/jsx-runtime": [str(types / "jsx-runtime")]},
    }
    wanted = {"compilerOptions": options, "include": ["*.d.ts", "slots", "components"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(wanted), "utf-8")
    found = subprocess.run(
        [find_program("node"), str(modules / "typescript/bin/tsc"), "-p", str(tmp_path)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    said = sorted(
        re.findall(r"^slots/([a-z-]+)\.tsx\(2,\d+\): error TS2339: Property 'none'", found.stdout, re.MULTILINE)
    )
    assert said == sorted(set(SLOT_PROPS) - {"footer", "layout"}), found.stdout
    assert found.stdout.count("error TS") == len(said), found.stdout


def test_declarations_name_every_slot(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": page("A"), **HOME})
    run = CliRunner()
    assert run.invoke(octavo, ["types", str(site.root), "--check"]).exit_code == 1
    assert run.invoke(octavo, ["types", str(site.root)]).exit_code == 0
    assert run.invoke(octavo, ["types", str(site.root), "--check"]).exit_code == 0
    text = (site.root / "octavo.d.ts").read_text(encoding="utf-8")
    for name in SLOT_PROPS:
        assert f'"{name}": ' in text
    guide = (paths.REPOSITORY / "docs/components.md").read_text(encoding="utf-8")
    for name in SLOT_PROPS:
        assert f"`{name}`" in guide
    # Adding is fine; what goes or changes its type raises the version of the contract.
    kept = Path(__file__).with_name("slots_contract_1.d.ts")
    assert kept.read_text(encoding="utf-8") == text
