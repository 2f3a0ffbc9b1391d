"""Sites of Hexo, whose settings have the name of those of Jekyll."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import text_of, write

FILES = {
    "_config.yml": "title: Kite\nurl: https://kite.example\nroot: /docs/\npermalink: news/:year/:month/:day/:title/\ntheme: sky\nalias:\n  old/land.html: fly/land.html\n  docs/index.html: index.html\n",
    "package.json": '{"dependencies": {"hexo": "^7.0.0"}}',
    "scaffolds/page.md": "title: {{ title }}\n---\n",
    "source/index.md": "title: Home\n---\n\nSee [flying](fly/land.html#How-to-Land).\n",
    "source/fly/land.md": "title: Land\ntags:\n  - a\n---\n\n## How to Land?\n\n{% note info Mind the wind %}\nIt **blows**.\n{% endnote %}\n\n"
    "{% codeblock lang:js kite.js %}\nfly();\n{% endcodeblock %}\n",
    "source/fly/up.md": "---\ntitle: Up\n---\n\n{% note no-icon %}\nUp.\n{% endnote %}\n",
    "source/_posts/2024-05-06-wind.md": "title: Wind\n---\n\nIt blows.\n",
}


def test_front_matter_needs_no_line_above_it(tmp_path: Path) -> None:
    site = write(tmp_path / "site", FILES)
    done = import_site(site)
    assert (done.plan.engine, done.plan.settings["title"], done.plan.settings["base_url"]) == ("hexo", "Kite", "/docs/")
    assert {one["from"]: one["to"] for one in done.plan.settings["redirects"]} == {
        "/old/land.html": "/fly/land.html",
        "/docs/index.html": "/",
    }
    built = build_site(site, tmp_path / "out", has_search=False)
    assert [one.message for one in built.diagnostics] == []
    page = (tmp_path / "out/fly/land.html").read_text()
    assert "<title>Land" in page
    assert 'id="How-to-Land"' in page
    shown = text_of(page[page.index("<article") :])
    assert "Mind the wind It blows ." in shown
    assert "title: Land" not in shown
    assert "info Mind" not in shown
    assert "kite.js" in shown
    assert "fly ();" in shown
    assert "no-icon" not in (tmp_path / "out/fly/up.html").read_text()
    assert (tmp_path / "out/index.html").is_file()
    assert (tmp_path / "out/news/2024/05/06/wind/index.html").is_file()
    assert "fly/land.html#How-to-Land" in (tmp_path / "out/index.html").read_text()
