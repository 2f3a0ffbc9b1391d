"""No English word of the theme reaches a page of another language."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from octavo.config import parse_config
from octavo.documents import Compiler
from octavo.reference.openapi import Description, make_document, plan_pages
from octavo.words import languages, words_of
from tests.support.sites import SiteFolder, page

from .openapi_sites import shop

OTHERS = [language for language in languages() if language != "en"]
LOCALES = "".join(
    f'[[locales]]\nid = "{language}"\nlabel = "{language}"\n'
    + (f'path = "{language}"\ndocs = "i18n/{language}"\n' if language != "en" else "")
    for language in ("en", *OTHERS)
)
SHOP = """[[openapi]]
id = "shop"
doc = "api"
spec = "openapi/shop.json"
"""
CONFIG = f"""url = "https://docs.example.org"
edit_url = "https://example.org/edit/"
{LOCALES}
[feedback]
is_enabled = true
{SHOP}
[[navbar.items]]
type = "locale"
"""
TYPES = frozenset({"API", "Server", "Markdown", "Code", "Callback", "Callbacks"})
"""Words that languages share with English in some of their texts."""
HEADINGS = frozenset({"Schemas"})
"""Headings of a reference, which are compiled once for all languages."""
_TEXT = re.compile(r">([^<>]+)<")
_LABEL = re.compile(r' (?:aria-label|title|placeholder|alt)="([^"]+)"')
_VALUE = re.compile(r"\{\w+\}")
_PLACE = re.compile(r"\\\{\w+\\\}")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> SiteFolder:
    folder: Path = tmp_path_factory.mktemp("words") / "site"
    api = shop()
    api["components"]["schemas"]["Kiln"]["properties"]["deep"] = {
        "type": "object",
        "nullable": True,
        "properties": {"x": {"type": "array", "items": {"type": "string", "minLength": 2}}},
        "additionalProperties": False,
    }
    api["paths"]["/kilns"]["post"]["deprecated"] = True
    text = page("Qx", "Zz.\n\n## Wq\n\n- [ ] Zz\n\n[^1]\n\n[^1]: Zz.")
    files = {
        **{f"i18n/{language}/docs/index.md": text for language in OTHERS},
        "docs/index.md": text,
        "openapi/shop.json": json.dumps(api),
    }
    built = SiteFolder(folder, files, CONFIG)
    assert built.build().is_published
    return built


def texts(html: str) -> Iterator[str]:
    """Texts and labels of a page, without what scripts, code and the description itself say."""
    visible = re.sub(r"<(script|style|code|pre)\b.*?</\1>", "<x></x>", html, flags=re.DOTALL)
    for found in (*_TEXT.findall(visible), *_LABEL.findall(visible)):
        if text := unescape(found).strip(" :()\n"):
            yield text


def patterns(language: str) -> dict[str, re.Pattern[str]]:
    """English words that the language says otherwise: key → what they look like on a page."""
    own = words_of(language)
    said = set(own.values())
    return {
        key: re.compile(_PLACE.sub(".+", re.escape(word)))
        for key, word in words_of("en").items()
        if word not in said and word not in TYPES and re.search("[a-z]{2}", _VALUE.sub("", word))
    }


@pytest.mark.parametrize("language", OTHERS)
def test_page_says_nothing_in_english(site: SiteFolder, language: str) -> None:
    files = list((site.out / language).rglob("*.html"))
    wanted = patterns(language)
    seen = {text for file in files for text in texts(file.read_text(encoding="utf-8"))} - HEADINGS
    assert sorted((key, text) for text in seen for key, pattern in wanted.items() if pattern.fullmatch(text)) == []
    assert len(files) >= 3
    assert len(seen) > 50


def test_reference_is_drawn_in_the_language(site: SiteFolder) -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in sorted((site.out / "de/api").rglob("*.html")))
    for word in ("Parameter", "Anfragetext", "In der Abfrage", "Ausprobieren", "mindestens", "Antworten", "In deep"):
        assert word in text, word


def test_compiled_headings_are_in_the_default_language(tmp_path: Path) -> None:
    config = parse_config(f'title = "T"\n[[locales]]\nid = "de"\nlabel = "Deutsch"\n{SHOP}layout = "operations"\n')
    description = Description(config.openapi[0], shop(), "", {})
    words = Compiler.of(tmp_path, config, {}).options.words_of("docs/api.md")
    documents = [
        make_document(description, one, source_path=f"docs/{one.relative}", introduction=None, words=words)
        for one in plan_pages(description)
    ]
    headings = {heading.text for document in documents for heading in document.headings}
    assert {"Schemas", "Parameter", "Anfragetext", "Antworten"} <= headings
    assert headings.isdisjoint({"Parameters", "Request body", "Responses"})


def test_words_of_the_console_are_in_a_file_of_each_language(site: SiteFolder) -> None:
    for language, said in (("en", "Send"), ("de", "Senden"), ("ar", "إرسال"), ("ja", "送信")):
        folder = site.out if language == "en" else site.out / language
        pages = "".join(file.read_text(encoding="utf-8") for file in (folder / "api").rglob("*.html"))
        (address,) = set(re.findall(r' data-words="([^"]+)"', pages))
        words = json.loads((site.out / address.lstrip("/")).read_text(encoding="utf-8"))
        assert words["console.send"] == said
        assert all(key.startswith("console.") for key in words)


def test_browsers_load_no_words_that_are_only_drawn_by_the_build(site: SiteFolder) -> None:
    for file in (site.out / "_octavo").glob("site.*.json"):
        words = json.loads(file.read_text(encoding="utf-8"))["words"]
        assert [key for key in words if key.startswith(("api.", "console."))] == []
        assert "toc" in words
