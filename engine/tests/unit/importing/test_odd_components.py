"""Components that no program would accept, or that are written against a reader: each is read to its end, or refused.

Those of the first list once were read without end, by time that grew with the square of their length, or too deeply.
"""

from __future__ import annotations

import pytest

from octavo.importing.components.astro import as_react as astro_as_react
from octavo.importing.components.templates import TooComplexError, read_component
from octavo.importing.components.unusable import UnusableError
from octavo.importing.components.vue import as_react as vue_as_react

_MANY = 20_000


@pytest.mark.parametrize(
    "text",
    [
        "<template><p>{{ " + "`${" * 2_000 + "a" + "}`" * 2_000 + " }}</p></template>",
        "<template>" * _MANY + "</template",
        "<script>" * _MANY + "<template><p>a</p></template>",
        "<style " * _MANY,
        "<script setup>\n" + "import a\n" * 4_000 + "<template></template>",
    ],
    ids=["backticks", "templates", "scripts", "styles", "imports"],
)
def test_odd_components_of_vue_are_refused(text: str) -> None:
    with pytest.raises(UnusableError):
        vue_as_react(text)


def test_sign_that_is_no_tag_is_text_in_vue() -> None:
    assert "a &lt;b, c" in vue_as_react("<template><p>a &lt;b, c</p></template>").text
    assert "<b, c" in vue_as_react("<template><p>a <b, c</p></template>").text


@pytest.mark.parametrize(
    "text",
    [
        "`${" * 2_000,
        "<a b={" * 2_000,
        "<p>{ <!-- ",
        "---\n---\n<p></p ",
        "{`${" * 1_000 + "}`}" * 1_000,
        "<b><!doctype",
    ],
    ids=["backticks", "attributes", "comment", "end tag", "mixed", "declaration"],
)
def test_odd_components_of_astro_end(text: str) -> None:
    try:
        astro_as_react(text)
    except UnusableError:
        return
    assert "{" not in text or text.startswith("`")


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("const A = (" + "\n" * _MANY, ".tsx"),
        ("<style>" * _MANY, ".vue"),
        ("<script>" * _MANY, ".vue"),
        ("---\n---\n" + "<style " * _MANY, ".astro"),
    ],
    ids=["white space", "styles", "scripts", "styles of Astro"],
)
def test_odd_templates_are_refused(text: str, ending: str) -> None:
    with pytest.raises(TooComplexError):
        read_component(text, ending, "A")


def test_component_with_a_name_of_one_letter_under_another_name() -> None:
    """Names were once replaced in the pattern that looks for them, where a letter has other meanings."""
    text = "export default function Zebra({ a }) { return <p>{a}</p>; }"
    assert read_component(text, ".tsx", "Z") == "<p>{props.a}</p>\n"
