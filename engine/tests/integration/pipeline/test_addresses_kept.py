"""A site that keeps a ledger of addresses: no build loses one unseen."""

from __future__ import annotations

import pytest

from octavo.publish.build import build_site
from octavo.site import LEDGER_NAME, parse_ledger
from tests.support.sites import HOME, MakeSite, SiteFolder, page

GONE = "If it is gone for good, run `octavo check --update-addresses`."


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    """A site with an empty ledger, built once."""
    files = {**HOME, LEDGER_NAME: "", "docs/start.md": page("Start", "## Ports"), "docs/other.md": page("Other")}
    made = make_site(files)
    assert made.check() == []
    return made


def ledger(site: SiteFolder) -> list[str]:
    return list(parse_ledger((site.root / LEDGER_NAME).read_text(encoding="utf-8")))


def rename(site: SiteFolder) -> None:
    (site.root / "docs/start.md").rename(site.root / "docs/quickstart.md")


def test_build_adds_what_is_new(site: SiteFolder) -> None:
    assert ledger(site) == ["/", "/other", "/start", "/start#ports"]
    site.write({"docs/new.md": page("New"), "static/a.txt": "a"})
    assert site.check() == []
    assert ledger(site) == ["/", "/a.txt", "/new", "/other", "/start", "/start#ports"]


def test_site_without_a_ledger_gets_none(make_site: MakeSite) -> None:
    site = make_site(HOME)
    assert site.check() == []
    assert not (site.root / LEDGER_NAME).exists()


def test_page_that_vanishes_is_an_error_with_the_line_to_add(site: SiteFolder) -> None:
    rename(site)
    assert site.check() == [
        (
            'addresses.txt:5:1: error: "/start" was published, and there is neither a page nor a redirect now. '
            f'If it moved, add to redirects in octavo.toml: {{ from = "/start", to = "/quickstart" }}. {GONE} '
            "[vanished-address]"
        )
    ]
    assert ledger(site) == ["/", "/other", "/start", "/start#ports"]


def test_line_that_was_suggested_mends_it(site: SiteFolder) -> None:
    rename(site)
    site.write({"octavo.toml": 'title = "Site"\nredirects = [{ from = "/start", to = "/quickstart" }]'})
    assert site.check() == []
    assert "/quickstart#ports" in ledger(site)


def test_heading_that_vanishes_is_a_warning_with_the_line_to_add(site: SiteFolder) -> None:
    site.write({"docs/start.md": page("Start", "## All ports")})
    assert site.check() == [
        (
            'addresses.txt:6:1: warn: "/start#ports" was published, and the page has no heading or element with the id '
            '"ports" now. If "all-ports" is its new name, write <a id="ports"></a> before it. '
            f"{GONE} [vanished-anchor]"
        )
    ]
    site.write({"docs/start.md": page("Start", '<a id="ports"></a>\n\n## All ports')})
    assert site.check() == []


def test_weight_of_the_findings_is_a_setting(site: SiteFolder) -> None:
    rename(site)
    site.write({"octavo.toml": 'title = "Site"\n[diagnostics]\nvanished_addresses = "ignore"'})
    assert site.check() == []


def test_update_takes_out_what_is_gone_and_keeps_what_is_redirected(site: SiteFolder) -> None:
    rename(site)
    (site.root / "docs/other.md").unlink()
    site.write(
        {"octavo.toml": 'title = "Site"\nredirects = [{ from = "/sta*", to = "/x" }]'.replace("sta*", "other/*")}
    )
    site.write({"docs/x.md": page("X")})
    build = build_site(site.root, None, updates_addresses=True)
    assert (build.diagnostics, build.is_published) == ([], False)
    assert ledger(site) == ["/", "/other", "/quickstart", "/quickstart#ports", "/x"]


def test_redirect_of_a_folder_has_a_page_for_each_address_that_is_known(site: SiteFolder) -> None:
    site.write({"docs/old/a.md": page("A"), "docs/old/b.md": page("B")})
    assert site.check() == []
    for name in "ab":
        (site.root / f"docs/old/{name}.md").unlink()
    site.write({"docs/new/a.md": page("A"), "docs/new/b.md": page("B"), "docs/new/c.md": page("C")})
    site.write({"octavo.toml": 'title = "Site"\nredirects = [{ from = "/old/*", to = "/new/*" }]'})
    assert site.check() == []
    for name in "abc":
        assert f'content="0; url=/new/{name}"' in site.html(f"/old/{name}")
    assert site.manifest().folder_redirects == {"/old/": "/new/*"}
    assert site.manifest().redirect_pages == ["old/a/index.html", "old/b/index.html", "old/c/index.html"]


def test_redirect_to_a_folder_without_pages_is_a_broken_link(make_site: MakeSite) -> None:
    site = make_site(HOME, '[[redirects]]\nfrom = "/old/*"\nto = "/new/*"')
    assert site.check() == ['octavo.toml:4:6: error: "/new/*": no page lies in that folder. [broken-link]']


def test_link_through_the_redirect_of_a_folder_must_arrive(make_site: MakeSite) -> None:
    files = {**HOME, "docs/new/a.md": page("A", "[good](/old/a) [bad](/old/zzz)")}
    site = make_site(files, '[[redirects]]\nfrom = "/old/*"\nto = "/new/*"')
    assert site.check() == [
        'docs/new/a.md:5:16: error: link "/old/zzz" leads to no document and no file. [broken-link]'
    ]
