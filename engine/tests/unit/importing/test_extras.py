"""Statistics, banners and tags of the head of sites of other engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .planned import noted, pages, plan_of

META = {"tag": "meta", "attributes": {"name": "verify", "content": "a&b"}}


def of_docusaurus(tmp_path: Path, settings: dict[str, Any]) -> Any:
    config = json.dumps({"title": "Kilns", "url": "https://a.example", "baseUrl": "/", **settings})
    return plan_of(tmp_path, {"docusaurus.config.js": f"module.exports = {config}", **pages("docs/a.md")})


@pytest.mark.parametrize(
    ("settings", "google", "others"),
    [
        ({"presets": [["classic", {"gtag": {"trackingID": "G-ABC123"}}]]}, "G-ABC123", []),
        ({"presets": [["classic", {"gtag": {"trackingID": ["G-A1", "G-B2"]}}]]}, ["G-A1", "G-B2"], []),
        (
            {"plugins": [["@docusaurus/plugin-google-gtag", {"trackingID": "G-C3"}]], "presets": [["classic", {}]]},
            "G-C3",
            [],
        ),
        ({"presets": [["classic", {"googleTagManager": {"containerId": "GTM-XYZ"}}]]}, None, ["GTM-XYZ"]),
    ],
)
def test_measurements_of_docusaurus(tmp_path: Path, settings: Any, google: Any, others: list[str]) -> None:
    plan = of_docusaurus(tmp_path, settings)
    assert plan.settings.get("analytics", {}).get("google") == google
    assert noted(plan, "Statistics that are not measured") == others


def test_tags_of_docusaurus_that_programs_read_are_kept(tmp_path: Path) -> None:
    head = [
        {"tagName": "meta", "attributes": {"name": "verify", "content": "a&amp;b"}},
        {"tagName": "link", "attributes": {"rel": "me", "href": "https://social.example/@kilns"}},
        {"tagName": "link", "attributes": {"rel": "stylesheet", "href": "https://a.example/a.css"}},
        {"tagName": "script", "attributes": {"src": "https://a.example/a.js"}},
        {"tagName": "meta", "attributes": {"name": "viewport", "content": "x"}},
    ]
    theme = {"metadata": [{"property": "fb:app_id", "content": "12"}, {"name": "twitter:card", "content": "summary"}]}
    plan = of_docusaurus(tmp_path, {"headTags": head, "themeConfig": theme, "presets": [["classic", {}]]})
    assert plan.settings["head"] == [
        META,
        {"tag": "link", "attributes": {"rel": "me", "href": "https://social.example/@kilns"}},
        {"tag": "meta", "attributes": {"property": "fb:app_id", "content": "12"}},
    ]
    assert noted(plan, "Tags of the head") == [
        "link stylesheet",
        "script https://a.example/a.js",
        "meta twitter:card",
    ]


def test_extras_of_mintlify(tmp_path: Path) -> None:
    config = {
        "name": "Kilns",
        "navigation": {"groups": [{"group": "Start", "pages": ["index"]}]},
        "banner": {"content": "**New:** read [the news](https://a.example/news)", "dismissible": True},
        "integrations": {"ga4": {"measurementId": "G-ABC123"}},
        "seo": {"metatags": {"verify": "a&b", "robots": "noindex"}},
    }
    plan = plan_of(tmp_path, {"docs.json": config, **pages("index.mdx")})
    assert plan.settings["announcements"] == [
        {
            "id": "announcement",
            "content": '<strong>New:</strong> read <a href="https://a.example/news">the news</a>',
            "is_closeable": True,
        }
    ]
    assert plan.settings["analytics"] == {"google": "G-ABC123"}
    assert plan.settings["head"] == [META, {"tag": "meta", "attributes": {"name": "robots", "content": "noindex"}}]


def test_extras_of_hugo(tmp_path: Path) -> None:
    config = (
        'baseURL = "https://a.example/"\ntitle = "Kilns"\ncopyright = "Kilns, 2026"\n'
        '[services.googleAnalytics]\nid = "G-ABC123"\n[params.banner]\nkey = "news"\nmessage = "*News*"\n'
    )
    plan = plan_of(tmp_path, {"hugo.toml": config, "content/docs/a.md": "---\ntitle: A\n---\n"})
    assert plan.settings["analytics"] == {"google": "G-ABC123"}
    assert plan.settings["announcements"] == [{"id": "news", "content": "<em>News</em>", "is_closeable": True}]
    assert plan.settings["footer"] == {"copyright": "Kilns, 2026"}


@pytest.mark.parametrize(
    "files",
    [
        {
            ".vitepress/config.mjs": "export default {title: 'Kilns', head: [['meta', {name: 'verify', content: 'a&b'}], ['script', {}, 'x']]}",
            **pages("index.md"),
        },
        {
            "astro.config.mjs": "import { defineConfig } from 'astro/config'\nimport starlight from '@astrojs/starlight'\n"
            "export default defineConfig({integrations: [starlight({title: 'Kilns', head: [{tag: 'meta', attrs: {name: 'verify', content: 'a&b'}}]})]})",
            "src/content/docs/index.md": "---\ntitle: Home\n---\n",
        },
    ],
)
def test_tags_of_vitepress_and_starlight_are_kept(tmp_path: Path, files: dict[str, Any]) -> None:
    assert plan_of(tmp_path, files).settings["head"] == [META]


def test_measurements_of_material(tmp_path: Path) -> None:
    config = "site_name: Kilns\ntheme: {name: material}\nextra:\n  analytics: {provider: google, property: G-ABC123}\n"
    assert plan_of(tmp_path, {"mkdocs.yml": config, **pages("docs/index.md")}).settings["analytics"] == {
        "google": "G-ABC123"
    }
