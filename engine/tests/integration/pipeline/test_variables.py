"""Variables in a published site: a value that changes changes the pages, whatever is in the cache."""

from __future__ import annotations

import pytest

from octavo.errors import ConfigError
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


SETTINGS = """
tagline = "For {{ product.name }} {{ version }}"
variable_files = ["data/product.json"]

[variables]
version = "1.0"

[navbar]
items = [{ label = "Version {{ version }}", href = "/a" }]

[[announcements]]
id = "new"
content = "Version {{ version }} and '\\\\{{ version }}' and {{ .Values.image }}"
"""


def test_settings_and_folders_take_variables(make_site: MakeSite) -> None:
    files = {
        **FILES,
        "docs/guide/c.md": page("C"),
        "docs/guide/_category_.yaml": 'label: "Guide to {{ version }}"\nlink:\n  type: generated-index\n',
    }
    site = make_site(files, SETTINGS)
    assert site.check() == []
    shown = site.html("/a")
    assert ">Version 1.0</a>" in shown
    assert "Guide to 1.0" in shown
    assert "{{ version }}" in shown
    assert "Version 1.0 and &#x27;{{ version }}&#x27; and {{ .Values.image }}" in shown or (
        "Version 1.0 and '{{ version }}' and {{ .Values.image }}" in shown
    )
    changed = SETTINGS.replace('"1.0"', '"2.0"')
    site.write({"octavo.toml": f'title = "Site"\n{changed}'})
    assert site.check() == []
    assert ">Version 2.0</a>" in site.html("/a")
    assert "Guide to 2.0" in site.html("/a")


def test_unknown_names_in_settings_and_folders_are_found(make_site: MakeSite) -> None:
    files = {
        **FILES,
        "docs/guide/c.md": page("C"),
        "docs/guide/_category_.yaml": "position: 1\nlabel: Of {{ verzion }}\n",
    }
    (found,) = make_site(files, config("1.0")).check()
    assert found.startswith("docs/guide/_category_.yaml:2:1: warn: ")
    assert found.endswith('The site has no variable "verzion". Did you mean "version"? [unknown-variable]')
    broken = make_site(FILES, f"tagline = 'For {{{{ verzion }}}}'\n{config('1.0')}", name="broken")
    with pytest.raises(
        ConfigError, match=r'octavo.toml:2: .*the site has no variable "verzion"; did you mean "version"'
    ):
        broken.build()
