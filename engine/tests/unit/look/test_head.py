"""`styles`, `scripts` and `head`: what is written, what is refused, and that rules of a site win."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from octavo.config import parse_config
from octavo.errors import ConfigError
from octavo.look import Look, make_look
from octavo.look.tokens import LAYERS

_THEME = Path(__file__).parents[3] / "theme" / "src"


def look_of(settings: str, site_dir: Path = Path("nowhere")) -> Look:
    text = f'title = "Site"\n{settings}\n'
    return make_look(parse_config(text), text, site_dir)


def test_files_are_named_with_the_hash_of_their_content(tmp_path: Path) -> None:
    (tmp_path / "static" / "css").mkdir(parents=True)
    (tmp_path / "static" / "css" / "site.css").write_text("a{}", "utf-8")
    settings = 'base_url = "/docs/"\nstyles = ["/css/site.css", "https://cdn.example/x.css"]'
    first = look_of(settings, tmp_path).styles
    assert re.fullmatch(r"/docs/css/site\.css\?v=[0-9a-f]{8}", first[0])
    assert first[1] == "https://cdn.example/x.css"
    (tmp_path / "static" / "css" / "site.css").write_text("b{}", "utf-8")
    assert look_of(settings, tmp_path).styles[0] != first[0]


SCRIPTS = {
    '"/js/a.js"': '<script src="/js/a.js" defer></script>',
    '{ src = "/js/a.js", is_module = true }': '<script src="/js/a.js" type="module"></script>',
    '{ src = "https://x.example/a.js", is_async = true, integrity = "sha384-abc", attributes = { data-id = "\\"1\\"" } }': (
        '<script src="https://x.example/a.js" async integrity="sha384-abc" crossorigin="anonymous" '
        'data-id="&quot;1&quot;"></script>'
    ),
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_script_is_written(script: str) -> None:
    assert look_of(f"scripts = [{script}]").head == [SCRIPTS[script]]


TAGS = {
    'tag = "meta"\nattributes = { name = "author", content = "A & B" }': '<meta name="author" content="A &amp; B">',
    'tag = "link"\nattributes = { rel = "me", href = "https://s.example/@a" }': '<link rel="me" href="https://s.example/@a">',
    'tag = "link"\nattributes = { rel = "manifest", href = "/m.json" }': '<link rel="manifest" href="/b/m.json">',
    'tag = "style"\ncontent = "a > b { color: red }"': "<style>a > b { color: red }</style>",
}


@pytest.mark.parametrize("tag", TAGS)
def test_tag_is_written(tag: str) -> None:
    assert look_of(f'base_url = "/b/"\n[[head]]\n{tag}').head == [TAGS[tag]]


REFUSED = {
    'styles = ["css/site.css"]': 'styles: "css/site.css" cannot be loaded; expected an address under the static folder, '
    'such as "/css/site.css", or one that begins with "https://".',
    'scripts = ["http://x.example/a.js"]': 'scripts: "http://x.example/a.js" cannot be loaded; expected an address under '
    'the static folder, such as "/js/site.js", or one that begins with "https://".',
    'scripts = ["//x.example/a.js"]': 'scripts: "//x.example/a.js" cannot be loaded; expected an address under the static '
    'folder, such as "/js/site.js", or one that begins with "https://".',
    'head = [{ tag = "base" }]': 'head.tag is "base"; expected "meta", "link", "script" or "style".',
    'head = [{ tag = "meta", attributes = { onload = "x()" } }]': 'head: meta has "onload", which would run a script; write '
    "it in a file and name that in scripts.",
    'head = [{ tag = "meta", attributes = { "a>b" = "x" } }]': 'head: meta has "a>b", which is not an attribute; expected '
    'small letters, such as "name".',
    'head = [{ tag = "meta", attributes = { http-equiv = "refresh", content = "0" } }]': 'head: "refresh" cannot be set by a '
    "meta tag here; octavo writes the policies of pages itself.",
    'head = [{ tag = "script", content = "x</script><b>" }]': "head: the content of script would end it; write it in a file.",
    'head = [{ tag = "script", attributes = { src = "/a.js" } }]': 'head: name the script "/a.js" in scripts instead.',
    'head = [{ tag = "link", attributes = { rel = "stylesheet", href = "/a.css" } }]': 'head: name the style sheet "/a.css" '
    "in styles instead.",
    'head = [{ tag = "link", attributes = { rel = "x", href = "javascript:x()" } }]': 'head: href is "javascript:x()"; '
    "expected an address, or a path that begins with one slash.",
    'head = [{ tag = "meta", attributes = { charset = "latin1" } }]': "head: pages name charset and viewport already.",
}


@pytest.mark.parametrize("settings", REFUSED)
def test_what_cannot_be_in_a_head_is_refused_with_its_line(settings: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(f'title = "Site"\n\n{settings}')
    assert str(caught.value) == f"octavo.toml:3: {REFUSED[settings]}"


def layers_of(sheet: str) -> set[str]:
    """Name the layers that rules of a sheet are in; an empty name for those in none."""
    found: set[str] = set()
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    for head, body in re.findall(r"([^{};]+)\{((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}", sheet):
        del body
        layer = re.match(r"\s*@layer ([\w-]+)", head)
        found.add(layer[1] if layer else "")
    return found


def test_every_rule_of_the_theme_is_in_a_layer() -> None:
    """So any rule of a site's own sheet, which is in none, wins without `!important`."""
    styles = _THEME / "styles"
    sheets = [styles / "index.css", *(styles / "sheets").glob("*.css")]
    text = "".join(sheet.read_text("utf-8") for sheet in sheets)
    imported = re.findall(r'@import "\.{1,2}/([\w-]+\.css)" layer\((\w+)\);', text)
    assert {layer for _, layer in imported} <= set(LAYERS)
    assert sorted(name for name, _ in imported) == sorted(
        path.name for path in (_THEME / "styles").glob("*.css") if path.name != "index.css"
    )
    for path in sorted(_THEME.rglob("*.css")):
        if path.parent.name != "styles":
            assert layers_of(path.read_text("utf-8")) <= set(LAYERS), path.name
    assert layers_of("a{b:c}@layer base{d{e:f}}") == {"", "base"}


def test_sheets_that_are_derived_are_in_layers_too() -> None:
    text = 'title = "S"\n[theme]\npreset = "harbor"\n'
    for content in make_look(parse_config(text), text, Path()).files.values():
        assert layers_of(content.decode()) == {"tokens", "components", "content"}
