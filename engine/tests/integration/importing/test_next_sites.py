"""Sites of Next.js whose pages are MDX without a theme: addresses by folders, components of a registry, aliases."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write

FILES = {
    "next.config.mjs": "import nextMDX from '@next/mdx';\nexport default nextMDX({})({ pageExtensions: ['jsx', 'mdx'] });\n",
    "package.json": '{"name": "kite", "dependencies": {"@next/mdx": "15", "next": "15"}}',
    "jsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}}',
    "src/components/mdx.jsx": """import Link from 'next/link';

export { Bar, Code as pre } from '@/components/Code';
export const a = Link;

export function Notice({ children }) {
  return <div className="note">Note: {children}</div>;
}
""",
    "src/components/Code.jsx": """import { create } from 'zustand';

const useLanguages = create((set) => ({ chosen: 'ruby', choose: (chosen) => set({ chosen }) }));

export function Code({ children }) { return <pre>{children}</pre>; }

export function Bar({ children }) {
  const { chosen, choose } = useLanguages();
  return <div><button onClick={() => choose('rust')}>{chosen}</button>{children}</div>;
}
""",
    "src/components/Redirect.jsx": """import Head from 'next/head';
export function Redirect({ url }) { return <Head><meta httpEquiv="refresh" content={`0;url=${url}`} /></Head>; }
""",
}
PAGES = {
    "docs/index.mdx": """import { Redirect } from '@/components/Redirect'
import Part from '@/parts/part.mdx'

<Redirect url="/docs/other" />

# Kite

<Notice>**Wind** is needed.</Notice>

<Bar>Words</Bar>

<Part />
""",
    "docs/other.mdx": "# Other\n\nText.\n",
}


def check(site_dir: Path, out: Path) -> None:
    done = import_site(site_dir)
    assert done.report.items == []
    built = build_site(site_dir, out, has_search=False)
    assert built.is_published
    html = re.sub("<!-- -->", "", (out / "docs/index.html").read_text(encoding="utf-8"))
    assert "<div>Note:" in html
    assert "<strong>Wind</strong> is needed." in html
    assert "<button>ruby</button>" in html
    assert "A part of many pages." in html
    assert (out / "docs/other/index.html").exists() or (out / "docs/other.html").exists()


def test_pages_of_the_folder_pages_keep_their_addresses(tmp_path: Path) -> None:
    pages = {f"src/pages/{path}": text for path, text in PAGES.items()}
    part = {"src/parts/part.mdx": "A part of many pages.\n"}
    check(write(tmp_path / "site", FILES | pages | part), tmp_path / "out")


def test_pages_of_the_folder_app_keep_their_addresses(tmp_path: Path) -> None:
    pages = {
        "src/app/docs/page.mdx": PAGES["docs/index.mdx"],
        "src/app/(more)/docs/other/page.mdx": PAGES["docs/other.mdx"],
        "src/app/docs/draft.mdx": "# Draft\n\nNo page of Next.js.\n",
    }
    part = {"src/parts/part.mdx": "A part of many pages.\n"}
    check(write(tmp_path / "site", FILES | pages | part), tmp_path / "out")
    assert not list((tmp_path / "out").rglob("*draft*"))


def test_component_below_an_alias_is_not_taken_for_a_page_of_its_name(tmp_path: Path) -> None:
    page = "import { Steps } from '@/components/steps'\n\n# Start\n\n<Steps>\n\nOne.\n\n</Steps>\n"
    files = {
        "src/components/steps.tsx": "export const Steps = ({ children }) => <div>All: {children}</div>;\n",
        "src/pages/docs/steps.mdx": "# Steps\n\nA page.\n",
        "src/pages/docs/index.mdx": page,
    }
    done = import_site(write(tmp_path / "site", FILES | files))
    assert done.report.items == []


def test_settings_that_a_site_left_behind_do_not_count(tmp_path: Path) -> None:
    files = {
        "next.config.mjs": "import nextra from 'nextra';\nexport default nextra({})({});\n",
        "package.json": '{"scripts": {"dev": "mint dev"}, "dependencies": {"react": "18"}}',
        "docs.json": '{"name": "Kite", "navigation": {"pages": ["index"]}}',
        "index.mdx": "---\ntitle: Kite\n---\n\nIt flies.\n",
    }
    assert import_site(write(tmp_path / "site", files)).plan.engine == "mintlify"


FRAMEWORKS = {
    "next.config.mjs": "import nextra from 'nextra';\nexport default nextra({ theme: 'nextra-theme-docs' })();\n",
    "package.json": '{"name": "kite", "dependencies": {"nextra": "3", "nextra-theme-docs": "3", "next": "15"}}',
    "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["./*"]}}}',
    "pages/_meta.js": "export default { index: 'Start' };\n",
    "components/Winds.tsx": """import { useRouter } from 'next/router';
import { useThemeConfig } from 'nextra-theme-docs';
import { Tabs } from 'nextra/components';
import { Children, type ReactNode } from 'react';

Winds.Sea = SeaWind;
Winds.Land = LandWind;
const names = { [SeaWind.name]: 'Sea', [LandWind.name]: 'Land' };

export function Winds({ children }: { children: ReactNode }) {
  const { asPath } = useRouter();
  const { project } = useThemeConfig();
  const all = Children.toArray(children);
  return (
    <div data-path={asPath} data-project={project.link}>
      <Tabs items={Object.values(names)}>
        {Object.keys(names).map((name) => all.find((one) => one?.type?.name === name) ?? <Tabs.Tab key={name}>None yet.</Tabs.Tab>)}
      </Tabs>
    </div>
  );
}

function SeaWind({ children }: { children?: ReactNode }) { return <Tabs.Tab>{children}</Tabs.Tab>; }
function LandWind({ children }: { children?: ReactNode }) { return <Tabs.Tab>{children}</Tabs.Tab>; }
""",
    "pages/index.mdx": """import { Winds } from '@/components/Winds'

# Start

<Winds>
<Winds.Sea>

Salt *air*.

```js filename="sea.js"
let sea
```

</Winds.Sea>
</Winds>
""",
}


def test_components_of_nextra_that_look_into_their_children_are_taken_over(tmp_path: Path) -> None:
    site_dir = write(tmp_path / "site", FRAMEWORKS)
    done = import_site(site_dir)
    assert done.report.items == []
    build_site(site_dir, tmp_path / "out", has_search=False)
    html = re.sub("<!-- -->", "", (tmp_path / "out/index.html").read_text(encoding="utf-8"))
    assert re.findall(r'aria-selected="(\w+)"[^<>]*>(\w+)</button>', html) == [("true", "Sea"), ("false", "Land")]
    panels = re.findall(r'data-label="(\w+)" data-state="(\w+)">(<p>Salt <em>air</em>|None yet)', html)
    assert panels == [("Sea", "active", "<p>Salt <em>air</em>"), ("Land", "inactive", "None yet")]
    assert 'data-language="js"' in html


def test_labels_in_react_are_their_texts_and_orders_that_fail_are_noted(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "package.json": '{"dependencies": {"nextra": "3", "nextra-theme-docs": "3"}}',
            "next.config.mjs": "import nextra from 'nextra';\nexport default nextra({})({});\n",
            "pages/_meta.jsx": "import { Icon } from './icon';\nexport default { wind: <b>Strong <i>wind</i><Icon /></b>, gone: 'Gone', index: 'Home' };\n",
            "theme.config.jsx": """export default {
  logo: <b>Kites</b>,
  project: { link: 'https://github.com/a/kites' },
  chat: { link: 'https://chat.example/kites' },
  docsRepositoryBase: 'https://github.com/a/kites/tree/main',
  footer: { content: <span>© <i>Ann</i></span> },
  banner: { key: 'two', content: <a href="/wind">Version 2</a> },
};
""",
            "pages/index.mdx": "# Kites\n",
            "pages/wind.mdx": "# Wind\n",
            "pages/sub/_meta.js": "throw new Error('no wind');\n",
            "pages/sub/a.mdx": "# A\n",
        },
    )
    report = import_site(tmp_path).report
    settings = (tmp_path / "octavo.toml").read_text(encoding="utf-8")
    assert re.search(r'doc = "wind", label = "Strong wind".*\n.*doc = "index", label = "Home"', settings)
    assert [note.files for note in report.notes if note.what == "_meta files that could not be run"] == [
        ["pages/sub/_meta.js"]
    ]
    notes = {note.what: note.files for note in report.notes}
    assert notes["Orders of pages name pages that do not exist"] == ["gone"]
    assert "theme.config: logo" in notes
    for part in ("https://github.com/a/kites", "https://chat.example/kites", "© Ann", "Version 2", "edit_url"):
        assert part in settings


@pytest.mark.parametrize(("base", "page"), [("/", "start.html"), ("/manual", "manual/start.html")])
def test_the_loader_of_fumadocs_may_be_in_any_folder(tmp_path: Path, base: str, page: str) -> None:
    files = {
        "package.json": '{"dependencies": {"fumadocs-ui": "15", "fumadocs-mdx": "11"}}',
        "next.config.mjs": "export default {};\n",
        "source.config.ts": "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content' });\n",
        "loaders/api.ts": 'export const client = make({ baseUrl: "/api" });\n',
        "loaders/source.ts": f'import {{ loader }} from "fumadocs-core/source";\nexport const source = loader({{ baseUrl: "{base}", source: docs }});\n',
        "content/start.mdx": "---\ntitle: Start\n---\n\nFly.\n",
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    build_site(site, tmp_path / "out", has_search=False)
    assert (tmp_path / "out" / page).is_file() or (tmp_path / "out" / page.replace(".html", "/index.html")).is_file()


def test_components_of_the_old_site_are_none_of_ours(tmp_path: Path) -> None:
    files = {
        "package.json": '{"dependencies": {"fumadocs-ui": "15", "fumadocs-mdx": "11"}}',
        "next.config.mjs": "export default {};\n",
        "source.config.ts": "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/docs' });\n",
        "components/analytics.tsx": "export const Analytics = () => null;\n",
        "content/docs/index.mdx": "---\ntitle: Kite\n---\n\n::::tabs\n:::tab[Box]\nSquare.\n:::\n:::tab[Delta]\nFast.\n:::\n::::\n",
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    found = build_site(site, tmp_path / "out", has_search=False).diagnostics
    assert {one.code for one in found} <= {"unset-url", "broken-link"}
    html = next((tmp_path / "out").rglob("docs/index.html")).read_text(encoding="utf-8")
    assert html.count('role="tab"') == 2 or html.count('data-label="') == 2
