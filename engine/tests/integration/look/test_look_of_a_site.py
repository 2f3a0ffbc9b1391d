"""What `[theme]` changes in a published site."""

from __future__ import annotations

import re

from tests.support.sites import HOME, MakeSite, page

FILES = {"docs/a.md": page("A", "Text.\n\n```python\nx = 1\n```"), **HOME}


def test_site_that_sets_nothing_publishes_what_it_did_before(make_site: MakeSite) -> None:
    plain = make_site(FILES, name="plain")
    plain.build()
    assert [address for address in plain.published() if "/look-" in address] == []
    assert "data-site" not in plain.html("/a")


def test_settings_become_one_style_sheet_behind_that_of_the_theme(make_site: MakeSite) -> None:
    site = make_site(FILES, '[theme]\npreset = "product"\n')
    assert site.check() == []
    sheets = re.findall(r'<link rel="stylesheet" href="/([^"]*)"', site.html("/a"))
    assert ("client" in sheets[0], "look-" in sheets[1], len(sheets)) == (True, True, 2)
    assert b"@layer tokens" in site.published()[sheets[1]]
    preloads = re.findall(r'<link rel="preload" as="font" [^>]*href="([^"]*)"', site.html("/a"))
    assert ["sans" in preloads[0], "mono" in preloads[1], len(preloads)] == [True, True, 2]
    before = site.published()
    site.write({"octavo.toml": 'title = "Site"\n[theme]\npreset = "harbor"\n'})
    assert site.check() == []
    assert site.html("/a").encode() != before["a/index.html"]
    assert sheets[1] not in site.published()


def test_weak_color_and_missing_font_are_found_with_their_lines(make_site: MakeSite) -> None:
    config = '[theme]\naccent = "#ff8800"\nfonts.text = { family = "Own", files = ["/fonts/own.woff2"] }\n'
    found = make_site(FILES, config).check()
    assert sorted((line.partition(": ")[0], line.rpartition("[")[2]) for line in found) == [
        ("octavo.toml:3:1", "contrast]"),
        ("octavo.toml:4:1", "broken-asset]"),
    ]
    site = make_site({**FILES, "static/fonts/own.woff2": b"wOF2"}, config, name="with-font")
    site.build()
    assert '<link rel="preload" as="font" type="font/woff2" href="/fonts/own.woff2" crossorigin>' in site.html("/a")
    config += "[diagnostics]\ncontrast = 'ignore'\n"
    assert make_site({**FILES, "static/fonts/own.woff2": b"wOF2"}, config, name="ignored").check() == []
