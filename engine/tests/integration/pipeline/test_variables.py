"""Variables in a published site: a value that changes changes the pages, whatever is in the cache."""

from __future__ import annotations

from tests.support.sites import HOME, MakeSite, page

FILES = {
    "docs/a.md": page("Version {{ version }}", "Import {{ product.name }} here."),
    "docs/b.md": page("B", "Text of its own."),
    "data/product.json": '{"product": {"name": "Acme"}}',
    **HOME,
}


def config(version: str) -> str:
    return f'variable_files = ["data/product.json"]\n[variables]\nversion = "{version}"\n'


def test_changed_value_changes_pages_menus_and_their_markdown(make_site: MakeSite) -> None:
    site = make_site(FILES, config("1.0"))
    assert site.check() == []
    assert "<title>Version 1.0 | Site</title>" in site.html("/a")
    assert "Import Acme here." in site.html("/a")
    site.write({"octavo.toml": f'title = "Site"\n{config("2.0")}'})
    assert site.check() == []
    assert "<title>Version 2.0 | Site</title>" in site.html("/a")
    site.write({"data/product.json": '{"product": {"name": "Emca"}}'})
    assert site.check() == []
    assert "Import Emca here." in site.html("/a")


def test_unknown_name_is_a_finding_whose_level_can_be_set(make_site: MakeSite) -> None:
    files = {**FILES, "docs/b.md": page("B", "Text {{ verzion }}.")}
    site = make_site(files, config("1.0"))
    assert site.check() == [
        'docs/b.md:5:6: warn: The site has no variable "verzion". Did you mean "version"? [unknown-variable]'
    ]
    strict = make_site(files, f"{config('1.0')}[diagnostics]\nunknown_variable = 'error'\n", name="strict")
    assert not strict.build().is_published
