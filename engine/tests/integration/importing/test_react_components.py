"""Components in React of a Docusaurus site are taken over where they use what ours may use; others keep their stub."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import text_of, write

CONFIG = (
    'module.exports = { title: "Kite", url: "https://kite.example", baseUrl: "/k/", presets: [["classic", {}]] };\n'
)


def test_components_with_hooks_styles_and_modules_of_docusaurus_are_taken_over(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            "docusaurus.config.js": CONFIG,
            "src/components/Meter/index.tsx": """
import React, { useState, type ReactNode } from "react";
import type { Props } from "@theme/Unheard";
import clsx from "clsx";
import Link from "@docusaurus/Link";
import useBaseUrl from "@docusaurus/useBaseUrl";
import useDocusaurusContext from "@docusaurus/useDocusaurusContext";
import Logo from "@site/static/img/logo.svg";
import { LIMIT } from "@site/src/limits";
import units from "../../units.json";
import styles from "./styles.module.css";

export default function Meter({ speed, children }: { speed: number; children?: ReactNode }) {
  const [count, setCount] = useState(speed);
  const { siteConfig } = useDocusaurusContext();
  return (
    <div className={clsx(styles.meter, speed > LIMIT && styles["too-fast"])}>
      <button onClick={() => setCount(count + 1)}>{count} {units.speed}</button>
      {speed > LIMIT && <b>Too fast for {siteConfig.title}</b>}
      <Link to="/docs/other">Other kites</Link>
      <img src={useBaseUrl("/img/a.png")} alt="" /><Logo title="Logo" />
      {children}
    </div>
  );
}
""",
            "src/components/Meter/styles.module.css": ".meter { color: red; }\n.meter .too-fast:hover, :global(.dark) .meter { top: 0.5em; }\n@media (width > 9px) { .meter { top: 0; } }\n",
            "src/limits.ts": "export const LIMIT: number = 5;\n",
            "src/units.json": '{"speed": "knots"}\n',
            "src/theme/MDXComponents.js": "import Original from '@theme-original/MDXComponents';\nimport Meter from '@site/src/components/Meter';\nimport Chart from '@site/src/components/Chart';\nexport default { ...Original, Meter, Chart };\n",
            "src/components/Chart.jsx": "import { Line } from 'chart-kit';\nexport default () => <Line />;\n",
            "src/components/Broken.jsx": "export default function Broken({ list }) { return <p>{list.map((one) => one)}{window.name}</p>; }\n",
            "static/img/logo.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "static/img/a.png": "",
            "docs/other.md": "# Other\n",
            "docs/index.mdx": """---
slug: /
---

import Broken from '@site/src/components/Broken';

# Kite

<Meter speed={7}>

It **blows**.

</Meter>

<Chart>

A chart.

</Chart>

<Broken list={["a"]}>

Kept words.

</Broken>
""",
        },
    )
    done = import_site(site_dir)
    stubs = {item.what.partition(" ")[0].strip('"<>'): item.remedy for item in done.report.items}
    assert stubs.keys() == {"Chart", "Broken"}
    assert 'all that it shows is of the package "chart-kit"' in stubs["Chart"]
    assert "window is not defined" in stubs["Broken"]
    built = build_site(site_dir, tmp_path / "out", has_search=False)
    assert {one.code for one in built.diagnostics} == {"stub-component"}
    html = (tmp_path / "out/docs/index.html").read_text(encoding="utf-8")
    shown = text_of(html)
    assert all(words in shown for words in ("7 knots", "Too fast for Kite", "It blows .", "A chart.", "Kept words."))
    assert 'href="/k/docs/other"' in html
    assert 'src="/k/img/a.png"' in html
    assert 'src="/k/img/logo.svg"' in html
    assert 'data-client="visible"' in html
    sheet = next(iter((site_dir / done.plan.settings["components"] / "taken-over").rglob("*.css"))).read_text(
        encoding="utf-8"
    )
    assert ".meter{" not in sheet.replace(" ", "")
    assert ":hover" in sheet
    assert "0.5em" in sheet
    assert ".dark ." in sheet


def test_second_import_leaves_components_alone_and_replaces_stubs(tmp_path: Path) -> None:
    files = {
        "docusaurus.config.js": CONFIG,
        "src/One.jsx": "import x from 'unheard';\nexport default () => <i>{x}</i>;\n",
        "docs/index.mdx": "import One from '@site/src/One';\n\n# Kite\n\n<One />\n",
    }
    write(tmp_path, files)
    folder = tmp_path / import_site(tmp_path).plan.settings["components"]
    assert (folder / "One.mdx").is_file()
    write(tmp_path, {"src/One.jsx": "export default () => <i>{[1, 2].map((one) => `${one} kites`)}</i>;\n"})
    import_site(tmp_path, force=True)
    assert [path.name for path in folder.iterdir() if path.is_file()] == ["One.tsx"]
    (folder / "One.tsx").write_text("export default () => <b>Mine</b>;\n", encoding="utf-8")
    assert import_site(tmp_path, force=True).report.items == []
    assert "Mine" in (folder / "One.tsx").read_text(encoding="utf-8")


def test_components_of_astro_are_taken_over(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            "astro.config.mjs": "import { defineConfig } from 'astro/config';\nimport starlight from '@astrojs/starlight';\nexport default defineConfig({ integrations: [starlight({ title: 'Kite' })] });\n",
            "src/components/State.astro": """---
import type { HTMLAttributes } from 'astro/types';
import { Badge } from '@astrojs/starlight/components';
import Row from './Row.astro';
export interface Props extends HTMLAttributes<'div'> { state: string; rows?: string[] }
const { state, rows = [], ...rest } = Astro.props as Props;
const labels: Record<string, string> = { beta: 'Beta' }; // don't "touch"
---
<!-- a comment -->
<div class={`state ${state}`} class:list={['a', { b: true }]} style="color: red" {...rest}>
  State: <b>{labels[state] ?? state}</b>
  since   2 > 1<br>
  {rows.length > 0 && (
    <ul>{rows.map((row) => <Row {row} />)}</ul>
  )}
  <p set:html={`<i>${state}</i>`} />
  <Badge text="new" variant={{ a: `}` }.a} />
  {Astro.slots.has('default') ? <slot /> : <em>Nothing</em>}
  <slot name="more">More</slot>
</div>
<style>div { color: blue }</style>
""",
            "src/components/Row.astro": "---\nconst { row } = Astro.props\n---\n<li>{row}</li>\n",
            "src/components/Clock.astro": "---\nconst now = await fetch('https://x.example');\n---\n<time>{now}</time>\n<slot />\n",
            "src/components/Push.astro": "<button><slot /></button>\n<script>document.title = 'x';</script>\n",
            "src/content/docs/index.mdx": """---
title: Kite
---

import State from '../../components/State.astro';
import Clock from '../../components/Clock.astro';
import Push from '../../components/Push.astro';

<State state="beta" rows={["north", "south"]}>
**Wind**
</State>

<State state="odd" />

<Clock>Late</Clock> <Push>Press</Push>
""",
        },
    )
    done = import_site(site_dir)
    stubs = {item.what.partition(" ")[0].strip('"<>'): item.remedy for item in done.report.items}
    assert stubs.keys() == {"Clock", "Push"}, stubs
    assert "waits for something" in stubs["Clock"]
    assert "runs a script" in stubs["Push"]
    assert [note.files for note in done.report.notes if "sheets" in note.what] == [["src/components/State.astro"]]
    build_site(site_dir, tmp_path / "out", has_search=False)
    shown = text_of((tmp_path / "out/index.html").read_text(encoding="utf-8"))
    for words in (
        "State: Beta since 2 &gt; 1",
        "north south beta new Wind More",
        "State: odd",
        "Nothing",
        "Late",
        "Press",
    ):
        assert words in shown, shown
    assert 'class="state beta a b"' in (tmp_path / "out/index.html").read_text(encoding="utf-8")


def test_style_sheets_that_are_left_out_are_named(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            "docusaurus.config.js": CONFIG,
            "src/Card.jsx": "import './card.css';\nimport './extra.scss';\nimport './whole.css';\nexport default () => <i>Card</i>;\n",
            "src/card.css": "@import 'base.css';\n.card { color: red; background: url(../a.png) no-repeat; top: 1px }\n",
            "src/extra.scss": ".card { $x: 1; }\n",
            "src/whole.css": "/* url(a.png) */ .whole { background: url(/img/b.png); }\n",
            "docs/index.mdx": "import Card from '@site/src/Card';\n\n# Kite\n\n<Card />\n",
        },
    )
    done = import_site(site_dir)
    assert [note.files for note in done.report.notes if "sheets" in note.what] == [["src/card.css", "src/extra.scss"]]
    written = {
        path.name: " ".join(path.read_text(encoding="utf-8").split())
        for path in (site_dir / done.plan.settings["components"] / "taken-over").rglob("*.css")
    }
    assert written == {
        "card.css": ".card { color: red; top: 1px }",
        "extra.css": "",
        "whole.css": ".whole { background: url(/img/b.png); }",
    }
    build_site(site_dir, tmp_path / "out", has_search=False)


def test_icons_and_movements_that_are_left_out_are_named(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            "docusaurus.config.js": CONFIG,
            "src/Card.jsx": "import { FaRocket, FaKiteOfOurs as Own } from 'react-icons/fa';\nimport type { IconType } from 'react-icons';\n"
            "import Odd from '~icons/own/odd-one';\nimport { motion } from 'framer-motion';\n"
            "export default () => <motion.i animate={{ x: 1 }}><FaRocket /><Own /><Odd />Card</motion.i>;\n",
            "docs/index.mdx": "import Card from '@site/src/Card';\n\n# Kite\n\n<Card />\n",
        },
    )
    done = import_site(site_dir)
    assert done.report.items == []
    assert {note.what: note.files for note in done.report.notes if "onents" in note.what} == {
        "Icons of components that were left out": ["src/Card.jsx: FaKiteOfOurs", "src/Card.jsx: ~icons/own/odd-one"],
        "Components whose elements no longer move": ["src/Card.jsx"],
    }
    build_site(site_dir, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/docs/index.html").read_text(encoding="utf-8")
    assert html.count("<i><span") == 1
    assert "Card</i>" in html


def test_components_that_pages_and_snippets_export_are_taken_over(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            "docs.json": '{"name": "Kite", "navigation": ["index"]}',
            "snippets/wind.mdx": "export const LIMIT = 7;\n\nexport const Wind = ({ speed }) => {\n  const [now] = useState(speed);\n\n  return <b>{now > LIMIT ? 'storm' : `${now} knots`}</b>;\n};",
            "snippets/list.jsx": "import { Wind as Icon } from 'lucide-react';\nimport { Box } from './box';\nexport const List = ({ items }) => <ul>{items.map((one) => <li key={one}><Icon />{one}<Box /></li>)}</ul>;\n",
            "snippets/box.js": "export { default as Box } from './box.svg';\n",
            "snippets/box.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "index.mdx": """---
title: Kite
---
import { Wind } from "/snippets/wind.mdx";
import { List } from "/snippets/list.jsx";

export const Loud = ({ children, times = 2 }) => (
  <em>{Array.from({ length: times }, () => "!")}{children}</em>
);

<Wind speed={9} />

<List items={["rope", "reel"]} />

<Loud times={3}>It pulls.</Loud>
""",
        },
    )
    done = import_site(site_dir)
    assert done.report.items == []
    assert done.report.clean_pages == 1
    build_site(site_dir, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    shown = text_of(html)
    assert all(words in shown for words in ("storm", "rope", "reel", "!!!"))
    assert "It pulls." in shown
    assert "data:image/svg+xml;base64," in html


def test_snippets_of_mintlify_use_its_components_and_react_without_an_import(tmp_path: Path) -> None:
    snippet = """
export const Start = () => {
  const { useState } = React;
  const [items] = useState([{ href: "/wind", title: "Wind" }]);
  return (
    <Columns cols={2}>
      {items.map((one) => <Card key={one.href} href={one.href} title={one.title} icon="wind">It blows.</Card>)}
      <Note>Hold on.</Note>
      <Tabs><Tab title="North">Cold.</Tab></Tabs>
    </Columns>
  );
};
"""
    own = "export const Card = ({ children }) => <b>{children}</b>;\nexport const Own = () => <Card>Mine.</Card>;\n"
    site_dir = write(
        tmp_path / "site",
        {
            "docs.json": '{"name": "Kite", "navigation": ["index", "wind"]}',
            "snippets/Start.jsx": snippet,
            "snippets/Own.jsx": own,
            "wind.mdx": "---\ntitle: Wind\n---\n\nStrong.\n",
            "index.mdx": "---\ntitle: Kite\n---\nimport { Start } from '/snippets/Start.jsx';\nimport { Own } from '/snippets/Own.jsx';\n\n<Start />\n\n<Own />\n",
        },
    )
    done = import_site(site_dir)
    assert done.report.items == []
    build_site(site_dir, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert all(words in text_of(html) for words in ("It blows.", "Hold on.", "North", "Cold.", "Mine."))
    assert 'href="/wind"' in html


def test_aliases_of_typescript_and_variables_of_bundlers_are_known(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "docusaurus.config.js": CONFIG,
            "tsconfig.json": '{ /* a comment */ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["./src/*"], "words": ["src/words.ts"] } } }',
            "src/lib/util.ts": "import { twMerge } from 'tailwind-merge';\nexport const cn = (...given: string[]) => twMerge(given);\n",
            "src/words.ts": "export const word = process.env.NODE_ENV + String(import.meta.env.PROD);\n",
            "src/Box.tsx": "import { cn } from '@/lib/util';\nimport { word } from 'words';\nexport default ({ children }) => <b className={cn('a', false, 'b')}>{word} {children}</b>;\n",
            "docs/index.mdx": "import Box from '@site/src/Box';\nimport { Suspense } from 'react';\n\n# Kite\n\n<Suspense>\n\n<Box>Hi</Box>\n\n</Suspense>\n",
        },
    )
    assert import_site(tmp_path).report.items == []
    build_site(tmp_path, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/docs/index.html").read_text(encoding="utf-8")
    assert '<b class="a b">production' in html
    assert "true" in text_of(html)


def test_checks_of_attributes_are_left_out(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "docusaurus.config.js": CONFIG,
            "src/Box.jsx": "import PropTypes, { shape } from 'prop-types';\nexport default function Box({ children, kinds }) { return <b>{kinds.map((one) => <i key={one}>{one}</i>)} {children}</b>; }\n"
            "Box.propTypes = { children: PropTypes.node.isRequired, kind: PropTypes.oneOf(['a', 'b']), size: PropTypes.arrayOf(shape({ a: PropTypes.number })).isRequired };\n",
            "docs/index.mdx": "import Box from '@site/src/Box';\n\n# Kite\n\n<Box kinds={['Delta', 'Sled']}>Held</Box>\n",
        },
    )
    assert import_site(tmp_path).report.items == []
    build_site(tmp_path, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/docs/index.html").read_text(encoding="utf-8")
    assert "<i>Sled</i>" in html
    assert "Held" in text_of(html)


def test_scripts_of_astro_are_left_out_where_readers_see_the_rest(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "astro.config.mjs": "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'Kite' })] };\n",
            "src/components/Get.astro": "<a href='https://kite.example' class='get'>Get it</a>\n<script>document.querySelector('.get').onclick = () => count();</script>\n",
            "src/components/More.astro": "<button>More</button>\n<script>import { more } from '../more';</script>\n",
            "src/content/docs/index.mdx": "---\ntitle: Kite\n---\nimport Get from '../../components/Get.astro';\nimport More from '../../components/More.astro';\n\n<Get />\n\n<More />\n",
        },
    )
    report = import_site(tmp_path).report
    assert [one.what.partition(" ")[0] for one in report.items] == ['"<More>"']
    assert [one.files for one in report.notes if "Scripts of components" in one.what] == [["src/components/Get.astro"]]
    build_site(tmp_path, tmp_path / "out", has_search=False)
    assert "Get it" in text_of((tmp_path / "out/index.html").read_text(encoding="utf-8"))


def test_registered_components_are_found_by_their_names_and_in_other_components(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "docusaurus.config.js": CONFIG,
            "src/theme/MDXComponents.tsx": "import Original from '@theme-original/MDXComponents';\nimport { Meter as Gauge, type Props } from '@site/src/parts';\nimport Outer from '@site/src/outer.md';\nimport Inner from '@site/src/inner.md';\nexport default { ...Original, Gauge, Outer, Inner };\n",
            "src/parts.tsx": "import { cn } from '@other/lib';\nexport function Gauge() { return <b className={cn('x')}>{[1, 2].length} knots</b>; }\n",
            "src/outer.md": "Outer words.\n\n```ts\nexport default 1;\n```\n\n<Inner />\n",
            "src/inner.md": "Inner words.\n",
            "docs/index.mdx": "# Kite\n\n<Gauge list={[{ a: { b: 1 } }]} />\n\n<Outer />\n",
        },
    )
    assert import_site(tmp_path).report.items == []
    build_site(tmp_path, tmp_path / "out", has_search=False)
    shown = text_of((tmp_path / "out/docs/index.html").read_text(encoding="utf-8"))
    assert all(words in shown for words in ("2 knots", "Outer words.", "Inner words."))


def test_helpers_of_packages_shown_code_and_names_that_are_handed_on_keep_no_component_a_stub(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            "docusaurus.config.js": CONFIG,
            "src/components/index.ts": (
                'import { Reel as Spool } from "./Reel";\nimport Line from "./Line";\nexport * from "./Knot";\nexport { Spool, Line };\n'
            ),
            "src/components/Reel.tsx": (
                'import _, { get } from "lodash";\nimport debounce from "lodash/debounce";\n'
                'import { isFunction, useMediaQuery } from "kite-tools";\n'
                "export function Reel({ kinds }: { kinds: { name: string }[] }) {\n"
                "  const isWide = useMediaQuery('(min-width: 9px)');\n  const later = debounce(() => 1);\n"
                "  return <b>{_.sortBy(kinds, 'name').map((one) => get(one, 'name')).join(' ')} {String(isFunction(later))} {String(isWide)}</b>;\n}\n"
            ),
            "src/components/Line.tsx": (
                'import CodeBlock from "@theme/CodeBlock";\n'
                "const code = (name) => `import { Kite } from '${name}'\nimport { Wind } from 'kite-wind'\n`;\n"
                'export default function Line() { return <CodeBlock language="ts">{code("kite")}</CodeBlock>; }\n'
            ),
            "src/components/Knot.tsx": "export const Knot = ({ turns }) => <i>{turns * 2} turns</i>;\n",
            "docs/a.mdx": (
                "import { Spool, Line, Knot } from '@site/src/components';\n\n# A\n\n"
                "<Spool kinds={[{ name: 'silk' }, { name: 'hemp' }]} />\n\n<Line />\n\n<Knot turns={3} />\n"
            ),
        },
    )
    assert import_site(site_dir).report.items == []
    build_site(site_dir, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/docs/a/index.html").read_text(encoding="utf-8")
    shown = text_of(html[html.index("<article") : html.index("</article>")])
    assert "hemp silk true false" in shown
    assert "import { Wind } from &#x27;kite-wind&#x27;" in shown or "kite-wind" in shown
    assert "6 turns" in shown


def test_general_names_of_other_packages_are_no_helpers(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            "docusaurus.config.js": CONFIG,
            "src/components/Reel.tsx": (
                'import { get } from "kite-client";\nimport chunk from "kite-client/chunk";\n'
                "export default function Reel() { return <b>{get('/wind')}{chunk('x')}</b>; }\n"
            ),
            "docs/a.mdx": "import Reel from '@site/src/components/Reel';\n\n# A\n\n<Reel />\n",
        },
    )
    (item,) = import_site(site_dir).report.items
    assert "it imports get from kite-client" in item.remedy


def test_components_get_the_front_matter_of_pages_with_its_dates(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            "docusaurus.config.js": CONFIG,
            "src/components/Row.tsx": "export default function Row({ frontMatter }) { return <b>{String(frontMatter.date)}, {frontMatter.times.length} {frontMatter.deep.at}</b>; }\n",
            "docs/index.mdx": "---\nslug: /\ndate: 2025-12-01\ntimes: [2025-12-01, 2025-12-02T03:04:05Z]\ndeep:\n  at: 2025-12-03 10:00:00\n---\n\nimport Row from '@site/src/components/Row';\n\n# Start\n\n<Row frontMatter={frontMatter} />\n\nOn {frontMatter.date}.\n",
        },
    )
    found = import_site(site_dir)
    assert found.report.clean_pages == found.report.pages, found.report.items
    build_site(found.plan.site_dir, tmp_path / "out")
    shown = text_of((tmp_path / "out/docs/index.html").read_text(encoding="utf-8"))
    assert "2025-12-01, 2 2025-12-03T10:00:00" in shown
    assert "On 2025-12-01." in shown


def test_components_may_ask_docusaurus_for_versions_and_settings(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            "docusaurus.config.js": CONFIG.replace("presets", "themeConfig: { gauge: { unit: 'knots' } }, presets"),
            "src/Gauge.jsx": """
import { useDocsPreferredVersion, useThemeConfig } from "@docusaurus/theme-common";
import { useActivePluginAndVersion } from "@docusaurus/plugin-content-docs/client";
import { usePluginData } from "@docusaurus/useGlobalData";
export function Gauge({ speed }) {
  const { preferredVersion } = useDocsPreferredVersion();
  const { activeVersion } = useActivePluginAndVersion();
  const { versions } = usePluginData("docusaurus-plugin-content-docs");
  return <p>{speed} {useThemeConfig().gauge.unit}{activeVersion.isLast ? "" : "@"}{preferredVersion?.name}, {versions.length} version</p>;
}
""",
            "src/Late.jsx": """
import BrowserOnly from "@docusaurus/BrowserOnly";
export default function Late({ name }) { return <BrowserOnly fallback={<i>Wait</i>}>{() => <b>Now {name}</b>}</BrowserOnly>; }
export const Never = () => <BrowserOnly fallback={<i>A moment</i>}>{() => <b>{window.name}</b>}</BrowserOnly>;
""",
            "docs/index.mdx": "import { Gauge } from '@site/src/Gauge';\nimport Late, { Never } from '@site/src/Late';\n\n# Kite\n\n<Gauge speed={7} />\n\n<Late name=\"a kite\" />\n\n<Never />\n",
        },
    )
    assert import_site(site_dir).report.items == []
    assert build_site(site_dir, tmp_path / "out", has_search=False).diagnostics == []
    shown = text_of((tmp_path / "out/docs/index.html").read_text(encoding="utf-8"))
    assert "7 knots , 1 version" in shown
    assert "Now a kite" in shown
    assert "A moment" in shown
