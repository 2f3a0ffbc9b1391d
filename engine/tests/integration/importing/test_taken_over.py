"""What an import takes over beside pages: components, templates of shortcodes, configuration that is a program."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import text_of, write


def build(site_dir: Path) -> Path:
    out = site_dir.parent / "out"
    build_site(site_dir, out, has_search=False)
    return out


def test_components_that_place_text_are_no_stubs(tmp_path: Path) -> None:
    site_dir = tmp_path / "site"
    write(
        site_dir,
        {
            "astro.config.mjs": 'import starlight from "@astrojs/starlight";\nexport default { integrations: [starlight({ title: "Kite" })] };\n',
            "src/components/More.astro": "---\nconst { name } = Astro.props;\n---\n<div><b>{name} says</b><slot /></div>\n",
            "src/components/Clock.astro": "---\nconst now = await Promise.resolve(1);\n---\n<b>{now}</b>\n",
            "src/content/docs/index.mdx": """---
title: Kite
---

import More from "~/components/More.astro";
import Clock from "../../components/Clock.astro";
import { PackageManagers } from "starlight-package-managers";

<More name="Wind">

It **blows**.

</More>

<Clock />

<PackageManagers pkg="kites" dev />
""",
        },
    )
    done = import_site(site_dir)
    assert [item.what.partition(" ")[0] for item in done.report.items] == ['"<Clock>"']
    shown = text_of((build(site_dir) / "index.html").read_text(encoding="utf-8"))
    assert "Wind says" in shown
    assert "It blows" in shown
    assert "npm install -D kites" in shown
    assert "pnpm add -D kites" in shown


def test_untouched_stubs_are_written_anew(tmp_path: Path) -> None:
    program = "import now from 'unheard';\nexport default function Box() { return <b>{now()}</b>; }\n"
    files = {
        "docusaurus.config.js": 'module.exports = { title: "Kite", presets: [["classic", {}]] };\n',
        "src/One.jsx": program,
        "src/Two.jsx": program,
        "docs/index.mdx": "import One from '@site/src/One';\nimport Two from '@site/src/Two';\n\n# Kite\n\n<One /><Two />\n",
    }
    write(tmp_path, files)
    import_site(tmp_path)
    one, two = tmp_path / "components/One.mdx", tmp_path / "components/Two.mdx"
    two.write_text(two.read_text(encoding="utf-8") + "\nMy words.\n", encoding="utf-8")
    plain = "export default function Box() { return <b>Two words</b>; }\n"
    write(tmp_path, {"src/One.jsx": plain, "src/Two.jsx": plain})
    import_site(tmp_path, force=True)
    assert "Two words" in one.read_text(encoding="utf-8")
    assert "My words." in two.read_text(encoding="utf-8")


def test_components_in_pages_and_markdown_are_taken_over(tmp_path: Path) -> None:
    site_dir = tmp_path / "site"
    write(
        site_dir,
        {
            "docs.json": '{"name": "Kite", "navigation": {"pages": ["index"]}}',
            "snippets/badge.mdx": "export const Version = ({ version }) => {\n  return (<i>New in <code>{version}</code></i>);\n};\n",
            "snippets/help.mdx": "Ask the **wind**.\n",
            "index.mdx": '---\ntitle: Kite\n---\n\nimport { Version } from \'/snippets/badge.mdx\';\n\n<Version version="2.1" />\n\n<Snippet file="help.mdx" />\n\nSee <Link href="https://kite.example">the site</Link>.\n',
        },
    )
    done = import_site(site_dir)
    assert done.report.items == []
    shown = text_of((build(site_dir) / "index.html").read_text(encoding="utf-8"))
    assert "New in 2.1" in shown
    assert "Ask the wind" in shown
    assert "See the site" in shown


def test_components_of_vue_in_markdown_are_taken_over(tmp_path: Path) -> None:
    site_dir = tmp_path / "site"
    write(
        site_dir,
        {
            ".vitepress/config.ts": 'export default { title: "Kite" };\n',
            ".vitepress/theme/components/WindWarning.md": "::: warning\nMind the **wind**.\n:::\n",
            "index.md": "# Kite\n\n<WindWarning />\n",
        },
    )
    assert import_site(site_dir).report.items == []
    assert "Mind the wind" in text_of((build(site_dir) / "index.html").read_text(encoding="utf-8"))


def test_templates_of_shortcodes_with_code_and_files_are_drawn(tmp_path: Path) -> None:
    site_dir = tmp_path / "site"
    code = '{{ $code := trim .Inner "\\n" }}{{ $hash := md5 $code }}<table id="{{ $hash }}"><td>{{ highlight $code (.Get "lang") "" }}</td>\n<textarea>{{ $code }}</textarea></table>'
    file = '{{- $path := printf "content/%s/files/%s" (index (split .Page.File.Path "/") 0) (.Get "path") -}}\n{{- if not (fileExists $path) -}}{{- errorf "no %s" $path -}}{{- end -}}\n<div>{{- highlight (readFile $path) "yaml" -}}</div>'
    write(
        site_dir,
        {
            "hugo.toml": 'baseURL = "https://kite.example/"\ntitle = "Kite"\n',
            "layouts/shortcodes/code.html": code,
            "layouts/shortcodes/file.html": file,
            "layouts/shortcodes/hover.html": '{{- $id := now.UnixNano -}}<code><mark id="{{ $id }}">{{ .Inner }}</mark></code>',
            "content/docs/files/a.yaml": "wind:\n  - north\n",
            "content/docs/wind.md": '---\ntitle: Wind\n---\n\n{{< code lang="bash" >}}\nfly --high\n\n  down\n{{< /code >}}\n\nThen {{<hover>}}kind{{</hover>}}.\n\n{{< file path="a.yaml" >}}\n',
        },
    )
    assert import_site(site_dir).report.items == []
    page = (build(site_dir) / "docs/wind/index.html").read_text(encoding="utf-8")
    shown = text_of(page)
    assert "fly --high" in shown
    assert "Then kind" in shown
    assert "- north" in shown
    assert page.count("<pre") == 2
    assert "<textarea" not in page


def test_configuration_that_waits_or_is_called_is_run(tmp_path: Path) -> None:
    site_dir = tmp_path / "site"
    write(
        site_dir,
        {
            "astro.config.ts": 'import starlight from "@astrojs/starlight";\nimport { label } from "./labels.ts";\nexport default { integrations: [starlight({ title: label("title") })] };\n',
            "labels.ts": 'const words = (await import("./en.json")).default;\nexport const label = (key: string) => words[key];\n',
            "en.json": '{"title": "Kite"}',
            "src/content/docs/index.md": "---\ntitle: K\n---\n",
        },
    )
    done = import_site(site_dir)
    assert (done.plan.settings["title"], done.report.notes) == ("Kite", [])
    other = tmp_path / "other"
    write(
        other,
        {
            "package.json": '{"dependencies": {"nextra": "2"}}',
            "next.config.js": 'const withNextra = require("nextra")({ theme: "x" });\nmodule.exports = withNextra({ basePath: "/kite" });\n',
            "pages/index.mdx": "# Kite\n",
        },
    )
    assert import_site(other).plan.settings["base_url"] == "/kite/"


def test_components_that_a_site_registers_are_found(tmp_path: Path) -> None:
    site_dir = tmp_path / "site"
    write(
        site_dir,
        {
            "docusaurus.config.js": 'module.exports = { title: "Kite", url: "https://kite.example", presets: [["classic", {}]] };\n',
            "src/theme/MDXComponents.js": "import Original from '@theme-original/MDXComponents'\nimport WindNote from '@site/parts/_wind-note.mdx'\n"
            "import TheBox from '../components/the-box'\nexport default { ...Original, WindNote, TheBox }\n",
            "src/components/the-box/index.jsx": "export default function Box({ children }) {\n  return <div>Boxed: {children}</div>\n}\n",
            "parts/_wind-note.mdx": "Mind the **wind**.\n",
            "docs/index.md": "# Kite\n\n<WindNote />\n\n<TheBox>\n\nInside.\n\n</TheBox>\n",
        },
    )
    assert import_site(site_dir).report.items == []
    shown = text_of((build(site_dir) / "docs/index.html").read_text(encoding="utf-8"))
    assert "Mind the wind" in shown
    assert "Boxed: Inside." in shown


def test_blocks_of_gitbook_are_drawn(tmp_path: Path) -> None:
    site_dir = tmp_path / "site"
    page = """# Kite

{% hint style="success" icon="wind" %}
Mind **it**.
{% endhint %}

{% tabs %}
{% tab title="Linux &amp; Co" %}
{% code title="fly.sh" lineNumbers="true" %}
```bash
fly
```
{% endcode %}
{% endtab %}

{% tab title="Mac" %}
Press.
{% endtab %}
{% endtabs %}

1. First

   {% hint style="danger" %}
   In a list.
   {% endhint %}

{% embed url="https://kite.example/v" %}
A film
{% endembed %}

{% include ".gitbook/includes/note.md" %}

{% stepper %}
{% step %}
## One

Step in.
{% endstep %}
{% endstepper %}

`{% hint %}`
"""
    write(
        site_dir,
        {
            "SUMMARY.md": "# Table of contents\n\n* [Kite](README.md)\n* [Damaged](damaged.md)\n",
            "README.md": page,
            "damaged.md": '# Damaged\n\n{% hint style="info" %}\nOpen.\n\n{% openapi src="a.yaml" path="/a" method="get" %}\n\nAfter.\n',
            ".gitbook/includes/note.md": "---\ntitle: Note\n---\n\nTaken in.\n",
        },
    )
    done = import_site(site_dir)
    assert {file for item in done.report.items for file in item.files} == {"damaged.md"}
    assert sum(item.count for item in done.report.items) == 2
    out = build(site_dir)
    html = (out / "index.html").read_text(encoding="utf-8")
    article = html[html.index("<article") : html.index("</article>")]
    shown = text_of(article)
    for text in (
        "Mind it",
        "Linux &amp; Co",
        "fly.sh",
        "Press.",
        "In a list.",
        "A film",
        "Taken in.",
        "Step in.",
        "{% hint %}",
    ):
        assert text in shown
    assert shown.count("{%") == 1
    assert article.count('class="admonition ') == 2
    assert text_of((out / "damaged/index.html").read_text(encoding="utf-8")).count("After.") >= 1


def test_a_name_of_several_files_is_that_of_most_pages_and_the_others_are_noted(tmp_path: Path) -> None:
    site_dir = tmp_path / "site"
    text = "# Page {0}\n\nimport Sign from '{1}';\n\n<Sign />\n"
    write(
        site_dir,
        {
            "docusaurus.config.js": 'module.exports = { title: "Kite", presets: [["classic", {}]] };\n',
            "src/components/Sign.jsx": "export default function Sign() { return <b>Common sign</b>; }\n",
            "src/components/rare/Sign.jsx": "export default function Sign() { return <b>Rare sign</b>; }\n",
            "docs/a.mdx": text.format("A", "../src/components/rare/Sign"),
            "docs/b.mdx": text.format("B", "@site/src/components/Sign"),
            "docs/index.mdx": text.format("I", "../src/components/Sign"),
        },
    )
    done = import_site(site_dir)
    notes = [note for note in done.report.notes if '"<Sign>"' in note.what]
    assert [(note.count, note.files) for note in notes] == [(1, ["docs/a.mdx"])]
    assert "src/components/rare/Sign.jsx" in notes[0].what
    assert "that of src/components/Sign.jsx" in notes[0].what
    out = build(site_dir)
    assert "Common sign" in text_of(next(out.rglob("b/index.html")).read_text(encoding="utf-8"))
