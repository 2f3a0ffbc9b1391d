"""Sites of Hugo: front matter, aliases, shortcodes, and templates that list pages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .other_sites import HUGO
from .sites import text_of, write

FILES = {
    "hugo.yaml": "title: Kite\ndefaultContentLanguage: en\nlanguages: {en: {contentDir: content/en}}\nparams:\n  kinds: [box, delta]\n",
    "content/en/_index.md": "---\ntitle: Kite\n---\n\n{{< pages >}}\n\n{{< kinds >}}\n",
    "content/en/docs/_index.md": "---\ntitle: Documents\n---\n\n{{< pages >}}\n",
    "content/en/docs/wind.md": "---\ntitle: Wind\nweight: 2\n---\n\nBlows.\n",
    "content/en/docs/lines/index.md": "---\ntitle: Lines\nweight: 1\n---\n\nHold.\n",
    "layouts/shortcodes/pages.html": "<p>{{ range .Page.Pages }}<a href='{{ .RelPermalink }}'>{{ .Title }} in {{ .Section }}</a> {{ end }}</p>\n",
    "layouts/shortcodes/kinds.html": "<p>{{ range site.Params.kinds }}{{ . }}, {{ end }}</p>\n",
}


def test_templates_list_the_pages_of_a_section_and_new_ones_as_well(tmp_path: Path) -> None:
    site = write(tmp_path / "site", FILES)
    assert import_site(site).report.items == []
    out = tmp_path / "out"
    assert build_site(site, out, has_search=False).is_published
    html = (out / "docs/index.html").read_text(encoding="utf-8")
    assert "Lines in docs Wind in docs" in " ".join(text_of(html).split())
    assert 'href="/docs/lines/"' in html
    assert "Documents in docs box, delta," in " ".join(text_of((out / "index.html").read_text("utf-8")).split())

    (site / "content/en/docs/knots.md").write_text("---\ntitle: Knots\nweight: 3\n---\n\nTie.\n", encoding="utf-8")
    assert build_site(site, out, has_search=False).is_published
    html = (out / "docs/index.html").read_text(encoding="utf-8")
    assert "Wind in docs Knots in docs" in " ".join(text_of(html).split())


def test_files_of_the_default_language_may_name_it(tmp_path: Path) -> None:
    files = {
        "hugo.yaml": "title: Kite\ndefaultContentLanguage: en\nlanguages:\n  en: {weight: 1}\n  de: {weight: 2}\n",
        "content/_index.en.md": "---\ntitle: Home\n---\n\nWind.\n",
        "content/_index.de.md": "---\ntitle: Start\n---\n\nBrise.\n",
        "content/guide/_index.en.md": "---\ntitle: Guide\n---\n\nFire.\n",
        "content/guide/_index.de.md": "---\ntitle: Anleitung\n---\n\nFeuer.\n",
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    assert build_site(site, tmp_path / "out", has_search=False).pages == 6  # with that of searches, in both languages
    shown = {"index": "Wind.", "de/index": "Brise.", "guide/index": "Fire.", "de/guide/index": "Feuer."}
    for page, word in shown.items():
        assert word in text_of((tmp_path / f"out/{page}.html").read_text(encoding="utf-8"))


def test_files_of_the_only_language_may_name_it(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {"hugo.yaml": "title: Kite\n", "content/_index.en.md": "# Home\n", "content/fire.en.md": "# Fire\n"},
    )
    import_site(site)
    build_site(site, tmp_path / "out", has_search=False)
    assert (tmp_path / "out/index.html").is_file()
    assert (tmp_path / "out/fire/index.html").is_file()


def test_front_matter_in_toml_is_read(tmp_path: Path) -> None:
    page = '+++\ntitle = "Storm"\nweight = 3\ndraft = false\n+++\n\nBlows.\n'
    site = write(tmp_path / "site", {**HUGO.files, "content/docs/storm.md": page})
    import_site(site)
    assert build_site(site, tmp_path / "out", has_search=False).is_published
    text = text_of((tmp_path / "out/docs/storm/index.html").read_text(encoding="utf-8"))
    assert text.startswith("Storm | Kite")
    assert "+++" not in text


def test_aliases_that_lead_up_a_folder_are_redirects(tmp_path: Path) -> None:
    page = "---\ntitle: Storm\naliases: [../gale, ../../up/]\n---\n"
    site = write(tmp_path / "site", {**HUGO.files, "content/docs/more/storm.md": page})
    redirects = {one["from"]: one["to"] for one in import_site(site).plan.settings["redirects"]}
    assert {"/docs/gale/", "/up/"} <= redirects.keys()
    assert build_site(site, tmp_path / "out", has_search=False).is_published


def test_settings_of_hugo_give_its_shortcodes_their_values(tmp_path: Path) -> None:
    page = (
        "---\ntitle: Use\n---\n\n{{% alert %}}Release {{< param release >}} of {{< param series >}}{{% /alert %}}\n\n"
        '{{< greet >}} [deep]({{< relref "deep" >}}) {{< odd >}}\n'
    )
    files = {
        **HUGO.files,
        "content/docs/use.md": page,
        "content/docs/_index.md": "---\ntitle: Docs\ncascade:\n  series: v9\n---\n",
        "content/docs/more/below/deep.md": "---\ntitle: Deep\n---\n",
        "layouts/shortcodes/greet.html": "<b>Hello {{ .Site.Params.release }}</b>",
        "hugo.toml": f'{HUGO.files.get("hugo.toml", "")}\n[params]\nrelease = "7.7"\n',
    }
    site = write(tmp_path / "site", files)
    imported = import_site(site)
    assert imported.plan.settings["markdown"]["references"] == {"deep": "content/docs/more/below/deep.md"}
    assert [one.what for one in imported.report.items if "odd" in one.what] == ['The shortcode "odd" [foreign-syntax]']
    assert build_site(site, tmp_path / "out", has_search=False).is_published
    html = (tmp_path / "out/docs/use/index.html").read_text(encoding="utf-8")
    assert "Release 7.7 of v9" in html
    assert "<b>Hello 7.7</b>" in html
    assert 'href="/docs/more/below/deep/"' in html
    assert "{{" not in text_of(html)


def test_shortcodes_of_a_section_and_partials_of_the_site_are_drawn(tmp_path: Path) -> None:
    files = {
        "hugo.toml": 'title = "Kite"\n',
        "content/docs/_index.md": "# Kite\n\n{{< tip >}}\n",
        "layouts/docs/_shortcodes/tip.html": '{{ partial "box" (dict "text" "Mind the wind.") }}\n',
        "layouts/_partials/box.html": "<div>{{ .text }}</div>\n",
    }
    site = write(tmp_path / "site", files)
    assert import_site(site).report.items == []
    build_site(site, tmp_path / "out", has_search=False)
    assert "Mind the wind." in text_of((tmp_path / "out/docs/index.html").read_text(encoding="utf-8"))


def test_lists_that_hugo_makes_of_sections_keep_their_addresses_titles_and_places(tmp_path: Path) -> None:
    files = {
        "hugo.toml": 'baseURL = "https://kite.example/"\ntitle = "Kite"\n',
        "content/_index.md": "---\ntitle: Kite\n---\n\nWelcome.\n",
        "content/about us/wind.md": "---\ntitle: Wind\nweight: 5\n---\n\nBlows.\n",
        "content/about us/inner/rain.md": "---\ntitle: Rain\n---\n\nFalls.\n",
        "content/start/_index.html": "---\ntitle: Begin here\nweight: 1\n---\n",
        "content/start/fly.md": "---\ntitle: Fly\nweight: 9\n---\n\nUp.\n",
        "content/hidden/_index.html": "---\ntitle: Hidden\nweight: 7\nbuild: {render: never}\n---\n",
        "content/hidden/sun.md": "---\ntitle: Sun\n---\n\nShines.\n",
        "content/landing.html": "<p>Land.</p>\n",
    }
    site = write(tmp_path / "site", files)
    report = import_site(site).report
    assert [item.files for item in report.notes if item.what == "Pages in HTML"] == [["content/landing.html"]]
    (sidebar,) = tomllib.loads((site / "octavo.toml").read_text(encoding="utf-8"))["sidebars"]
    assert [entry.get("category", entry.get("doc")) for entry in sidebar["items"]] == [
        "_index",
        "Begin here",
        "About us",
        "Hidden",
    ]
    assert build_site(site, tmp_path / "out", has_search=False).is_published
    assert "Fly" in text_of((tmp_path / "out/start/index.html").read_text(encoding="utf-8"))
    assert "Wind" in text_of((tmp_path / "out/about-us/index.html").read_text(encoding="utf-8"))
    assert not (tmp_path / "out/hidden/index.html").exists()
    assert not (tmp_path / "out/about-us/inner/index.html").exists()


def test_a_path_to_the_folder_of_a_section_leads_to_its_page(tmp_path: Path) -> None:
    files = {
        **HUGO.files,
        "content/docs/deep/wind.md": "---\ntitle: Wind\n---\n\n[Knots](../../knots) and [them](../../knots#bowline).\n",
        "content/knots/_index.md": "---\ntitle: Knots\n---\n\n## Bowline\n",
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    found = build_site(site, tmp_path / "out", has_search=False).diagnostics
    assert [one.message for one in found if one.code == "broken-link" and "knots" in one.message] == []
    html = (tmp_path / "out/docs/deep/wind/index.html").read_text(encoding="utf-8")
    assert 'href="/knots/"' in html
    assert 'href="/knots/#bowline"' in html


def test_blocks_of_code_that_a_template_takes_apart_are_drawn(tmp_path: Path) -> None:
    template = """
{{- $lines := split (trim .Inner "\\n ") "\\n" -}}
{{- $body := first (sub (len $lines) 2) (after 1 $lines) -}}
<div class="both">
  <div>{{ printf "```bash\\n%s\\n```" (index $body 0) | $.Page.RenderString }}</div>
  <div class="label">You see:</div>
  <div>{{ printf "```plaintext {class=plain}\\n%s\\n```" (delimit (after 1 $body) "\\n") | $.Page.RenderString }}</div>
</div>
"""
    page = "---\ntitle: Storm\n---\n\n{{< both >}}\n\n```bash\nfly --high\nit `flies`\n<b>\n```\n\n{{< /both >}}\n\nDone.\n"
    site = write(
        tmp_path / "site", {**HUGO.files, "layouts/shortcodes/both.html": template, "content/docs/storm.md": page}
    )
    import_site(site)
    found = build_site(site, tmp_path / "out", has_search=False).diagnostics
    assert [one.message for one in found if one.span.path.endswith("storm.md")] == []
    text = (tmp_path / "out/docs/storm.md").read_text(encoding="utf-8").partition("# Storm")[2]
    assert re.findall(r"fly --high|You see:|it `flies`|<b>|Done\.|```\w*", text) == [
        "```bash", "fly --high", "```", "You see:", "```plaintext", "it `flies`", "<b>", "```", "Done.",
    ]  # fmt: skip


def test_blocks_of_code_that_a_partial_writes_are_code_in_markdown_as_well(tmp_path: Path) -> None:
    partial = (
        '<!-- Reads a file. -->\n{{ $lang := strings.TrimPrefix "." (path.Ext .file) }}\n{{- $text := readFile .file -}}\n'
        '{{- print "\\n`" (path.Base .file) "`" }}\n{{- print " ([source](" .url "))" | markdownify }}\n{{- print ", here:\\n\\n" }}\n'
        '{{- (print "```" $lang "\\n" $text "\\n```") | markdownify }}\n'
    )
    files = {
        "layouts/partials/code.html": partial,
        "layouts/shortcodes/sample.html": '{{ partial "code.html" (dict "file" (.Get "file") "url" "https://kite.example/a") }}\n',
        "code/wind.yaml": "- rope: {{ .Length }}\n  # knot\n",
        "content/docs/storm.md": '---\ntitle: Storm\n---\n\nFly.\n\n{{% sample file="code/wind.yaml" %}}\n\nDone.\n',
    }
    site = write(tmp_path / "site", {**HUGO.files, **files})
    import_site(site)
    found = build_site(site, tmp_path / "out", has_search=False).diagnostics
    assert [one.message for one in found if one.span.path.endswith("storm.md")] == []
    html = (tmp_path / "out/docs/storm/index.html").read_text(encoding="utf-8")
    assert 'data-language="yaml"' in html
    assert 'href="https://kite.example/a"' in html
    assert "\ufdd3" not in html
    text = (tmp_path / "out/docs/storm.md").read_text(encoding="utf-8").partition("# Storm")[2]
    assert re.findall(r"Fly\.|`wind\.yaml`|```\w*|- rope: .*|  # knot|Done\.", text) == [
        "Fly.", "`wind.yaml`", "```yaml", "- rope: {{ .Length }}", "  # knot", "```", "Done.",
    ]  # fmt: skip
