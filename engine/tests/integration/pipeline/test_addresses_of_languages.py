"""Sites whose addresses all name their language, that of the default language included."""

from __future__ import annotations

import json

from octavo.site import Redirects
from tests.support.sites import MakeSite, page

CONFIG = """url = "https://docs.example.org"
offline = true
[navbar]
items = [{ type = "locale" }]
[[locales]]
id = "en"
label = "English"
path = "en"
[[locales]]
id = "fr"
label = "Français"
path = "fr"
docs = "i18n/fr"
"""
FILES = {
    "docs/index.md": page("Home", "See [installing](/install) and [the same](/en/install)."),
    "docs/install.md": page("Install", "## How"),
    "docs/only.md": page("Only here", "See [installing](/en/install#how) and [the start](/en/)."),
    "i18n/fr/docs/index.md": page("Accueil", "Voir [installer](/install) et [en anglais](/en/install)."),
    "i18n/fr/docs/install.md": page("Installer", "## Comment {#how}"),
}


def test_every_language_is_at_its_own_path_and_the_root_leads_to_the_first(make_site: MakeSite) -> None:
    site = make_site(FILES, CONFIG)
    assert site.findings() == []
    site.build()
    manifest = site.manifest()
    assert sorted(manifest.routes) == ["/en/", "/en/install", "/en/only", "/fr/", "/fr/install", "/fr/only"]
    assert manifest.redirects == {"/": "/en/"}
    assert manifest.not_found == "404.html"
    assert manifest.not_found_by_locale == {"fr": "fr/404.html"}
    assert '<html lang="en"' in (site.out / "404.html").read_text()
    assert not (site.out / "en/404.html").exists()
    assert 'url=/en/"' in (site.out / "index.html").read_text()
    assert "/en/search" in (site.out / "opensearch.xml").read_text()


def test_links_languages_and_homes_lead_to_pages(make_site: MakeSite) -> None:
    site = make_site(FILES, CONFIG)
    site.build()
    assert '<a href="/en/install">installing</a> and <a href="/en/install">the same</a>' in site.html("/en/")
    assert '<a href="/fr/install">installer</a> et <a href="/en/install">en anglais</a>' in site.html("/fr/")
    switch = {one["id"]: (one["href"], one["isExact"]) for one in site.payload("/fr/install")["locales"]}
    assert switch == {"en": ("/en/install", True), "fr": ("/fr/install", True)}
    notice = site.payload("/fr/only")["translation"]
    assert (notice["kind"], notice["href"], notice["lang"]) == ("untranslated", "/en/only", "en")
    # A page without a translation leads on in the language of its reader.
    assert '<a href="/fr/install#how">installing</a> and <a href="/fr/">the start</a>' in site.html("/fr/only")
    assert '<a href="/en/install#how">installing</a> and <a href="/en/">the start</a>' in site.html("/en/only")


def test_pages_that_were_not_read_before_say_so_in_the_language_of_their_address(make_site: MakeSite) -> None:
    site = make_site(FILES, CONFIG)
    site.build()
    script = (site.out / "offline-worker.js").read_text()
    notices = json.loads(script.partition("=")[2].partition(";\n")[0])["notices"]
    assert [one[:2] for one in notices] == [["/", "en"], ["/en/", "en"], ["/fr/", "fr"]]


def test_a_redirect_of_the_root_is_the_authors(make_site: MakeSite) -> None:
    site = make_site(FILES, 'redirects = [{ from = "/", to = "/fr/" }]\n' + CONFIG)
    assert Redirects.of(site.assemble().config).exact == {"/": "/fr/"}
