"""The limits of settings: the last value on each side, and the line at which a mistake is reported."""

from __future__ import annotations

import pytest

from octavo.config import CONFIG_NAME, Config, parse_config, site_words
from octavo.errors import ConfigError
from tests.support.each import each

API = '[[openapi]]\nid = "pots"\ndoc = "reference/pots"\nspec = "pots.yaml"\n'
GERMAN = '[[locales]]\nid = "en"\nlabel = "English"\n[[locales]]\nid = "de"\nlabel = "Deutsch"\npath = "de"\n'


def parsed(text: str) -> Config:
    return parse_config(f'title = "Clay"\n{text}')


def mistakes(text: str) -> list[str]:
    """Give the mistakes of settings, each as `line: message`; the lines of `text` begin with 2."""
    with pytest.raises(ConfigError) as error:
        parsed(text)
    return [line.removeprefix(f"{CONFIG_NAME}:") for line in str(error.value).splitlines()]


TAKEN = [
    '[mounts]\n"help" = "/help"\n',
    '[routing]\ndocs = ""\n',
    '[routing]\ndocs = "a/b"\n[routing.exact]\n"docs/a.md" = "/a"\n',
    '[content_policy]\nscript-src = ["https://a.example", "\'self\'"]\n',
    f"{API}timeout_s = 300\n",
    f"{API}timeout_s = 1\n",
    f'{API}introduction = "intro.md"\nurl = "https://a.example/openapi.json"\n',
    f'{API}guides = {{ "GET /a" = [{{ href = "/a", label = "A" }}, {{ href = "https://a.example", label = "B" }}] }}\n',
    '[search.engine]\nkind = "meilisearch"\nurl = "http://127.0.0.1:7700"\ntimeout_seconds = 60\n',
    '[search.engine]\nkind = "meilisearch"\nurl = "http://127.0.0.1:7700"\ntimeout_seconds = 0.1\n',
    '[theme]\nheading_weight = 100\nground = { light = "#fff", dark = "#000" }\n',
    "[theme]\nheading_weight = 900\n",
    "[images]\nquality = 1\nwidths = [16, 16383]\n",
    "[images]\nquality = 100\n",
    "[programs]\nfull_text_size = 0\n",
    "[programs]\nfull_text_size = 1000\n",
    '[[blogs]]\nfolder = "blog"\nposts_per_page = 1\nwords_per_minute = 0\n',
]


@pytest.mark.parametrize("text", TAKEN)
def test_last_values_within_the_borders_are_taken(text: str) -> None:
    assert parsed(text).title == "Clay"


@each(
    ("text", "line", "message"),
    [
        (
            '[mounts]\n"help" = "help"\n',
            3,
            'mounts: the route of "help" is "help"; expected a path that begins with one',
        ),
        ('[mounts]\n"help" = "//evil.example"\n', 3, 'mounts: the route of "help" is "//evil.example"'),
        ('[routing.exact]\n"docs/a.md" = "/a?b"\n', 3, 'routing.exact: the route of "docs/a.md" is "/a?b"'),
        ('[routing]\ndocs = "/docs"\n', 3, 'routing.docs is "/docs"; expected part of a route'),
        ('[routing]\ndocs = "docs/"\n', 3, 'routing.docs is "docs/"; expected part of a route'),
        ('[content_policy]\nScript = ["x"]\n', 3, 'content_policy: "Script" is not a directive'),
        (
            "[content_policy]\nscript-src = [\n\"'unsafe-eval'\"]\n",
            4,
            "content_policy: \"'unsafe-eval'\" cannot be allowed",
        ),
        ('[content_policy]\nscript-src = ["a b"]\n', 3, 'content_policy: "a b" cannot be allowed'),
        ('[content_policy]\nscript-src = ["a;b"]\n', 3, 'content_policy: "a;b" cannot be allowed'),
        (API.replace('"pots"', '"-pots"'), 3, 'openapi: id is "-pots"; expected small letters'),
        (API.replace("reference/pots", "reference/"), 4, 'openapi: doc is "reference/"; expected the id of a document'),
        (
            API.replace("pots.yaml", "../pots.yaml"),
            5,
            'openapi: spec is "../pots.yaml"; expected a file inside the site',
        ),
        (API.replace("pots.yaml", "/etc/pots"), 5, 'openapi: spec is "/etc/pots"; expected a file inside the site'),
        (f'{API}introduction = "/etc/passwd"\n', 6, 'openapi: introduction is "/etc/passwd"; expected a file inside'),
        (f'{API}introduction = "a/../../b"\n', 6, 'openapi: introduction is "a/../../b"; expected a file inside'),
        (f'{API}url = "ftp://a.example"\n', 6, 'openapi: url is "ftp://a.example"; expected an address that begins'),
        (f"{API}timeout_s = 0\n", 6, "openapi: timeout_s is 0; expected 1 to 300 seconds"),
        (f"{API}timeout_s = 301\n", 6, "openapi: timeout_s is 301; expected 1 to 300 seconds"),
        (
            f'{API}guides = {{ "GET /a" = [{{ href = "//evil.example", label = "A" }}] }}\n',
            6,
            'openapi: a guide of "GET /a" leads to "//evil.example"; expected a route or an address',
        ),
        ('[search.engine]\nurl = "http://a.example"\n', 3, "search.engine: url is given, but kind is embedded"),
        (
            '[search.engine]\nkind = "meilisearch"\nurl = "http://a.example?x=1"\n',
            4,
            'search.engine: url is "http://a.example?x=1"; expected an address without query',
        ),
        (
            '[search.engine]\nkind = "meilisearch"\nurl = "http://a.example"\ntimeout_seconds = 61\n',
            5,
            "search.engine: timeout_seconds is 61",
        ),
        (
            '[search.engine]\nkind = "meilisearch"\nurl = "http://a.example"\ntimeout_seconds = 0\n',
            5,
            "search.engine: timeout_seconds is 0",
        ),
        (
            '[theme]\nground = { light = "#111" }\n',
            3,
            'theme.ground.light is "#111"; expected a light color, on which dark',
        ),
        (
            '[theme]\nground = { dark = "#eeeeee" }\n',
            3,
            'theme.ground.dark is "#eeeeee"; expected a dark color, on which',
        ),
        ('[versions]\nfrom = "tags"\npattern = "v*-*"\n', 4, 'versions: the pattern is "v*-*"; expected one star'),
        ('[versions]\nfrom = "tags"\nmost = -1\n', 4, "versions: most is -1; expected 0 or more"),
        ('[versions]\nfrom = "tags"\nsupported = -1\n', 4, "versions: supported is -1; expected 0 or more"),
        ('[versions]\nfrom = "tags"\nnext = "a/b"\n', 4, 'versions: next is "a/b"; expected one part of a route'),
        ('[[blogs]]\nfolder = "blog"\nposts_per_page = 0\n', 4, "blogs: posts_per_page is 0; expected 1 or more"),
        ('[[blogs]]\nfolder = "blog"\nwords_per_minute = -1\n', 4, "blogs: words_per_minute is -1; expected 0 or more"),
    ],
)
def test_first_values_beyond_the_borders_are_told_at_their_line(text: str, line: int, message: str) -> None:
    (found,) = mistakes(text)
    assert found.startswith(f"{line}: {message}")


def test_password_of_a_search_engine_is_not_repeated() -> None:
    (found,) = mistakes('[search.engine]\nkind = "meilisearch"\nurl = "http://me:secret@a.example"\n')
    assert found.startswith("4: search.engine: url holds a name or a password; put the key into the environment")
    assert "secret" not in found


def test_each_api_has_an_id_and_a_document_of_its_own() -> None:
    assert mistakes(API + API) == [
        '3: openapi: the id "pots" is given twice; each must have one of its own.',
        '4: openapi: the doc "reference/pots" is given twice; each must have one of its own.',
    ]


@pytest.mark.parametrize(
    ("suffix", "more", "message"),
    [
        ("e.n", "", 'the suffix of "en" is "e.n"; expected letters'),
        ("de", 'suffix = "de"\n', 'the suffix of "de" is "de", as that of "en"'),
        ("", 'suffix = "x"\ndocs = "i18n/de"\n', 'the suffix of "de" is given together with docs or folders'),
    ],
)
def test_suffix_of_a_language_is_its_own(suffix: str, more: str, message: str) -> None:
    text = GERMAN.replace('label = "English"\n', f'label = "English"\nsuffix = "{suffix}"\n') + more
    assert any(f"locales: {message}" in found for found in mistakes(text))


def test_levels_of_all_errors_are_lowered_but_those_that_are_named() -> None:
    levels = parsed('[diagnostics]\nerrors = "warn"\nbroken_links = "error"\n').diagnostics
    assert (levels.broken_links, levels.broken_assets) == ("error", "warn")
    assert levels.of_unnamed("expression", "error") == "warn"
    assert levels.of_unnamed("expression", "ignore") == "ignore"
    assert levels.of_unnamed("no-pages", "error") == "error"


def test_levels_stay_without_one_for_all() -> None:
    levels = parsed('[diagnostics]\nbroken_assets = "warn"\nunused_file = "ignore"\n').diagnostics
    assert (levels.broken_links, levels.broken_assets) == ("error", "warn")
    assert levels.of_unnamed("expression", "error") == "error"
    assert levels.by_code()["unused-file"] == "ignore"


def test_words_of_a_language_are_its_own_and_those_of_the_settings() -> None:
    config = parsed(f'{GERMAN}[words.de]\nretry = "Nochmals"\n')
    assert site_words(config, "de")["retry"] == "Nochmals"
    assert site_words(config, "de")["search"] != site_words(config, "en")["search"]
    assert site_words(config, "en")["retry"] != "Nochmals"


@pytest.mark.parametrize(("url", "address"), [("https://a.example", "https://a.example"), ("http://[::1]:80", "")])
def test_address_of_this_machine_is_no_address_for_readers(url: str, address: str) -> None:
    assert parsed(f'url = "{url}"').published_url == address


def test_folders_are_written_in_one_form_wherever_they_are_given() -> None:
    config = parsed(
        f'docs = "./docs/"\n[mounts]\n"./help/" = "/help/"\n[[blogs]]\nfolder = "./blog/"\n'
        f'{API.replace("pots.yaml", "./a//pots.yaml")}introduction = "./intro.md"\n'
        '[[commands]]\nsource = "./cli/"\ndocs = "./cli/out/"\n'
    )
    assert (config.docs, config.mounts, config.blogs[0].folder) == ("docs", {"help": "/help"}, "blog")
    assert (config.openapi[0].spec, config.openapi[0].introduction) == ("a/pots.yaml", "intro.md")
    assert (config.commands[0].source, config.commands[0].docs) == ("cli", "cli/out")
