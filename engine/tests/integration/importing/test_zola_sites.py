"""Sites of Zola."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write


def test_a_site_of_zola_keeps_its_addresses_and_its_order(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "config.toml": 'base_url = "https://kites.example"\ntitle = "Kites"\ntheme = "sky"\n[extra]\nx = 1\n',
            "content/_index.md": '+++\ntitle = "Home"\n+++\n\nSee [two](@/docs/two.md#here).\n',
            "content/docs/_index.md": '+++\ntitle = "Docs"\nsort_by = "weight"\n+++\n',
            "content/docs/one.md": '+++\ntitle = "One"\nweight = 2\naliases = ["old/one"]\n+++\n\n{{ youtube(id="abc") }}\n',
            "content/docs/two.md": '+++\ntitle = "Two"\nweight = 1\nslug = "second"\n+++\n\n## Here {#here .wide}\n\nText.\n',
            "templates/shortcodes/box.html": "<div>{{ body }}</div>",
        },
    )
    done = import_site(site)
    assert (done.plan.engine, done.plan.settings["title"]) == ("zola", "Kites")
    built = build_site(site, tmp_path / "out", has_search=False)
    assert [one.code for one in built.diagnostics] == []
    for name in ("index.html", "docs/second/index.html", "docs/one/index.html"):
        assert (tmp_path / "out" / name).is_file()
    assert '/docs/second/#here"' in (tmp_path / "out/index.html").read_text()
    assert {"from": "/old/one/", "to": "/docs/one/"} in done.plan.settings["redirects"]
