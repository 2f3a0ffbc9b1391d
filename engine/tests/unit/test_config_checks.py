"""What types alone cannot say of the settings: each table's mistakes, at their lines, and right values beside them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from octavo.config import CONFIG_NAME, ColorPair, load_variables, parse_config
from octavo.errors import ConfigError
from tests.support.each import each

RIGHT = """
[social_cards]
background = "#0A0b0c"
[images]
quality = 100
widths = [16, 16383]
[feedback]
endpoint = "/feedback"
[programs]
full_text_size = 1000
assistants = [{ label = "Ask", url = "https://ask.example/?q={url}" }]
[theme]
accent = "#abc"
heading_weight = 900
widths = { page = "80rem" }
code = { light = "vs", dark = "monokai" }
[theme.fonts]
text = { family = "Clay Sans", files = ["/fonts/clay.woff2", { src = "/fonts/clay.ttf", weight = "100 900" }] }
[variables]
version = "1.10"
count = 3
kiln = { name = "Raku" }
[[head]]
tag = "meta"
attributes = { name = "author", content = "Clay" }
"""


def messages(text: str) -> list[str]:
    """Give the mistakes of settings, each as `line: message`."""
    with pytest.raises(ConfigError) as error:
        parse_config(f'title = "Clay"\n{text}')
    lines = str(error.value).splitlines()
    return [line.removeprefix(f"{CONFIG_NAME}:") for line in lines if line.startswith(CONFIG_NAME)]


def test_right_values_are_no_mistake() -> None:
    assert parse_config(f'title = "Clay"\n{RIGHT}').images.quality == 100


@each(
    ("text", "line", "message"),
    [
        ('[social_cards]\nbackground = "black"', 3, 'social_cards.background is "black"'),
        ('[social_cards]\ncolor = "#fff"', 3, 'social_cards.color is "#fff"'),
        ('[social_cards]\naccent = "#gggggg"', 3, 'social_cards.accent is "#gggggg"'),
        ("[images]\nquality = 0", 3, "images.quality is 0; expected a number from 1 to 100"),
        ("[images]\nquality = 101", 3, "images.quality is 101; expected a number from 1 to 100"),
        ("[images]\nwidths = []", 3, "images.widths must list at least one width"),
        ("[images]\nwidths = [15]", 3, "images.widths must list at least one width"),
        ("[images]\nwidths = [400, 16384]", 3, "images.widths must list at least one width"),
        ('[feedback]\nendpoint = "feedback"', 3, 'feedback.endpoint is "feedback"; expected an address, or a path'),
        ('[feedback]\nendpoint = "//clay.example"', 3, 'feedback.endpoint is "//clay.example"'),
        ("[programs]\nfull_text_size = 999", 3, "programs.full_text_size is 999; expected a number of bytes from 1000"),
        ('[programs]\nassistants = [{ label = " ", url = "https://a.example/{url}" }]', 3, "a label is empty"),
        ('[programs]\nassistants = [{ label = "A", url = "https://a.example/" }]', 3, 'url is "https://a.example/"'),
        ('[programs]\nassistants = [{ label = "A", url = "http://a.example/{url}" }]', 3, "expected an https address"),
        ('[theme]\naccent = "blau"', 3, 'theme.accent is "blau"; expected a color such as "#2a49c4"'),
        ('[theme]\nground = { dark = "#11" }', 3, 'theme.ground is "#11"; expected a color such as "#2a49c4"'),
        ("[theme]\nheading_weight = 99", 3, "theme.heading_weight is 99; expected 100 to 900"),
        ("[theme]\nheading_weight = 901", 3, "theme.heading_weight is 901; expected 100 to 900"),
        ('[theme.widths]\npage = "wide"', 3, 'theme.widths.page is "wide"; expected a length of CSS'),
        (
            '[theme]\ncode = { light = "monokay" }',
            3,
            'theme.code.light is "monokay", which is not a style of Pygments. Did you mean "monokai"?',
        ),
        ('[theme]\ncode = { dark = "§" }', 3, 'theme.code.dark is "§", which is not a style of Pygments. There are '),
        (
            '[theme.fonts]\ntext = { family = "a;b" }',
            3,
            'theme.fonts.text.family is "a;b"; expected the name of a font',
        ),
        (
            '[theme.fonts]\ncode = { family = "A", files = ["/a.zip"] }',
            3,
            'theme.fonts.code.files: "/a.zip" is not a font file',
        ),
        (
            '[theme.fonts]\ntext = { family = "A", files = [{ src = "/a.ttf", weight = "bold" }] }',
            3,
            'weight is "bold"',
        ),
        ("[variables]\nversion = 1.10", 3, 'variables.version is 1.1; write numbers with a point in quotes: "1.1"'),
        ('[variables]\n"a b" = "x"', 3, 'variables: "a b" is not a name'),
        ("[variables]\nnames = [1]", 3, "variables.names is a list; expected text in quotes, an integer or a table"),
        ('[variables.kiln]\ntext = """a\nb"""', 3, "variables.kiln.text has several lines; expected one"),
        ('styles = ["site.css"]', 2, 'styles: "site.css" cannot be loaded'),
        ('scripts = ["http://clay.example/a.js"]', 2, 'scripts: "http://clay.example/a.js" cannot be loaded'),
        ('scripts = [{ src = "/a.js", attributes = { onload = "x()" } }]', 2, 'scripts "/a.js" has "onload"'),
        ('[[head]]\ntag = "meta"\nattributes = { Name = "a" }', 4, 'head: meta has "Name", which is not an attribute'),
        ('[[head]]\ntag = "meta"\ncontent = "Clay"', 4, "head: meta has content"),
        ('[[head]]\ntag = "style"\ncontent = "</STYLE>"', 4, "head: the content of style would end it"),
        ('[[head]]\ntag = "script"\nattributes = { src = "/a.js" }', 4, 'head: name the script "/a.js" in scripts'),
        ('[[head]]\ntag = "link"\nattributes = { rel = "stylesheet", href = "/a.css" }', 4, 'the style sheet "/a.css"'),
        ('[[head]]\ntag = "meta"\nattributes = { http-equiv = "refresh" }', 4, '"refresh" cannot be set by a meta tag'),
        ('[[head]]\ntag = "meta"\nattributes = { charset = "utf-8" }', 4, "pages name charset and viewport already"),
        ('[[head]]\ntag = "meta"\nattributes = { name = "Viewport" }', 4, "pages name charset and viewport already"),
        (
            '[[head]]\ntag = "link"\nattributes = { rel = "me", href = "me" }',
            4,
            'head: href is "me"; expected an address',
        ),
        ('[words.de]\nretry = "Nochmals"', 2, 'words.de: the site has no language "de"; it has en'),
        ('[words.en]\nretri = "Again"', 3, 'words.en: the theme has no word "retri". Did you mean "retry"?'),
        ('[words.en]\n"§" = "Again"', 3, "`octavo explain words` lists the keys"),
        ('[words.en]\nretry = "Again {time}"', 3, 'words.en: "retry" has {time}, for which there is no value'),
        ('[search]\nmissing_results_url = "clay"', 3, 'missing_results_url is "clay"; expected an address'),
        ('[search.engine]\nkind = "meilisearch"', 3, "search.engine: meilisearch needs url"),
        ('[server]\ntrusted_proxies = ["clay"]', 3, 'server.trusted_proxies: "clay" is not an address'),
        ('[[openapi]]\nid = "Pots"\ndoc = "pots"\nspec = "pots.yaml"', 3, 'openapi: id is "Pots"'),
    ],
)
def test_mistake_is_found_at_its_line(text: str, line: int, message: str) -> None:
    (found,) = messages(text)
    assert found.startswith(f"{line}: ")
    assert message in found


def test_variables_of_files_are_named_by_their_tables_and_settings_go_first(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"version": "1", "kiln": {"hot": True, "cones": [1], "note": "a\nb"}}))
    (tmp_path / "b.toml").write_text('version = 1.10\ncount = 3\nname = "b"\n')
    text = 'title = "Clay"\nvariable_files = ["a.json", "b.toml"]\n[variables]\nname = "own"\n'
    config = parse_config(text)
    expected = {"version": "1.10", "count": "3", "name": "own", "kiln.hot": "true"}
    assert load_variables(tmp_path, config) == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, 'octavo.toml:3: variable_files: "a.json" cannot be read: No such file or directory.'),
        (b"{", 'octavo.toml:3: variable_files: "a.json" cannot be read: '),
        (b"[1]", 'octavo.toml:3: variable_files: "a.json" is a list; expected an object with names and values.'),
        (b'{\n "a": "\xff"}', "a.json:2:8: "),
    ],
)
def test_file_of_variables_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None, message: str) -> None:
    if content is not None:
        (tmp_path / "a.json").write_bytes(content)
    text = 'title = "Clay"\n\nvariable_files = ["a.json"]\n'
    (tmp_path / CONFIG_NAME).write_text(text)
    with pytest.raises(ConfigError) as error:
        load_variables(tmp_path, parse_config(text))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("https://me:secret@docs.example.org", "it names a user, and pages would show that to everybody"),
        ("https://docs.example.org:99999", "has a port that is not a number up to 65535"),
        ("https://[::1", "has a host that cannot be read"),
        ("https://a<b", "which no host may"),
        ("docs.example.org", "expected an address without a path"),
    ],
)
def test_address_of_a_site_is_one_that_browsers_open(url: str, message: str) -> None:
    (found,) = messages(f'url = "{url}"')
    assert found.startswith(f'2: url is "{url}"; ')
    assert message in found


@pytest.mark.parametrize(
    ("base_url", "message"),
    [
        ("docs/", "it must begin and end with a slash"),
        ("/docs", "it must begin and end with a slash"),
        ("/a b/", "it has a space"),
        ("/a//b/", "two slashes in a row"),
        ("/a?/", "it has a space, a backslash, ?"),
        ("/../x/", "a part that is only dots"),
        ("/x/./", "a part that is only dots"),
        ("/%2E%2e/", "a part that is only dots"),
    ],
)
def test_base_url_is_a_path_that_browsers_ask_for_as_it_is(base_url: str, message: str) -> None:
    (found,) = messages(f'base_url = "{base_url}"')
    assert found.startswith(f'2: base_url is "{base_url}"; ')
    assert message in found


@pytest.mark.parametrize("base_url", ["/", "/docs/", "/a/b.c/", "/...x/", "/.well-known/"])
def test_usual_base_urls_are_taken(base_url: str) -> None:
    assert parse_config(f'title = "Clay"\nbase_url = "{base_url}"').base_url == base_url


def test_mistake_in_a_table_of_any_names_hides_none_elsewhere() -> None:
    """Such tables have no names that are known: the validator says that some value in them is wrong, and not which."""
    text = (
        '[markdown]\n"docs/a" = "mdx"\nfoo = 1\n[mounts]\na = "/a"\nb = 2\n[navbar.logo]\nalt = ""\n'
        '[words.en]\nsearch = 3\n[diagnostics]\nbroken_links = "eror"\n[theme]\naccent = 5\n'
    )
    assert [found.partition(" is ")[0] for found in messages(text)] == [
        "4: markdown.foo",
        "7: mounts.b",
        "8: navbar.logo.src",
        "11: words.en.search",
        "13: diagnostics.broken_links",
        "15: theme.accent",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\nb = 2\na = 3\n", '"a" is written before in line 2: write it once.'),
        ("[search]\nmode = 'auto'\n[theme]\nmode = 1\n'mode' = 2\nmode = 3\n", '"mode" is written before in line 5'),
        ("[navbar]\ntitle = 'x'\n[[navbar]]\ntitle = 'y'\n", '"navbar" is written before in line 2'),
        ("[a]\nx = 1\n[b]\nx = 2\ny = { z = 1, z = 2 }\n", ""),
    ],
)
def test_setting_that_is_written_twice_is_told_with_the_place_of_the_first(text: str, message: str) -> None:
    (found,) = messages(text)
    assert "this is not valid TOML" in found
    assert message in found
    assert message or "written before" not in found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"[search]\nmost_per_second = {2**63}", "3:19: this is not valid TOML: An integer does not fit into 64 bits."),
        (f"x = {'1_000' + '_000' * 8}", "this is not valid TOML: An integer does not fit into 64 bits."),
        (f"{'.'.join('a' * 400)} = 1", "this is not valid TOML: it is nested too deeply."),
        (f"x = {'[' * 3000}{']' * 3000}", "this is not valid TOML: it is nested too deeply."),
    ],
)
def test_what_is_more_than_programs_must_take_is_no_toml(text: str, message: str) -> None:
    (found,) = messages(text)
    assert found.endswith(message)


@pytest.mark.parametrize("title", ["", "  ", "env:NAME"])
def test_title_is_not_empty(title: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse_config(f'tagline = "x"\ntitle = "{title}"\n[navbar]\ntitle = "y"', environment={"NAME": ""})
    assert str(error.value) == "octavo.toml:2: title is empty; it is shown on every page."


def test_setting_whose_variable_is_not_set_is_not_missing_as_well() -> None:
    text = 'title = "env:TITLE"\n[[redirects]]\nfrom = "/a/"\nto = "env:TO"\n[search]\nodd = 1\n'
    with pytest.raises(ConfigError) as error:
        parse_config(text, environment={})
    assert str(error.value).split("\n") == [
        'octavo.toml:1: "env:TITLE": the environment has no variable TITLE; set it, or write the value here.',
        'octavo.toml:4: "env:TO": the environment has no variable TO; set it, or write the value here.',
        'octavo.toml:6: "odd" is not a setting in search.',
    ]


@pytest.mark.parametrize(
    ("written", "color"),
    [
        ("teal", "#008080"),
        ("rgb(300, 0, 10)", "#ff000a"),
        ("hsl(120deg 50% 50%)", "#40bf40"),
        ("hwb(194 0% 0%)", "#00c3ff"),
        ("oklch(62.7% 0.265 303.9)", "#ad46ff"),
        ("oklch(0.9 0.4 150)", "#00ff00"),
        ("oklch(60% none 30)", "#808080"),
        ("oklab(0.628 0.2249 0.1258)", "#ff0000"),
        ("#f00", "#f00"),
        ("#A1B2C3", "#A1B2C3"),
    ],
)
def test_colors_may_be_written_in_forms_of_css(written: str, color: str) -> None:
    config = parse_config(f'title = "a"\n[theme]\naccent = "{written}"\nground = {{ light = "white" }}\n')
    assert (config.theme.accent, config.theme.ground) == (color, ColorPair(light="#ffffff"))


@pytest.mark.parametrize(
    "written",
    [
        "rgb(0 0 0 / 50%)",
        "transparent",
        "currentcolor",
        "oklch(0.6 0.2 30 / 0.5)",
        "color(display-p3 1 0 0)",
        "var(--a)",
        "",
    ],
)
def test_what_is_no_color_of_a_page_is_refused(written: str) -> None:
    with pytest.raises(ConfigError, match="expected a color such as"):
        parse_config(f'title = "a"\n[theme]\naccent = "{written}"\n')
