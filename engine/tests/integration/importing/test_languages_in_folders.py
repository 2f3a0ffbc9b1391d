"""Sites of other engines with a folder for each language, that of the default language included."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from octavo.importing import import_site
from octavo.publish import build_site
from tests.support.sites import page

from .sites import write

_STARLIGHT = {
    "package.json": "{}",
    "astro.config.mjs": """
import starlight from "@astrojs/starlight";
export default { integrations: [starlight({ title: "Kite", defaultLocale: "en",
  locales: { fr: { label: "Français" }, en: { label: "English" }, ar: { label: "العربية", dir: "rtl" } },
  sidebar: [{ label: "Guides", translations: { fr: "Manuels" }, items: ["guide/a", { slug: "guide/b" }] }] })] };
""",
    "src/content/docs/404.md": page("Gone"),
    "src/content/docs/en/index.md": page("Home", "[A](/en/guide/a/)"),
    "src/content/docs/en/guide/a.md": page("First"),
    "src/content/docs/en/guide/b.md": page("Second"),
    "src/content/docs/fr/index.md": page("Accueil", "[A](/fr/guide/a/) et [B](/en/guide/b/)"),
    "src/content/docs/fr/guide/a.md": page("Premier"),
    "src/content/docs/ar/index.md": page("بيت"),
}
_NUXT = {
    "nuxt.config.ts": """
export default defineNuxtConfig({ extends: ["docus"], site: { name: "Kite" },
  i18n: { defaultLocale: "en", locales: [{ code: "fr", name: "Français" }, { code: "en", name: "English" },
    { code: "ar", name: "العربية", dir: "rtl" }, { code: "de", name: "Deutsch" }] },
  routeRules: { "/en/old": { redirect: "/en/guide/a" }, "/docs/**": { redirect: { to: "/en/**", statusCode: 301 } } } });
""",
    "content/en/index.md": page("Home", "[A](/en/guide/a)"),
    "content/en/1.guide/.navigation.yml": "title: Guides\n",
    "content/en/1.guide/1.a.md": page("First"),
    "content/en/1.guide/2.b.md": page("Second"),
    "content/fr/index.md": page("Accueil", "[A](/fr/guide/a) et [B](/en/guide/b)"),
    "content/fr/1.guide/.navigation.yml": "title: Manuels\n",
    "content/fr/1.guide/1.a.md": page("Premier"),
    "content/ar/index.md": page("بيت"),
}
_HUGO = {
    "hugo.toml": """
title = "Kite"
baseURL = "https://kite.example/"
defaultContentLanguage = "en"
defaultContentLanguageInSubdir = true
[languages.en]
languageName = "English"
contentDir = "content/en"
weight = 1
[languages.fr]
languageName = "Français"
contentDir = "content/fr"
weight = 2
[languages.ar]
languageName = "العربية"
contentDir = "content/ar"
languageDirection = "rtl"
weight = 3
""",
    "content/en/_index.md": page("Home", "[A](/en/guide/a/)"),
    "content/en/guide/_index.md": page("Guides"),
    "content/en/guide/a.md": page("First"),
    "content/en/guide/b.md": page("Second"),
    "content/fr/_index.md": page("Accueil", "[A](/fr/guide/a/) et [B](/en/guide/b/)"),
    "content/fr/guide/_index.md": page("Manuels"),
    "content/fr/guide/a.md": page("Premier"),
    "content/ar/_index.md": page("بيت"),
}


def _built(tmp_path: Path, files: dict[str, str]) -> tuple[dict[str, Any], Path]:
    site, out = write(tmp_path / "site", files), tmp_path / "out"
    settings = import_site(site).plan.settings
    done = build_site(site, out, has_search=False)
    assert [one for one in done.diagnostics if one.code in ("unused-label", "broken-link", "broken-anchor")] == []
    return settings, out


@pytest.mark.parametrize("files", [_STARLIGHT, _NUXT, _HUGO], ids=["starlight", "nuxt", "hugo"])
def test_every_language_keeps_its_addresses_and_has_a_switch(files: dict[str, str], tmp_path: Path) -> None:
    settings, out = _built(tmp_path, files)
    shown = [(one["id"], one["label"], one.get("path")) for one in settings["locales"]]
    assert sorted(shown) == [("ar", "العربية", "ar"), ("en", "English", "en"), ("fr", "Français", "fr")]
    assert settings["locales"][0]["id"] == "en"
    assert {"type": "locale", "label": "Language", "position": "right"} in settings["navbar"]["items"]
    names = {path.relative_to(out).as_posix() for path in out.rglob("index.html")}
    own = {f"{language}/{name}" for language in ("en", "fr", "ar") for name in ("index.html", "guide/b/index.html")}
    assert own <= names
    assert 'url=/en/"' in (out / "index.html").read_text(encoding="utf-8")
    french = (out / "fr/guide/a/index.html").read_text(encoding="utf-8")
    assert '<html lang="fr" dir="ltr"' in french
    assert "Manuels" in french
    assert "Premier" in french
    assert '<html lang="ar" dir="rtl"' in (out / "ar/index.html").read_text(encoding="utf-8")
    home = (out / "fr/index.html").read_text(encoding="utf-8")
    ending = "/" if 'href="/fr/guide/a/"' in home else ""
    assert f'href="/fr/guide/a{ending}"' in home
    assert f'href="/en/guide/b{ending}"' in home


def test_rules_of_nuxt_are_redirects(tmp_path: Path) -> None:
    settings, _ = _built(tmp_path, _NUXT)
    assert settings["redirects"] == [{"from": "/en/old", "to": "/en/guide/a"}, {"from": "/docs/*", "to": "/en/*"}]


@pytest.mark.parametrize(
    ("files", "name"),
    [(_STARLIGHT, "src/content/docs/about.md"), (_NUXT, "content/about.md")],
    ids=["starlight", "nuxt"],
)
def test_pages_in_no_folder_of_a_language_are_noted(files: dict[str, str], name: str, tmp_path: Path) -> None:
    plan = import_site(write(tmp_path / "site", {**files, name: page("About")})).plan
    noted = [note.files for note in plan.notes if note.what == "Pages in no folder of a language are left out"]
    assert noted == [[name]]


def test_default_language_of_nuxt_without_a_path_keeps_its_addresses(tmp_path: Path) -> None:
    config = _NUXT["nuxt.config.ts"].replace('extends: ["docus"],', "")
    files = {name: text.replace("/en/", "/") for name, text in _NUXT.items()}
    settings, out = _built(tmp_path, {**files, "nuxt.config.ts": config.replace('"/en/', '"/')})
    assert "path" not in settings["locales"][0]
    assert (out / "guide/a/index.html").is_file()
    assert (out / "fr/guide/a/index.html").is_file()
