"""What types alone cannot say of the settings: each table's mistakes, at their lines, and right values beside them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from octavo.config import CONFIG_NAME, load_variables, parse_config
from octavo.errors import ConfigError

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


@pytest.mark.parametrize(
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
        ('[theme]\naccent = "blue"', 3, 'theme.accent is "blue"; expected a color as "#rrggbb"'),
        ('[theme]\nground = { dark = "#11" }', 3, 'theme.ground is "#11"; expected a color as "#rrggbb"'),
        ("[theme]\nheading_weight = 99", 3, "theme.heading_weight is 99; expected 100 to 900"),
        ("[theme]\nheading_weight = 901", 3, "theme.heading_weight is 901; expected 100 to 900"),
        ('[theme.widths]\npage = "wide"', 3, 'theme.widths.page is "wide"; expected a length of CSS'),
        (
            '[theme]\ncode = { light = "monokay" }',
            3,
            'theme.code.light is "monokay", which is no style of Pygments. Did you mean "monokai"?',
        ),
        ('[theme]\ncode = { dark = "§" }', 3, 'theme.code.dark is "§", which is no style of Pygments. There are '),
        (
            '[theme.fonts]\ntext = { family = "a;b" }',
            3,
            'theme.fonts.text.family is "a;b"; expected the name of a font',
        ),
        (
            '[theme.fonts]\ncode = { family = "A", files = ["/a.zip"] }',
            3,
            'theme.fonts.code.files: "/a.zip" is no font file',
        ),
        (
            '[theme.fonts]\ntext = { family = "A", files = [{ src = "/a.ttf", weight = "bold" }] }',
            3,
            'weight is "bold"',
        ),
        ("[variables]\nversion = 1.10", 3, 'variables.version is 1.1; write numbers with a point in quotes: "1.1"'),
        ('[variables]\n"a b" = "x"', 3, 'variables: "a b" is no name'),
        ("[variables]\nnames = [1]", 3, "variables.names is a list; expected text in quotes, an integer or a table"),
        ('[variables.kiln]\ntext = """a\nb"""', 3, "variables.kiln.text has several lines; expected one"),
        ('styles = ["site.css"]', 2, 'styles: "site.css" cannot be loaded'),
        ('scripts = ["http://clay.example/a.js"]', 2, 'scripts: "http://clay.example/a.js" cannot be loaded'),
        ('scripts = [{ src = "/a.js", attributes = { onload = "x()" } }]', 2, 'scripts "/a.js" has "onload"'),
        ('[[head]]\ntag = "meta"\nattributes = { Name = "a" }', 4, 'head: meta has "Name", which is no attribute'),
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
        ('[server]\ntrusted_proxies = ["clay"]', 3, 'server.trusted_proxies: "clay" is no address'),
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
