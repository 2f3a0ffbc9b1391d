"""A finding about a setting is at the line of its value."""

from __future__ import annotations

from tests.support.sites import HOME, MakeSite

LOCALES = """# id = "xx"
[[locales]]
id = "en"
label = "English"
[[locales]]
id = "xx"
label = "Other"
path = "xx"
[[blogs]]
folder = "news"
"""


def test_findings_about_values_are_at_their_lines(make_site: MakeSite) -> None:
    """They were all at the first line of octavo.toml."""
    found = make_site(HOME, LOCALES).findings()
    places = {one.rpartition("[")[2].rstrip("]"): one.partition(": ")[0] for one in found}
    assert places["untranslated-words"] == "octavo.toml:7:6"


def test_empty_blog_is_found_where_its_folder_is_named(make_site: MakeSite) -> None:
    found = make_site(HOME, LOCALES).check()
    [blog] = [one for one in found if one.endswith("[blog]")]
    assert blog.startswith("octavo.toml:11:")


def test_finding_about_no_value_stays_at_the_file(make_site: MakeSite) -> None:
    [switch] = [one for one in make_site(HOME, LOCALES).findings() if one.endswith("[missing-switch]")]
    assert switch.startswith("octavo.toml:1:1: ")
