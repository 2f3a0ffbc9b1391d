from __future__ import annotations

import pytest

from bench.import_words import shown_words, visible_words, words_in
from tests.support.each import each


@each(
    ("source", "words"),
    [
        ("---\ntitle: hidden\n---\n\nShown `inline` text.", ["shown", "inline", "text"]),
        ('<Chart when={a > b} style={{ color: "hidden" }} title="Shown">inner</Chart>', ["shown", "inner"]),
        ("<a href='x>hidden'>inner</a>", ["inner"]),
        ("A number < four and {hidden.value} then.", ["number", "four", "then"]),
        ("{list.map(name => { return name })} after", ["after"]),
        ('import Hidden from "hidden"\n\nShown', ["shown"]),
        ("export const hidden = () => (\n  <p>\n\n  hidden\n  </p>\n)\n\nShown", ["shown"]),
        ("```js title=hidden\nconst shown = `{template}`\n```\nafter", ["const", "shown", "template", "after"]),
        ("```tsx\n<Button label={text}>Press</Button>\n```", ["button", "label", "text", "press", "button"]),
        ("```{note}\nprose with <b>words</b>\n```", ["prose", "with", "words"]),
        ("Read {ref}`hidden-target` and {doc}`shown words <hidden/path>`.", ["read", "shown", "words"]),
        ("<!-- hidden --> {/* hidden */} shown", ["shown"]),
        ("> ```ts twoslash\n> const hidden = 1;\n> // ---cut---\n> shown\n> ```", ["shown"]),
        (
            "```{code-cell} python\n---\ntags: [remove-input]\n---\nhidden\n```\n\n```{code-cell} python\nshown\n```",
            ["shown"],
        ),
        ("some <!-- hidden\n\n```js\nhidden\n```\n--> shown", ["some", "shown"]),
        ("```mdx-code-block\nimport Hidden from 'hidden'\n\n<Hidden />\n```\n\nshown", ["shown"]),
        ("items ([][Shown](../hidden-address#hidden)), required", ["items", "shown", "required"]),
        ("[words](/hidden/address) and [more][hidden]\n\n[hidden]: /hidden", ["words", "more"]),
        ("::: hidden Note\nwords\n:::\n", ["words"]),
        ("<style>\n```text\nhidden {}\n```\n</style>\n\nshown", ["shown"]),
        (
            "```text\nshown\n\n     ```yaml\n     inner\n     ```\n```\n\n[words][hidden]",
            ["shown", "yaml", "inner", "words"],
        ),
        ("```ts\n--8<--\nhidden/file.ts::24\nhidden/file.ts:26:\n--8<--\nshown\n```\nafter", ["shown", "after"]),
        ("shown ?a=1&notable=2", ["shown", "notable"]),
        ("\n+++\ntitle = 'hidden'\n+++\n\nshown", ["shown"]),
        ("\ufeff---\ntitle: hidden\n---\n\nshown", ["shown"]),
        ("```\nshown = &registry\n```\nand &lt;less&gt;", ["shown", "registry", "less"]),
        ("Run `tool {{% hidden long=true %}} now please`", ["tool", "please"]),
        ("```\nget https://kite.example/{{% hidden long=true %}}/file\n```\nshown", ["shown"]),
        ("{% comment %}\nhidden\n{% endcomment %}\n[[% hidden %]] shown", ["shown"]),
        ("```{card}\n:class: hidden\n\nshown\n```", ["shown"]),
        ("```{toctree}\nhidden/page\n```\n\nshown", ["shown"]),
        ("Names with{Hidden}Parts here", ["names", "here"]),
        ("Un c&oacute;digo y &eacute;l", ["código"]),
        ("Type `Map<string, number>` here", ["type", "string", "number", "here"]),
    ],
)
def test_words_that_readers_should_see(source: str, words: list[str]) -> None:
    assert sorted(visible_words(source).elements()) == sorted(words)


def test_values_of_liquid_are_no_words_in_code() -> None:
    source = "```\nget {{ hidden.part }} shown\n```\n"
    assert sorted(words_in("a.md", source, is_liquid=True)) == ["shown"]
    assert sorted(words_in("a.md", source)) == ["hidden", "part", "shown"]


def test_page_shows_its_text_and_titles_but_no_program() -> None:
    page = '<p title="some title">split<b>word</b> text</p><script>hidden()</script><style>hidden</style>'
    assert {"some", "title", "splitword", "split", "word", "text"} <= set(shown_words(page))
    assert "hidden" not in shown_words(page)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("Use `~hidden.inner.Shown` and :class:`~hidden.Other`.", ["shown", "other"]),
        ("See `this\npart <https://kite.example/\n   hidden>`__ here.", ["this", "part", "here"]),
        ("Some text__.\n\n.. __: https://kite.example/\n       Hidden.md\n\nafter", ["some", "text", "after"]),
        ("- Text\n\n  .. code-block:: hidden\n\n     shown\n", ["text", "shown"]),
        (".. [[[cog hidden\n.. ]]]\n\n.. [note] Text\n", ["note", "text"]),
        (".. moduleauthor:: Hidden\n\n.. container:: hidden\n\n   shown", ["shown"]),
        ("See :external+kite:doc:`hidden/page`, :pep:`632#hidden-part` and more [#hidden]_.", ["more"]),
        (".. [#hidden] Note\n\n:param \\**hidden: shown\n", ["note", "shown"]),
        ("==== =====\nword .. code-block:: hidden\n\n        shown\n==== =====", ["word", "shown"]),
    ],
)
def test_words_of_restructuredtext_that_readers_should_see(source: str, words: list[str]) -> None:
    assert sorted(words_in("a.rst", source).elements()) == sorted(words)


def test_comments_of_liquid_are_not_for_readers() -> None:
    assert words_in(
        "a.md", "{% comment %}\nhidden {% capture x %}also{% endcapture %}\n{% endcomment %}\nshown\n", is_liquid=True
    ) == {"shown": 1}


def test_alternative_texts_in_single_quotation_marks_are_shown() -> None:
    assert shown_words("<img alt='Some words' src=\"a.png\">") == {"some": 1, "words": 1}


def test_preparations_of_tests_are_shown_to_nobody() -> None:
    assert words_in("a.rst", ".. testsetup::\n\n   import hidden\n\nShown\n") == {"shown": 1}


def test_readers_may_not_see_what_a_condition_of_a_template_holds() -> None:
    source = "First\n\n{% if a %}{% if b %}hidden{% endif %}hidden{% else %}hidden{% endif %}\n\nshown\n"
    assert words_in("a.md", source, is_liquid=True) == {"first": 1, "shown": 1}


def test_attributes_behind_a_link_that_shows_its_address_are_no_words() -> None:
    assert words_in("a.md", '[https://e.org/x](https://e.org/x){: rel="nofollow"} shown') == {"shown": 1}


def test_addresses_in_attributes_end_at_their_quotation_mark() -> None:
    text = ':read-more{title="Get information" to="https://kite.example/wind"}\n\nSee [the knots]:\n\n[the knots]:\n  /knots-and-bodies/\n'
    assert "moretitle" not in visible_words(text)
    assert "bodies" not in visible_words(text)


def test_readers_see_neither_what_is_said_to_doctest_nor_how_code_is_taken_in() -> None:
    source = ".. code-block:: Python\n\n   >>> wind()  # doctest: +SKIP\n"
    assert words_in("a.rst", source) == {"wind": 1}
    assert words_in("a.md", "Shown\n\n@[code lang=java transcludeWith=:::1](@/Kite.java)\n") == {"shown": 1}


def test_readers_do_not_see_the_options_of_blocks_between_slashes() -> None:
    source = "/// admonition | Title\n    type: warning\n    open: true\n\nShown: text\n///\n"
    assert words_in("a.md", source) == {"shown": 1, "text": 1}
    assert words_in("a.md", "> ::: code-group\n> Shown\n> :::\n") == {"shown": 1}
