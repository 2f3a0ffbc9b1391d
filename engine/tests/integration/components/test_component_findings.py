"""Mistakes in components and in their uses are findings with their place."""

from __future__ import annotations

import re

from tests.support.sites import HOME, MakeSite, page

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
        "export const bad = 1;\n",
        "1:1: error: This file has no default export that is a component. Write: export default function Name(props) {…}.",
    ),
    "time of life": (
        'export const client = "now";\n\nexport default () => null;\n',
        '1:23: error: "now" is not a time at which a component comes alive. Write export const client = one of "load", "visible", "idle", "none".',
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
    "part of another engine": (
        'import Link from "@docusaurus/Link";\nexport default () => <Link to="/">x</Link>;\n',
        '1:19: error: "@docusaurus/Link" cannot be imported: it is a part of another engine. Use elements of HTML, such as',
    ),
    "name that nothing exports": (
        'import { kept, type Kind,\n  lost as found } from "./exports";\nexport default ({ children }) => <p>{kept}{found}{children}</p>;\n',
        '2:3: error: "./exports" exports no "lost", so it is undefined here. Did you mean "last"? [component-import]',
    ),
    "default that nothing exports": (
        'import all from "./exports";\nexport default ({ children }) => <p>{all}{children}</p>;\n',
        '1:18: error: "./exports" exports no "default", so it is undefined here. It exports: kept, last. [component-import]',
    ),
    "name that nothing exports, handed on": (
        'import { a } from "./handing";\nexport default ({ children }) => <p>{a}{children}</p>;\n',
        '1:21: error: "./exports" exports no "gone"',
    ),
    "style sheet with names": (
        'import styles from "./fine.css";\nexport default ({ children }) => <p className={styles.a}>{children}</p>;\n',
        '1:8: error: A style sheet gives no names: "styles" is an empty object, and its classes are undefined. Call the file "fine.module.css", or import it without',
    ),
    "decorator": (
        "const mark = (a) => a;\n@mark\nexport default class extends Object {}\n",
        "2:1: error: It cannot be compiled: Invalid or unexpected token. Decorators are not supported",
    ),
    "meta": (
        "export default () => <p>{import.meta.url}</p>;\n",
        "1:33: error: It cannot be compiled: Cannot use 'import.meta' outside a module. Only bundlers give it a meaning",
    ),
    "React without an import": (
        "export default () => <React.Fragment>x</React.Fragment>;\n",
        '1:23: error: The component "Bad" fails: React is not defined. It is used at docs/a.md:5:1. Write import React from "react" in this file.',
    ),
    "Node": (
        "const home = process.env.HOME;\nexport default () => <p>{home}</p>;\n",
        "1:14: error: The module fails: process is not defined. Neither the build nor a browser has `process`; only process.env.NODE_ENV is",
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
        "1:1: error: It is not valid JSON: NaN is not a value.",
    ),
    "deep data": (
        'import a from "./deep.json";\nexport default () => <p>{a}</p>;\n',
        "1:1: error: Its lists and objects are too many within each other.",
    ),
    "data": ('import a from "./data.json";\nexport default () => <p>{a}</p>;\n', "2:1: error: It is not valid JSON: "),
    "style sheet": (
        'import "./bad.css";\nexport default ({ children }) => children;\n',
        '2:5: warn: "colour" is not a property that is known; browsers drop the declaration. Did you mean "color"? [style-sheet]',
    ),
    "address of a style sheet": (
        'import "./relative.css";\nexport default () => null;\n',
        '1:17: error: "x.png" is not a file of the site that a style sheet of a component can load.',
    ),
    "missing file of a style sheet": (
        'import "./missing.css";\nexport default ({ children }) => children;\n',
        '1:17: error: "/x.png" is not a file in the folder "static". [broken-asset]',
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
    "prints": (
        "const show = (rows: number[]) => {\n  console.log('rows', rows, { a: 1 });\n};\nexport default function Bad({ children }) {\n  show([1, 2]);\n  console.warn(new Error('late.'));\n  return <div>{children}</div>;\n}\n",
        '2:11: warn: The component "Bad" prints: rows [1,2] {"a":1} | Error: late. Take console.log out of the component when it is finished.',
    ),
    "prints when it is loaded": (
        "const endless = { get self() { return endless } };\nconsole.error(endless, 1n, Symbol('s'), undefined);\nexport default ({ children }) => <div>{children}</div>;\n",
        "2:9: warn: The module prints: [object Object] 1 Symbol(s) undefined.",
    ),
    "second main part": (
        "export default ({ children }) => <main className='a'>{children}</main>;\n",
        '1:1: warn: The component "Bad" shows <main>, which every page has already: screen readers find two main parts. Write <div> or <section>.',
    ),
    "left out of React, and called in the browser": (
        'import { useActionState } from "react";\nexport const client = "load";\nexport default function Bad({ children }) {\n  const [state] = useActionState(() => 1, 0);\n  return <div>{state}{children}</div>;\n}\n',
        "1:10: error: In the browser this does not work: the published copy of React is without useActionState.",
    ),
    "left out of React, where nothing is hydrated": (
        'import { Activity } from "react";\nexport default ({ children }) => <Activity>{children}</Activity>;\n',
        "2:34: warn: In the browser this does not work: the published copy of React is without <Activity>.",
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
            "components/Graph.js": "export default () => <b>x</b>;\n",
            "components/Types.d.ts": "export type A = 1;\n",
            "components/Used.ts": "export const used = 1;\n",
            "components/Kinds.ts": "export type Kind = 1;\n",
            "components/Using.tsx": 'import { used } from "./Used";\nimport type { Kind } from "./Kinds";\nexport default () => <b>{used}</b>;\n',
            "slots/footer.js": "export const contract = 1;\nexport default () => <b>x</b>;\n",
            "slots/helper.js": "export const a = 1;\n",
            **HOME,
        }
    )
    assert [one.partition(" Rename")[0] for one in site.check()] == [
        "components/Graph.js:1:1: warn: No page can use this file: the name of a component's file ends in .tsx or .jsx.",
        'components/chart.tsx:1:1: warn: No page can use this file: the name of a component begins with a capital, and "chart" does not.',
        "slots/footer.js:1:1: warn: No page can use this file: the name of a component's file ends in .tsx or .jsx.",
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
            "components/fine.css": ".a { color: red }",
            "components/exports.ts": "export type Kind = 1;\nexport interface Of { a: 1 }\nexport const kept = 1;\nexport function last() {}\n",
            "components/handing.ts": 'export { kept as a, gone as b, Of } from "./exports";\nexport * from "./exports";\n',
            "components/none.json": "[NaN]",
            "components/deep.json": "[" * 100_000 + "]" * 100_000,
            # Meant to stay as it is.
            "components/Still.tsx": 'export const client = "none";\nexport default () => <b onClick={() => 1}>s</b>;\n',
            "components/helper.tsx": "export const b = 1;\n",
            "components/Helped.tsx": 'import { b } from "./helper";\nexport default () => <b>{b}</b>;\n',
            # An element that is only a part of a text is not a finding.
            "components/Fine.tsx": 'export const client = "load";\nexport default () => <p>{"<link rel"}</p>;\n',
            "docs/a.md": f"# A\n\n{uses}\n\n<Fine />\n",
            **HOME,
        },
        "[diagnostics]\ncomponent = 'warn'\ncomponent_import = 'warn'\ncomponent_react = 'warn'\nbroken_assets = 'warn'\n",
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
            "name that nothing exports, handed on": "components/handing.ts",
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
    # A file of which only types are read is not part of what browsers load, but of what pages depend on.
    assert not [name for name in site.published() if "types" in name]
    site.write({"components/lib/a.ts": "export type A = number;\n"})
    [left] = site.check()
    assert "<Plot>" in left
