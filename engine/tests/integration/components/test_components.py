"""Components of authors in React, in published sites: compiled, drawn, published, and bounded."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from octavo.cli.main import octavo
from octavo.components.slots import SLOT_PROPS
from tests.support import paths
from tests.support.npm import find_program
from tests.support.sites import HOME, MakeSite, page

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
