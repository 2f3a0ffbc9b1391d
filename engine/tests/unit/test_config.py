"""What octavo.toml may contain, and the messages about everything else."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from octavo.config import Config, Extension, Locale, MarkdownFolder, Version, load_config, parse_config
from octavo.content import EXTENSIONS
from octavo.errors import ConfigError
from tests.support.each import each


def message_of(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    return str(caught.value)


def test_title_alone_is_a_configuration() -> None:
    config = parse_config('title = "Docs"')
    assert config == Config(title="Docs")
    assert (config.base_url, config.docs, config.color_mode.default, config.search.placeholder) == (
        "/",
        "docs",
        "dark",
        None,
    )
    assert config.diagnostics.broken_links == "error"
    assert (config.diagnostics.broken_anchors, config.diagnostics.duplicate_routes) == ("warn", "warn")


def test_single_version_is_labelled_next_and_single_language_is_english() -> None:
    config = parse_config('title = "Docs"')
    assert config.versions == [Version(name="current", label="Next")]
    assert config.locales == [Locale(id="en", label="English")]
    assert config.last_version is config.versions[0]
    assert config.default_locale is config.locales[0]


def test_last_version_is_the_one_without_a_path() -> None:
    config = parse_config(
        'title = "Docs"\n[[versions]]\nname = "next"\nlabel = "Next"\npath = "next"\n'
        '[[versions]]\nname = "2.0"\nlabel = "2.0"\n'
    )
    assert config.last_version.name == "2.0"


@pytest.mark.parametrize("folder", ["guides", "guides/", "./guides", "./guides//"])
def test_folders_are_written_in_one_form(folder: str) -> None:
    assert parse_config(f'title = "Docs"\ndocs = "{folder}"').docs == "guides"


MESSAGES = {
    "no title": ("tagline = 'x'", "octavo.toml:1: title is missing; it must be given."),
    "a number for text": ("title = 3", "octavo.toml:1: title is 3; expected text in quotes."),
    "text for a flag": (
        'title = "a"\n\n[color_mode]\nhas_switch = "yes"',
        'octavo.toml:4: color_mode.has_switch is "yes"; expected true or false.',
    ),
    "a number for a flag": (
        'title = "a"\n[color_mode]\nhas_switch = 1',
        "octavo.toml:3: color_mode.has_switch is 1; expected true or false.",
    ),
    "a word that is not among the choices": (
        'title = "a"\n[diagnostics]\nbroken_links = "fatal"',
        'octavo.toml:3: diagnostics.broken_links is "fatal"; expected "error", "warn" or "ignore".',
    ),
    "a choice in the second item of a list": (
        (
            'title = "a"\n[navbar]\n# position is explained here\nitems = [\n  { label = "A", position = "left" },\n'
            '  { label = "B", position = "middle" },\n]'
        ),
        'octavo.toml:6: navbar.items.position is "middle"; expected "left" or "right".',
    ),
    "text for a list": (
        'title = "a"\n[search]\nhosts = "one"',
        'octavo.toml:3: search.hosts is "one"; expected a list of texts.',
    ),
    "a number in a list of texts": (
        'title = "a"\n[search]\nhosts = ["https://one.example", 3]',
        "octavo.toml:3: search.hosts is 3; expected text in quotes.",
    ),
    "a number for a table": ('title = "a"\nsearch = 3', "octavo.toml:2: search is 3; expected a table."),
    "a table for text": (
        'title = "a"\n[tagline]\nx = 1',
        "octavo.toml:2: tagline is a table; expected text in quotes.",
    ),
    "a value of a free table": (
        'title = "a"\nmagic_comments = { added = 3 }',
        "octavo.toml:2: magic_comments.added is 3; expected text in quotes.",
    ),
    "an unknown key near a known one": (
        'title = "a"\ntagln = "x"',
        'octavo.toml:2: "tagln" is not a setting. Did you mean "tagline"?',
    ),
    "an unknown key in a table": (
        'title = "a"\n[color_mode]\ntitle = 3',
        (
            'octavo.toml:3: "title" is not a setting in color_mode. Known settings: default, respect_system, has_switch. '
            "As a setting of the whole file, write it above the first line in brackets."
        ),
    ),
    "an unknown key in an item": (
        (
            'title = "a"\n[[announcements]]\nid = "a"\ncontent = "b"\n\n[[announcements]]\nid = "b"\ncontent = "b"\n'
            "is_closable = true"
        ),
        'octavo.toml:9: "is_closable" is not a setting in announcements. Did you mean "is_closeable"?',
    ),
    "an unknown key far from all": ('title = "a"\nzzz = "x"', 'octavo.toml:2: "zzz" is not a setting.'),
    "a field that an item lacks": (
        'title = "a"\n[[announcements]]\nid = "a"\ncontent = "b"\n[[announcements]]\nid = "b"',
        "octavo.toml:5: announcements.content is missing; it must be given.",
    ),
    "a field that a table lacks": (
        'title = "a"\n[navbar.logo]\nsrc = "/x.svg"',
        "octavo.toml:2: navbar.logo.alt is missing; it must be given.",
    ),
    "a field that a table in one line lacks": (
        'title = "a"\n[[blogs]]\nfolder = "news"\ntitle = "News"\nauthors.bob = { url = "/b" }',
        "octavo.toml:5: blogs.authors.bob.name is missing; it must be given.",
    ),
    "no TOML": ("title = = 3", "octavo.toml:1:9: this is not valid TOML: Invalid value."),
    "TOML that ends early": (
        'title = "a"\n[search',
        "octavo.toml:2: this is not valid TOML: Expected ']' at the end of a table declaration.",
    ),
    "a list in brackets that a table continues": (
        'title = "a"\n[navbar]\nitems = []\n[[navbar.items]]\nlabel = "b"',
        (
            "octavo.toml:4:15: this is not valid TOML: Cannot mutate immutable namespace ('navbar', 'items'). "
            '"navbar.items" is written before in line 3, and a table or a list has one place: add the new lines there.'
        ),
    ),
    "a table in two places": (
        'title = "a"\n[theme]\nradius = "none"\n[search]\n[theme]\naccent = "#000000"',
        (
            "octavo.toml:5:7: this is not valid TOML: Cannot declare ('theme',) twice. "
            '"theme" is written before in line 2, and a table or a list has one place: add the new lines there.'
        ),
    ),
    "a base URL without slashes": (
        'title = "a"\nbase_url = "docs"',
        'octavo.toml:2: base_url is "docs"; it must begin and end with a slash, such as "/docs/".',
    ),
    "an address with a path": (
        'title = "a"\nurl = "https://example.org/docs"',
        (
            'octavo.toml:2: url is "https://example.org/docs"; '
            'expected an address without a path, such as "https://docs.example.org".'
        ),
    ),
    "no locales": ('title = "a"\nlocales = []', "octavo.toml:2: locales is empty; at least one is needed."),
    "a version named twice": (
        'title = "a"\nversions = [\n  { name = "1", label = "One" },\n  { name = "1", label = "Two", path = "x" },\n]',
        'octavo.toml:4: versions: "1" is named twice; each must have a name of its own.',
    ),
    "a sidebar named twice": (
        'title = "a"\nsidebars = [{ id = "x", items = [] }, { id = "x", items = [] }]',
        'octavo.toml:2: sidebars: "x" is named twice; each must have a name of its own.',
    ),
    "two versions at the root": (
        'title = "a"\n[[versions]]\nname = "1"\nlabel = "1"\n[[versions]]\nname = "2"\nlabel = "2"',
        'octavo.toml:6: versions: "1" and "2" both have no path; each must have its own.',
    ),
    "two locales at one path": (
        (
            'title = "a"\nlocales = [{ id = "en", label = "E" }, { id = "fr", label = "F", path = "x" },\n'
            '  { id = "de", label = "D", path = "x" }]'
        ),
        'octavo.toml:3: locales: "fr" and "de" both have the path "x"; each must have its own.',
    ),
    "no version at the root": (
        'title = "a"\nversions = [{ name = "1", label = "1", path = "one" }]',
        "octavo.toml:2: versions: each has a path; the last version must have none, so that its pages are at the root.",
    ),
    "a default locale with a path": (
        'title = "a"\nlocales = [{ id = "en", label = "E", path = "en" }]',
        'octavo.toml:2: locales: the path of "en" is "en"; the first locale is the default one and has none.',
    ),
    "a locale without a path beside others": (
        'title = "a"\nlocales = [{ id = "en", label = "E", path = "en" },\n  { id = "fr", label = "F" }]',
        'octavo.toml:3: locales: "fr" has no path, but the first locale has one; give each a path, or the first none.',
    ),
    "a path of two parts": (
        'title = "a"\nlocales = [{ id = "en", label = "E" },\n  { id = "fr", label = "F", path = "a/b" }]',
        'octavo.toml:3: locales: the path of "fr" is "a/b"; expected one part of a route, without slashes.',
    ),
    "a suffix with a dot": (
        'title = "a"\nlocales = [{ id = "en", label = "E" },\n  { id = "fr", label = "F", path = "fr", suffix = ".fr" }]',
        'octavo.toml:3: locales: the suffix of "fr" is ".fr"; expected letters, digits, "-" and "_", such as "de" for install.de.md.',
    ),
    "a suffix beside a folder": (
        (
            'title = "a"\nlocales = [{ id = "en", label = "E" },\n'
            '  { id = "fr", label = "F", path = "fr", suffix = "fr", docs = "i18n" }]'
        ),
        (
            'octavo.toml:3: locales: the suffix of "fr" is given together with docs or folders; translations lie either '
            "beside originals or in folders."
        ),
    ),
    "a folder outside the site": (
        'title = "a"\nstatic = "../shared"',
        'octavo.toml:2: static is "../shared"; expected a folder inside the site, without "..".',
    ),
    "a version's folder outside the site": (
        'title = "a"\nversions = [{ name = "1", label = "1", docs = "/etc" }]',
        'octavo.toml:2: docs is "/etc"; expected a folder inside the site, without "..".',
    ),
    "a redirect without a slash": (
        'title = "a"\n[[redirects]]\nfrom = "old"\nto = "/new"',
        'octavo.toml:3: redirects: from is "old"; expected a path that begins with one slash.',
    ),
    "a redirect to another host": (
        'title = "a"\n[[redirects]]\nfrom = "/old"\nto = "//evil.example"',
        'octavo.toml:4: redirects: to is "//evil.example"; expected a path that begins with one slash, or an address.',
    ),
    "a star within a redirect": (
        'title = "a"\n[[redirects]]\nfrom = "/old*"\nto = "/new"',
        'octavo.toml:3: redirects: from is "/old*"; a star is possible only at the end, for all of a folder: "/old/*".',
    ),
    "a star without its counterpart": (
        'title = "a"\n[[redirects]]\nfrom = "/old"\nto = "/new/*"',
        (
            'octavo.toml:3: redirects: to is "/new/*", but from is "/old"; the star needs one at the end of from as well.'
        ),
    ),
    "a redirect into its own folder": (
        'title = "a"\n[[redirects]]\nfrom = "/old/*"\nto = "/old/new/*"',
        (
            'octavo.toml:3: redirects: "/old/*" leads to "/old/new/*", which lies in the same folder and would be led on '
            "for ever."
        ),
    ),
    "redirects in a circle": (
        'title = "a"\n[[redirects]]\nfrom = "/a"\nto = "/b"\n[[redirects]]\nfrom = "/b"\nto = "/a"',
        (
            'octavo.toml:3: redirects: "/a" leads back to itself; no reader would ever arrive.\n'
            'octavo.toml:6: redirects: "/b" leads back to itself; no reader would ever arrive.'
        ),
    ),
    "a redirect from outside": (
        'title = "a"\n[[redirects]]\nfrom = "/a/../b"\nto = "/"',
        'octavo.toml:3: redirects: from is "/a/../b"; expected a path without "." and "..".',
    ),
    "a measurement id that is none": (
        'title = "a"\n[analytics]\ngoogle = ["G-1", "me"]',
        'octavo.toml:3: analytics.google is "me"; expected a measurement id, such as "G-0123456789".',
    ),
    "an endpoint that is not an address": (
        'title = "a"\n[analytics]\nendpoint = "views.example.org"',
        'octavo.toml:3: analytics.endpoint is "views.example.org"; expected an address, or a path that begins with one slash.',
    ),
    "a consent script at another host without a scheme": (
        'title = "a"\n[analytics]\nneeds_consent = true\nconsent_script = "//evil.example/c.js"',
        'octavo.toml:4: analytics.consent_script is "//evil.example/c.js"; expected an address, or a path that begins with one slash.',
    ),
    "a consent script where nobody asks for consent": (
        'title = "a"\n[analytics]\nconsent_script = "/consent.js"',
        "octavo.toml:3: analytics.consent_script is set, but needs_consent is not; set it to true, or take the script away.",
    ),
    "a repository without its host": (
        'title = "a"\n[markdown]\nrepository = "owner/name"',
        'octavo.toml:3: markdown.repository is "owner/name"; expected an address, such as "https://github.com/owner/name".',
    ),
    "a search host without a scheme": (
        'title = "a"\n[search]\nhosts = ["search.example.org"]',
        'octavo.toml:3: search: hosts is "search.example.org"; expected an address, such as "https://search.example.org".',
    ),
    "a report of missing results that is a script": (
        'title = "a"\n[search]\nmissing_results_url = "javascript:alert(1)"',
        'octavo.toml:3: search: missing_results_url is "javascript:alert(1)"; expected an address, such as "https://search.example.org".',
    ),
    "groups of no results": (
        'title = "a"\n[search]\nresults_per_group = 0',
        "octavo.toml:3: search.results_per_group is 0; expected 1 or more.",
    ),
    "another site that is this one": (
        'title = "a"\n[search]\nother_sites = { docs = "Docs" }',
        'octavo.toml:3: search.other_sites: "docs" is the index_name of this site; name the others only.',
    ),
    "another site without a name": (
        'title = "a"\n[search]\nother_sites = { shop = " " }',
        'octavo.toml:3: search.other_sites: "shop" has no name; expected words for readers, such as "Shop".',
    ),
    "an index of less than nothing": (
        'title = "a"\n[search]\nmost_offline_megabytes = -1',
        "octavo.toml:3: search.most_offline_megabytes is -1; expected 0 or more.",
    ),
    "commands outside the site": (
        'title = "a"\n[[commands]]\nsource = "../pot.yaml"\ndocs = "cli"',
        'octavo.toml:3: source is "../pot.yaml"; expected a folder inside the site, without "..".',
    ),
    "pages of commands outside the docs": (
        'title = "a"\n[[commands]]\nsource = "pot.yaml"\ndocs = "/cli"',
        'octavo.toml:4: docs is "/cli"; expected a folder inside the site, without "..".',
    ),
    "a sidebar entry of two kinds": (
        'title = "a"\n[[sidebars]]\nid = "x"\nitems = [\n  { category = "C", items = [{ doc = "a", href = "/b" }] },\n]',
        'octavo.toml:5: sidebar "x": an entry has both doc and href; expected exactly one of them.',
    ),
    "NUL": (
        'title = "a"\ntagline = "b\\u0000"',
        "octavo.toml:2:13: this stands for the character NUL, which no page can show. Remove it.",
    ),
    "a sidebar entry of no kind": (
        'title = "a"\n[[sidebars]]\nid = "x"\nitems = [\n  { label = "Lost" },\n]',
        'octavo.toml:5: sidebar "x": an entry has neither doc, href, category nor autogenerated; expected one.',
    ),
}


@pytest.mark.costly
@each("case", MESSAGES)
def test_mistake_is_named_with_its_line_and_what_was_expected(case: str) -> None:
    text, expected = MESSAGES[case]
    assert message_of(text) == expected


def test_missing_file_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path / 'octavo.toml'} does not exist. "
        f"Name a folder that contains an octavo.toml, or create one with `octavo new {tmp_path}`."
    )


@pytest.mark.parametrize(("asked", "owner"), [("site/docs/guides", "site"), (".", "site"), ("other", "")])
def test_missing_file_names_the_site_around_or_directly_below(asked: str, owner: str, tmp_path: Path) -> None:
    for folder in ("site/docs/guides", "other", "deep/er/site"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "site/octavo.toml").write_text('title = "Kite"')
    (tmp_path / "deep/er/site/octavo.toml").write_text('title = "Kite"')
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path / asked)
    named = f"Name {tmp_path / owner}, which contains one."
    assert (named in str(caught.value)) == bool(owner)


def test_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").write_bytes(b'title = "\xff"')
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path)
    assert str(caught.value) == f"{tmp_path / 'octavo.toml'}:1:10: this byte is not UTF-8. Save the file as UTF-8."


def test_message_names_the_file_that_was_read(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").write_text("title = 3")
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path)
    assert str(caught.value) == f"{tmp_path / 'octavo.toml'}:1: title is 3; expected text in quotes."


def test_all_mistakes_are_told_at_once_at_their_lines() -> None:
    text = (
        'title = "a"\ntagln = "x"\nbase_url = "docs"\nurl = 3\n\n[color_mode]\nhas_switch = 1\ndefault = "blue"\n\n'
        '[[redirects]]\nfrom = "old"\nto = "/new"\n\n[[redirects]]\nfrom = "/old"\nto = "new"\n'
    )
    assert [line.partition(": ")[0] for line in message_of(text).split("\n")] == [
        f"octavo.toml:{number}" for number in (2, 3, 4, 7, 8, 11, 16)
    ]


def test_missing_setting_is_told_with_the_others() -> None:
    assert [line.partition(": ")[2] for line in message_of('tagln = "x"').split("\n")] == [
        '"tagln" is not a setting. Did you mean "tagline"?',
        "title is missing; it must be given.",
    ]


def test_mistake_in_a_list_hides_none_elsewhere() -> None:
    """And none is made up: what refers to an entry of the list is not judged without it."""
    text = (
        'title = "a"\n[[redirects]]\nfrm = "/a"\n[search]\nis_enabled = "yes"\n[[sidebars]]\nid = "docs"\nitms = []\n'
        '[navbar]\nitems = [{ label = "Docs", sidebar = "docs" }]\n[color_mode]\nhas_switch = 1\n'
    )
    assert [line.partition(": ")[::2] for line in message_of(text).split("\n")] == [
        ("octavo.toml:2", "redirects.from is missing; it must be given."),
        ("octavo.toml:3", '"frm" is not a setting in redirects. Did you mean "from"?'),
        ("octavo.toml:5", 'search.is_enabled is "yes"; expected true or false.'),
        ("octavo.toml:6", "sidebars.items is missing; it must be given."),
        ("octavo.toml:8", '"itms" is not a setting in sidebars. Did you mean "items"?'),
        ("octavo.toml:12", "color_mode.has_switch is 1; expected true or false."),
    ]


def test_text_over_several_lines_is_no_setting() -> None:
    for quotes in ('"""', "'''"):
        text = f'title = "a"\ntagline = {quotes}\nbase_url = "docs"\n# {quotes}\nbase_url = "docs"\n'
        assert message_of(text).startswith("octavo.toml:5: base_url")


@pytest.mark.parametrize(
    ("text", "folders"),
    [
        ("", {"": MarkdownFolder()}),
        ('markdown = "mdx"', {"": MarkdownFolder(dialect="mdx")}),
        (
            '[markdown]\nextensions = ["attr_list", "tabs"]\n"docs/new" = "mdx"',
            {"": MarkdownFolder(extensions=["attr_list", "tabs"]), "docs/new": MarkdownFolder(dialect="mdx")},
        ),
        (
            '[markdown."./docs/"]\ndialect = "mdx"\naliases = { "@parts" = "src/parts" }\n[markdown."."]\nslugs = "vitepress"',
            {
                "docs": MarkdownFolder(dialect="mdx", aliases={"@parts": "src/parts"}),
                "": MarkdownFolder(slugs="vitepress"),
            },
        ),
        ('[markdown]\nextensions = "mdx"', {"extensions": MarkdownFolder(dialect="mdx")}),
    ],
)
def test_dialects_and_extensions_are_given_for_the_site_or_by_folder(
    text: str, folders: dict[str, MarkdownFolder]
) -> None:
    assert parse_config(f'title = "a"\n{text}').markdown_folders == folders


def test_an_unknown_extension_is_named_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r'octavo.toml:3: .*"attrlist".*"attr_list"'):
        parse_config('title = "a"\n[markdown]\nextensions = ["attrlist"]')


def test_compiler_and_settings_know_the_same_extensions() -> None:
    assert sorted(get_args(Extension)) == sorted(EXTENSIONS)


def test_who_may_use_the_server_is_checked_at_its_lines() -> None:
    text = (
        'title = "a"\n[server]\nallowed_hosts = [\n"docs.example.org", ".example.org", "*",\n"https://a.example"]\n'
        'search_origins = ["https://a.example", "https://a.example/"]\ntrusted_proxies = ["10.0.0.0/8", "proxy"]\n'
        'proxy_header = "via"\n'
    )
    assert message_of(text).split("\n") == [
        (
            'octavo.toml:3: server.allowed_hosts: "https://a.example" is not a host name; expected a host name without scheme, '
            'port and path, such as "docs.example.org".'
        ),
        (
            'octavo.toml:6: server.search_origins: "https://a.example/" is not an origin; expected scheme and host without a '
            'slash at the end, such as "https://www.example.org".'
        ),
        (
            'octavo.toml:7: server.trusted_proxies: "proxy" is not an address; expected an address or a network, such as '
            '"10.0.0.0/8".'
        ),
        'octavo.toml:8: server.proxy_header is "via"; expected "x-forwarded-for" or "forwarded".',
    ]


def test_values_are_taken_from_the_environment_wherever_a_text_stands() -> None:
    text = (
        'title = "env:TITLE"\nurl = "env:SITE"\n[search]\nhosts = ["https://a.example", "env:HOST"]\n'
        '[search.synonyms]\nfaq = ["env:WORDS", "env:not a name", "environment"]\n'
    )
    given = {"TITLE": "Site", "SITE": "https://a.example", "HOST": "https://b.example", "WORDS": "questions"}
    config = parse_config(text, environment=given)
    assert (config.title, config.url) == ("Site", "https://a.example")
    assert config.search.hosts == ["https://a.example", "https://b.example"]
    assert config.search.synonyms == {"faq": ["questions", "env:not a name", "environment"]}


def test_variables_that_are_not_set_are_named_at_their_lines_with_other_mistakes() -> None:
    text = 'title = "a"\nurl = "env:SITE"\nbase_url = "docs"\n[search]\nhosts = [\n"env:FIRST",\n"env:SECOND"]\n'
    with pytest.raises(ConfigError) as caught:
        parse_config(text, environment={"OTHER": "1"})
    assert str(caught.value).split("\n") == [
        'octavo.toml:2: "env:SITE": the environment has no variable SITE; set it, or write the value here.',
        'octavo.toml:3: base_url is "docs"; it must begin and end with a slash, such as "/docs/".',
        'octavo.toml:6: "env:FIRST": the environment has no variable FIRST; set it, or write the value here.',
        'octavo.toml:7: "env:SECOND": the environment has no variable SECOND; set it, or write the value here.',
    ]


@pytest.mark.parametrize(
    ("url", "published"),
    [
        ("https://docs.example.org", True),
        ("http://localhost.example.org", True),
        ("http://127.example.org", True),
        ("http://localhost:3000", False),
        ("http://docs.localhost", False),
        ("http://127.0.0.1", False),
        ("http://[::1]:3000", False),
        ("http://0.0.0.0:3000", False),
    ],
)
def test_address_of_this_machine_is_not_where_a_site_is_published(url: str, published: bool) -> None:
    assert parse_config(f'title = "a"\nurl = "{url}"').published_url == (url if published else "")


def test_without_an_address_nothing_is_published_anywhere() -> None:
    assert parse_config('title = "a"').published_url == ""
