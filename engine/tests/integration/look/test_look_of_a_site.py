"""What `[theme]` changes in a published site."""

from __future__ import annotations

import base64
import hashlib
import re

from tests.support.sites import HOME, TWO_LOCALES, MakeSite, page

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
        ("octavo.toml:3:10", "contrast]"),
        ("octavo.toml:4:41", "broken-asset]"),
    ]
    site = make_site({**FILES, "static/fonts/own.woff2": b"wOF2"}, config, name="with-font")
    site.build()
    assert '<link rel="preload" as="font" type="font/woff2" href="/fonts/own.woff2" crossorigin>' in site.html("/a")
    config += "[diagnostics]\ncontrast = 'ignore'\n"
    assert make_site({**FILES, "static/fonts/own.woff2": b"wOF2"}, config, name="ignored").check() == []


def test_styles_scripts_and_tags_are_in_every_page_and_in_the_policy(make_site: MakeSite) -> None:
    settings = """
styles = ["/css/site.css", "https://fonts.example/inter.css"]
scripts = ["/js/site.js", "https://chat.example/widget.js"]
head = [
  { tag = "meta", attributes = { name = "author", content = "Me" } },
  { tag = "script", content = "window.early = 1" },
  { tag = "link", attributes = { rel = "icon", href = "https://pics.example/i.svg" } },
]
"""
    own = {"static/css/site.css": "p { color: red }", "static/js/site.js": "1"}
    site = make_site({**FILES, **own}, settings)
    assert site.check() == []
    for content in (site.html("/a"), site.html("/"), site.published()["404.html"].decode()):
        # Behind the theme's sheet, so that even rules in layers come later.
        assert (
            content.index("client-")
            < content.index("/css/site.css?v=")
            < content.index("https://fonts.example/inter.css")
        )
        assert '<meta name="author" content="Me">' in content
        assert "<script>window.early = 1</script>" in content
    policy = dict(part.partition(" ")[::2] for part in site.manifest().content_policy.split("; "))
    assert "https://fonts.example" in policy["style-src"]
    assert "https://chat.example" in policy["script-src"]
    assert "https://pics.example" in policy["img-src"]
    digest = base64.b64encode(hashlib.sha256(b"window.early = 1").digest()).decode()
    assert f"'sha256-{digest}'" in policy["script-src"]
    assert "unsafe-inline" not in site.manifest().content_policy
    site.write({"static/css/site.css": "p { color: blue }"})
    before = site.html("/a")
    assert site.check() == []
    assert site.html("/a") != before


def test_style_that_is_not_there_is_found(make_site: MakeSite) -> None:
    site = make_site({**FILES, "static/css/site.css": ""}, 'styles = ["/css/sit.css"]\n')
    [found] = site.check()
    assert found == (
        'octavo.toml:2:11: error: "/css/sit.css" is not a file in the folder "static". Did you mean "/css/site.css"? '
        "[broken-asset]"
    )


def test_style_sheet_in_another_encoding_is_found_at_the_first_character(make_site: MakeSite) -> None:
    site = make_site({**FILES, "static/css/site.css": ""}, 'styles = ["/css/site.css"]\n')
    (site.root / "static/css/site.css").write_bytes(
        'p { color: red }\n\na::before { content: "é" }\n'.encode("latin-1")
    )
    assert site.check() == [
        "static/css/site.css:3:23: warn: The style sheet is not UTF-8: browsers show other characters than those that are meant. Save the file as UTF-8. [style-sheet]"
    ]


def test_mistakes_in_style_sheets_are_found_where_they_are(make_site: MakeSite) -> None:
    files = {
        **FILES,
        "static/css/site.css": (
            '@import "parts/more.css";\n@import "parts/gone.css";\n'
            "a { colour: red; color: var(--acent); background: url(../img/mark.svg) }\n"
            "b { background: url('/css/site.css'), url(/docs/img/mork.svg#x) }\n"
            "c { top: 0\n"
        ),
        "static/css/parts/more.css": "@import '../site.css';\n:root { --acent-2: red }\na..b { background: url(file:///x) }\n",
        "static/img/mark.svg": "<svg/>",
    }
    settings = """
base_url = "/docs/"
styles = ["/css/site.css"]
[[head]]
tag = "style"
content = "p { colr: red; background: url(x.png) }"
"""
    site = make_site(files, settings)
    found = [re.sub(r"(?<=: )(error|warning): ", "", line) for line in site.check()]
    assert [(line.partition(": ")[0], line.rpartition(" ")[2]) for line in found] == [
        ("octavo.toml:7:16", "[style-sheet]"),
        ("octavo.toml:7:39", "[style-sheet]"),
        ("static/css/parts/more.css:3:2", "[style-sheet]"),
        ("static/css/parts/more.css:3:20", "[style-sheet]"),
        ("static/css/site.css:2:9", "[broken-asset]"),
        ("static/css/site.css:3:5", "[style-sheet]"),
        ("static/css/site.css:3:29", "[style-sheet]"),
        ("static/css/site.css:4:17", "[style-sheet]"),
        ("static/css/site.css:4:39", "[broken-asset]"),
        ("static/css/site.css:5:3", "[style-sheet]"),
    ]
    said = "\n".join(found)
    for part in (
        'Did you mean "color"?',
        'Did you mean "--accent"?',
        'Write "/docs/css/site.css"',
        "/docs/img/mark.svg",
    ):
        assert part in said
    site.write({"static/css/parts/gone.css": "", "static/img/mork.svg": "<svg/>"})
    assert [line for line in site.check() if "broken-asset" in line] == []


def test_hosts_that_style_sheets_load_from_are_in_the_policy(make_site: MakeSite) -> None:
    sheet = (
        "@import 'https://fonts.googleapis.com/css2?family=Inter';\n"
        "@font-face { font-family: x; src: url(data:font/woff2;base64,aa), url(//cdn.example/x.woff2) }\n"
        "a { background: url(https://pics.example/a.png), url(data:image/png;base64,aa) }"
    )
    site = make_site(
        {**FILES, "static/css/site.css": sheet}, 'styles = ["/css/site.css", "https://own.example/a.css"]\n'
    )
    assert site.check() == []
    policy = dict(part.partition(" ")[::2] for part in site.manifest().content_policy.split("; "))
    assert policy["style-src"] == "'self' https://fonts.googleapis.com https://own.example"
    assert policy["font-src"] == "'self' data: https://cdn.example https://fonts.gstatic.com https://own.example"
    assert "https://pics.example" in policy["img-src"]
    assert "https://own.example" not in policy["script-src"]


def test_broken_link_of_the_bar_is_reported_once_as_the_settings_write_it(make_site: MakeSite) -> None:
    settings = 'base_url = "/base/"\ntrailing_slash = "always"\n[navbar]\nitems = [{ label = "A", href = "/gone/" }, { type = "locale" }]\n'
    assert make_site({**HOME, "docs/a.md": page("A")}, settings + TWO_LOCALES).check() == [
        'octavo.toml:5:32: error: "/gone/" leads to no page and no file. [broken-link]'
    ]
