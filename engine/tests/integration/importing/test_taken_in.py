"""Files that components take in as bundlers do: text, data, and all of a pattern; and packages that change nothing that readers see."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest

from octavo.importing import import_site

from .sites import write
from .test_mdx_and_vue_sites import published

CONFIG = 'module.exports = { title: "Kite", presets: [["classic", {}]] };\n'
PAGE = "---\nslug: /\n---\n\nimport One from '@site/src/One';\n\n# Kite\n\n<One {props}/>\n"


def site_with(tmp_path: Path, files: dict[str, str], props: str = "") -> Path:
    """Write a site with one component."""
    page = PAGE.replace("{props}", props)
    return write(
        tmp_path / "site", {"docusaurus.config.js": CONFIG, "package.json": "{}", "docs/index.mdx": page, **files}
    )


@pytest.mark.parametrize(
    "component",
    [
        "import text from '!!raw-loader!./code/a.ts';\nexport default () => <pre>{text}</pre>;\n",
        "import text from './code/a.ts?raw';\nexport default () => <pre>{text}</pre>;\n",
        "export default () => <pre>{require('!!raw-loader?esModule=false!./code/a.ts').default}</pre>;\n",
        "const all = import.meta.glob('./code/*.ts', { query: '?raw', import: 'default', eager: true });\nexport default () => <pre>{all['./code/a.ts']}</pre>;\n",
        "const all = import.meta.glob(['/src/code/**/*.{ts,js}', '!/src/code/b.ts'], { as: 'raw', eager: true });\nexport default () => <pre>{Object.values(all).join('')}</pre>;\n",
        "const all = require.context('!!raw-loader!./code', true, /\\.ts$/);\nexport default () => <pre>{all.keys().map((key) => all(key).default).join('')}</pre>;\n",
        "export default ({ file }) => <pre>{require(`!!raw-loader!@site/src/code/${file}`).default}</pre>;\n",
    ],
)
def test_text_of_files_is_taken_in(tmp_path: Path, component: str) -> None:
    site = site_with(
        tmp_path, {"src/One.jsx": component, "src/code/a.ts": "const wind = `${'north'}`;\n"}, 'file="a.ts" '
    )
    text, codes = published(site, "docs/index.html")
    assert codes == []
    assert "const wind = `${'north'}`;" in unescape(text)


def test_data_and_modules_are_taken_in(tmp_path: Path) -> None:
    component = (
        "import winds from './winds.yml';\nimport ropes from './ropes.toml';\n"
        "const parts = import.meta.glob('./parts/*.jsx', { eager: true });\n"
        "export default () => <p>{winds.map((one) => one.name).join()} {ropes.length} {Object.values(parts).map(({ default: Part }) => <Part key='1' />)}</p>;\n"
    )
    files = {
        "src/One.jsx": component,
        "src/winds.yml": "- name: north\n- name: south\n",
        "src/ropes.toml": "length = 12\n",
        "src/parts/tail.jsx": "export default () => <b>A tail</b>;\n",
    }
    text, codes = published(site_with(tmp_path, files), "docs/index.html")
    assert codes == []
    assert "north,south 12 A tail" in text


@pytest.mark.parametrize(
    "component",
    [
        "import text from '../../../secret.txt?raw';\nexport default () => <pre>{text}</pre>;\n",
        "const all = import.meta.glob('../../**/*.txt', { query: '?raw', eager: true });\nexport default () => <pre>{JSON.stringify(all)}</pre>;\n",
        "const all = require.context('!!raw-loader!../..', true, /txt$/);\nexport default () => <pre>{all.keys()}</pre>;\n",
        "const all = require.context('!!raw-loader!./linked', true, /(a+)+$/);\nexport default () => <pre>{all.keys()}</pre>;\n",
    ],
)
def test_files_outside_of_the_site_are_not_taken_in(tmp_path: Path, component: str) -> None:
    (tmp_path / "secret.txt").write_text("the secret", encoding="utf-8")
    site = site_with(tmp_path, {"src/One.jsx": component})
    (site / "src/linked").symlink_to(tmp_path)
    text, codes = published(site, "docs/index.html")
    assert codes == ["stub-component"]
    assert "secret" not in text


def test_packages_that_only_measure_do_nothing(tmp_path: Path) -> None:
    component = (
        "import { track } from '@vercel/analytics';\nimport posthog, { usePostHog } from 'posthog-js/react';\nimport localFont from 'next/font/local';\n"
        "import { Inter } from 'next/font/google';\nimport toast, { Toaster } from 'react-hot-toast';\nimport { useMDXComponents } from '@mdx-js/react';\n"
        "const own = localFont({ src: './a.woff2' });\nconst inter = Inter({ subsets: ['latin'] });\nposthog.init('key');\n"
        "export default function One() { const hog = usePostHog(); const all = useMDXComponents(); hog?.capture('shown');\n"
        "  return <p className={`${own.className} ${inter.variable}`} onClick={() => { track('a'); toast.success('b'); }}>Words {Object.keys(all).length}<Toaster /></p>; }\n"
    )
    text, codes = published(site_with(tmp_path, {"src/One.jsx": component}), "docs/index.html")
    assert codes == []
    assert "Words 0" in text
    assert import_site(tmp_path / "site", force=True).report.items == []


def test_folders_of_code_that_vuepress_names_are_found(tmp_path: Path) -> None:
    config = (
        "import path from 'node:path';\nexport default { title: 'Kite', markdown: { importCode: {\n"
        "  handleImportPath: (str) => str.replace(/^@parts/, path.resolve(__dirname, '../parts')).replace('@far', path.join(__dirname, '../../../far')),\n"
        "} } };\n"
    )
    files = {
        "docs/.vuepress/config.ts": config,
        "docs/README.md": "# Kite\n\n@[code](@parts/wind.py)\n\n@[code](@far/rain.py)\n",
        "docs/parts/wind.py": "wind = 7\n",
    }
    text, codes = published(write(tmp_path / "site", files), "index.html")
    assert "wind = 7" in text
    assert codes == ["missing-snippet"]


@pytest.mark.parametrize(
    ("config", "page"),
    [("astro.config.mjs", "src/content/docs/index.mdx"), ("docusaurus.config.js", "docs/index.mdx")],
)
def test_markdown_above_the_site_is_taken_in(tmp_path: Path, config: str, page: str) -> None:
    """`CONTRIBUTING.md` lies beside the folder of the site, in the root of its repository."""
    astro = "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'Kite' })] };\n"
    up = "../" * (page.count("/") + 1)
    project = write(
        tmp_path / "project",
        {
            ".git/HEAD": "ref: refs/heads/main\n",
            "CONTRIBUTING.md": "## How to help\n\nTie knots.\n",
            f"site/{config}": astro if config.startswith("astro") else CONFIG,
            "site/package.json": '{"dependencies": {"@astrojs/starlight": "1"}}',
            f"site/{page}": f"---\ntitle: Kite\nslug: /\n---\n\nimport Help from '{up}CONTRIBUTING.md';\n\n<Help />\n",
        },
    )
    text, codes = published(project / "site", "index.html" if config.startswith("astro") else "docs/index.html")
    assert codes == []
    assert "Tie knots." in text


def test_addresses_of_pictures_are_taken_in_from_folders_that_hold_other_files_as_well(tmp_path: Path) -> None:
    component = (
        "---\nconst all = import.meta.glob<string>('/src/assets/**/*', {\n  // eager: true,\n  query: '?url',\n  import: 'default',\n});\n"
        "async function find(name: string) {\n  const load = all[`/src/assets/${name}`];\n  if (!load) return name;\n  const found = await load();\n  return found;\n}\n"
        "const src = await find(Astro.props.name);\n---\n<img src={src} alt='A kite' />\n"
    )
    site = write(
        tmp_path / "site",
        {
            "astro.config.mjs": "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'Kite' })] };\n",
            "package.json": "{}",
            "src/components/One.astro": component,
            "src/assets/a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
            **{f"src/assets/draft-{number}.excalidraw": "{}" for number in range(45)},
            "src/content/docs/index.mdx": "---\ntitle: Kite\n---\nimport One from '../../components/One.astro';\n\n<One name='a.svg' />\n",
        },
    )
    _, codes = published(site, "index.html")
    assert codes == []
    assert 'src="data:image/svg' in (tmp_path / "out/index.html").read_text("utf-8")
