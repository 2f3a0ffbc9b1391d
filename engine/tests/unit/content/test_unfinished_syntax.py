"""Syntax of an extension that is switched on, and that is not finished, is a finding at its place; text like it is none.

`▶` in a source marks the place at which the finding must point; it is taken out before the page is compiled.
"""

from __future__ import annotations

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from octavo.content.dialect import RstSettings
from tests.support.each import each

MARK = "▶"
# name → (extensions, source with a mark, code)
UNFINISHED: dict[str, tuple[str, str, str]] = {
    "title of an admonition without its second mark": ("admonitions", '▶!!! note "Kites\n    Fly.\n', "stray-mark"),
    "admonition with two marks": ("admonitions", "▶!! tip\n    Fly.\n", "stray-mark"),
    "collapsed block with four marks": ("details", "▶???? note\n    Fly.\n", "stray-mark"),
    "tab without quotation marks": ("tabs", "▶=== Linux\n    Fly.\n", "stray-mark"),
    "tab with two signs": ("tabs", '▶== "Linux"\n    Fly.\n', "stray-mark"),
    "block of an unknown kind": ("blocks", "Text\n\n▶/// notte | Kites\n", "stray-mark"),
    "end of a block that is not open": ("blocks", "Fly.\n\n▶///\n", "stray-mark"),
    "option of a block mistyped": ("blocks", "/// details | Kites\n▶    opne: true\nFly.\n///\n", "unknown-attribute"),
    "template without an end": ("macros", "Version ▶{{ version.\n", "stray-mark"),
    "template without an end, and no extension": ("", "Version ▶{{ version.\n", "stray-mark"),
    "tag of a template without an end": ("", "Text\n\n▶{% include kites\n", "stray-mark"),
    "condition without its end": ("macros", "▶{% if kites %}\nFly.\n", "unclosed"),
    "comment without its end": ("macros", "▶{# kites\nFly.\n", "stray-mark"),
    "condition of Liquid without its end": ("jekyll", "▶{% if page.kites %}\nFly.\n", "unclosed"),
    "raw text without its end": ("jekyll", "▶{% raw %}\nFly.\n", "unclosed"),
    "comment of Liquid without its end": ("jekyll", "Text\n\n▶{% comment %}\nFly.\n", "unclosed"),
    "code without its end": ("jekyll", "▶{% highlight py %}\nfly()\n", "unclosed"),
    "loop of Nunjucks without its end": ("eleventy", "▶{% for kite in kites %}\nFly.\n", "unclosed"),
    "shortcode with two kinds of marks": ("hugo", "▶{{< note %}}\nFly.\n", "stray-mark"),
    "shortcode without its end": ("hugo", '▶{{< figure src="kite.png" >\n', "stray-mark"),
    "include of mdBook without its end": ("mdbook", "▶{{#include kite.rs\n", "stray-mark"),
    "formula in HTML": ("math", "<p>\n▶$$\nx\n</p>\n", "formula"),
    "marked text": ("mark", "These are ▶==kites, and fly.\n", "stray-mark"),
    "inserted text": ("caret", "These are ▶^^kites, and fly.\n", "stray-mark"),
    "keys": ("keys", "Press ▶++ctrl+c to stop.\n", "stray-mark"),
    "mark of an editor": ("critic", "These are ▶{++new kites.\n", "critic-mark"),
    "abbreviation without its colon": ("abbr", "HTML\n\n▶*[HTML] Hypertext\n", "stray-mark"),
    "abbreviation twice": ("abbr", "HTML\n\n*[HTML]: Hypertext\n▶*[HTML]: Markup\n", "duplicate-definition"),
    "id of a heading": ("", "## Kites ▶{#kites\n", "stray-mark"),
    "attribute list": ("attr_list", "Kites fly. ▶{: .fast\n", "stray-mark"),
    "attribute mistyped": ("attr_list", "[kites](https://x.example)▶{ targt=_blank }\n", "unknown-attribute"),
    "attribute with a script": ("attr_list", '[kites](https://x.example)▶{ onclick="fly()" }\n', "unknown-attribute"),
    "formula in a block": ("math", "▶$$\nx + y\n\nKites.\n", "formula"),
    "formula with an open brace": ("math", "It is ▶$\\frac{1}{$ here.\n", "formula"),
    "Markdown in HTML with an unknown value": (
        "md_in_html",
        '▶<div markdown="5">\n\nFly.\n\n</div>\n',
        "unknown-attribute",
    ),
    "annotation without its text": ("annotations", "▶```py\nfly()  # (1)!\n```\n\nKites.\n", "undefined-footnote"),
    "annotation that the list lacks": (
        "annotations",
        "▶```py\na()  # (1)!\nb()  # (3)!\n```\n\n1. One\n\n    More of it.\n2. Two\n",
        "undefined-footnote",
    ),
    "text of no annotation": ("annotations", "▶```py\na()  # (1)!\n```\n\n1. One\n2. Two\n", "unused-footnote"),
    "wiki link": ("obsidian", "See ▶[[Kites for more.\n", "stray-mark"),
    "comment of Obsidian": ("obsidian", "▶%%hidden text\n", "stray-mark"),
    "style of a hint mistyped": ("gitbook", '▶{% hint style="wraning" %}\nFly.\n{% endhint %}\n', "unknown-admonition"),
    "end of a hint that is not open": ("gitbook", "Fly.\n\n▶{% endhint %}\n", "stray-end"),
    "attributes of a component of Nuxt": ("mdc", '▶::callout{color="info"\nFly.\n::\n', "stray-mark"),
    "unknown component in a line": ("mdc", "A ▶:kite[red one] flies.\n", "foreign-syntax"),
    "directive of MyST": ("myst", "▶```{note}\nFly.\n", "unclosed"),
    "directive of MyST with colons": ("myst", "▶:::{note}\nFly.\n", "unclosed"),
    "option of a directive mistyped": (
        "myst",
        "```{figure} https://x.example/k.svg\n▶:widht: 10\nA kite\n```\n",
        "unknown-attribute",
    ),
    "label that no page has": ("myst", "See ▶{ref}`kites`.\n", "undefined-reference"),
    "role that is not known": ("myst", "See ▶{kite}`red`.\n", "foreign-syntax"),
    "name of a tab without content": (
        "nextra",
        '▶<Tabs items={["A", "B"]}>\n<Tabs.Tab>One</Tabs.Tab>\n</Tabs>\n',
        "tabs",
    ),
    "type of a callout mistyped": ("nextra", '▶<Callout type="eror">Fly.</Callout>\n', "unknown-admonition"),
    "tree of files without a list": ("starlight", "▶<FileTree>\n\nkites\n\n</FileTree>\n", "empty-block"),
    "steps without a list": ("starlight", "▶<Steps>\n\nkites\n\n</Steps>\n", "empty-block"),
    "icon that is not known": ("starlight", '▶<Icon name="no-such-kite" />\n', "icon"),
    "attribute of a component mistyped": ("starlight", '▶<Card titel="Kites">Fly.</Card>\n', "unknown-attribute"),
    "attribute of a tab mistyped": (
        "",
        '<Tabs>\n▶<TabItem value="a" lable="Kites">\n\nFly.\n\n</TabItem>\n</Tabs>\n',
        "unknown-attribute",
    ),
    "attribute of HTML mistyped": (
        "",
        '▶<img src="https://x.example/k.svg" alt="A kite" widht="10">\n',
        "unknown-attribute",
    ),
    "alert without the end of its mark": ("", "> ▶[!note Kites\n> fly.\n", "stray-mark"),
    "kind of an admonition of mdBook": (
        "mdbook_preprocessors",
        "▶```admonish notee\nFly.\n```\n",
        "unknown-admonition",
    ),
    "npm2yarn without a command": ("npm2yarn", "▶```bash npm2yarn\nls -l\n```\n", "fence-option"),
    "hero without a heading": ("", "▶:::hero\nFly.\n:::\n", "empty-block"),
    "features without a list": ("", "▶:::features\nFly.\n:::\n", "empty-block"),
    "actions without a link": ("", "▶:::actions\nFly.\n:::\n", "empty-block"),
    "logos without a picture": ("", "▶:::logos\nFly.\n:::\n", "empty-block"),
    "numbered steps without a list": ("", "▶:::steps\nFly.\n:::\n", "empty-block"),
    "split with one part": ("", "▶:::split\nFly.\n:::\n", "empty-block"),
    "questions without one": ("", "▶:::faq\nFly.\n:::\n", "empty-block"),
    "call without a link": ("", "▶:::cta\n## Fly\n:::\n", "empty-block"),
    "emoji mistyped": ("emoji", "All ▶:smiel_cat: here.\n", "stray-mark"),
}
# name → (extensions, source): nothing here is a mistake
TEXT: dict[str, tuple[str, str]] = {
    "shouting": ("admonitions", "Kites!!! They fly.\n"),
    "questions": ("details", "Kites??? They fly.\n"),
    "comparisons": ("mark", "Where a == b and c != d, kites fly.\n"),
    "increments": ("keys", "C++ and i++ are not keys; nor is a ++ctrl+c++ that is read.\n"),
    "template of several lines": ("hugo", '{{< figure\n  src="https://x.example/k.png"\n  alt="A kite"\n>}}\n'),
    "templates in code": ("macros", "Write `{{ kites` and `{% if`.\n\n```\n{{ kites\n```\n"),
    "braces of a program": ("", "The style is `{{`, and ${{ is another.\n"),
    "percent": ("obsidian", "It is 50%% of it.\n"),
    "lists in brackets": ("obsidian", "The array is `[[1, 2]` here.\n"),
    "heading with braces that close": ("", "## Kites {#kites}\n"),
    "prices": ("math", "It costs $5, or $7 with a tail.\n"),
    "annotations with their list": (
        "annotations",
        "```py\na()  # (1)!\nb()  # (2)!\n```\n\n1.  One\n\n    ```\n    x\n    ```\n\n2.  Two\n",
    ),
    "attributes of other engines": ("starlight", '<Card title="A" titles="B" stagger data-x="1">Fly.</Card>\n'),
    "attributes of HTML": (
        "",
        '<table border="0" cellpadding="1" summary="x"><tr><td valign="top" nowrap="nowrap">Fly.</td></tr></table>\n',
    ),
    "condition that ends": ("jekyll", "{% if page.kites %}\nFly.\n{% endif %}\n{% raw %}{{ kites }}{% endraw %}\n"),
    "directives that end": ("myst", "````{note}\n```{tip}\nFly.\n```\n````\n\n:::{tip}\nFly.\n:::\n"),
    "emoji": ("emoji", "All :smile_cat: here, at 10:30:45 or in a:b:c.\n"),
    "link in an image in a quote": ("", "> [![A kite](https://x.example/k.svg)](https://x.example)\n"),
    "blocks of a landing page": (
        "",
        (
            ":::hero\n## Kites\n\n:::actions\n[Fly](https://x.example)\n:::\n:::\n\n:::features\n- **Fast**\n:::\n\n:::split\nFly.\n\n"
            "```sh\nfly\n```\n:::\n\n:::faq\n:::details[Is it free?]\nYes.\n:::\n:::\n\n:::steps\n1. Fly.\n:::\n"
        ),
    ),
    "alert": ("", "> [!NOTE]\n> Kites fly.\n"),
    "hint of PHP's end": ("docsify", "The tag `?>` ends it.\n\n!>Mind the gap.\n"),
}


def compiled(extensions: str, source: str) -> Document:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(extensions.split()))})
    return compile_document(source, source_path="docs/page.md", load={}.get, options=options)


@each("name", UNFINISHED)
def test_unfinished_syntax_is_a_finding_at_its_place(name: str) -> None:
    extensions, marked, code = UNFINISHED[name]
    at = marked.index(MARK)
    line, column = marked.count("\n", 0, at) + 1, at - marked.rfind("\n", 0, at)
    found = compiled(extensions, marked.replace(MARK, "")).diagnostics
    places = [(one.code, one.span.line, one.span.column) for one in found]
    assert (code, line, column) in places
    assert all(one.suggestion for one in found if one.code == code)


@each("name", TEXT)
def test_text_that_looks_like_it_is_none(name: str) -> None:
    assert compiled(*TEXT[name]).diagnostics == []


def test_tabs_and_cards_on_one_line_are_blocks() -> None:
    tabs = compiled("rspress", '<Tabs><Tab label="A">One</Tab><Tab label="B">Two</Tab></Tabs>\n')
    assert tabs.diagnostics == []
    (island,) = tabs.islands
    assert [tab["label"] for tab in island.props["tabs"]] == ["A", "B"]
    cards = compiled(
        "mintlify", '<CardGroup cols={2}><Card title="A">One</Card><Card title="B">Two</Card></CardGroup>\n'
    )
    assert cards.body.count('<div class="panel">') == 2
    assert "<p><div" not in cards.body


def test_messages_hold_no_placeholders() -> None:
    (finding,) = compiled("", '<Tabs>\n<TabItem value="a" label="A">x</TabItem>\n<b>B</b> {1}\n</Tabs>\n').diagnostics
    assert finding.message.isprintable()


def test_roles_of_extlinks_are_links_in_myst() -> None:
    rst = RstSettings(extlinks={"issue": ["https://x.example/%s", "#%s"]})
    options = ContentOptions(folders={"": Dialect(extensions=frozenset({"myst"}), rst=rst)})
    document = compile_document("See {issue}`12`.\n", source_path="docs/page.md", load={}.get, options=options)
    assert document.diagnostics == []
    assert [one.href for one in document.links] == ["https://x.example/12"]
    assert ">#12</a>" in document.body


def test_formulas_in_html_have_a_remedy_of_their_own() -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["math"]))})
    text = "<div>\nThe $\\alpha + 1$ of it\n</div>\n\nA\n\n$$\nx\n"
    document = compile_document(text, source_path="a.md", load=lambda path: None, options=options)
    assert [(one.span.line, one.suggestion) for one in document.diagnostics] == [
        (2, "Put empty lines around it between the tags, or write it outside of them."),
        (7, "Write $$ on lines of their own before and behind it."),
    ]
