"""Every mistake that would otherwise change a page in silence is a finding, at its line and column.

`▶` in a source marks the place at which the finding must point; it is taken out before the file is compiled.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import octavo.shipped
from octavo.content.audit.marks import SHIPPED
from octavo.content.compile import ContentOptions, compile_document
from tests.support.each import each

MARK = "▶"
# name → (suffix, source with a mark, code)
MISTAKES: dict[str, tuple[str, str, str]] = {
    "fence never closed": ("md", "Text\n\n▶```py\nx = 1\n\n## Lost\n", "unclosed-fence"),
    "fence never closed in a list": ("md", "- item\n\n  ▶~~~\n  x\n\nText\n", "unclosed-fence"),
    "fence never closed in mdx": ("mdx", "{1}\n\n▶```py\nx = 1\n", "unclosed-fence"),
    "fence closed with fewer marks": ("md", "▶````py\nx\n```\n\nText\n", "unclosed-fence"),
    "comment never closed": ("md", "Text\n\n▶<!-- gone\n\n## Lost\n", "unclosed-comment"),
    "comment never closed in mdx": ("mdx", "Text {1}\n\n▶<!-- gone\n\n## Lost\n", "unclosed-comment"),
    "front matter never closed": ("md", "▶---\ntitle: A\ndescription: B\n\nText\n", "front-matter"),
    "element never closed": ("md", "Text\n\n▶<div>\n\nText\n", "unclosed-html"),
    "element never closed in a line": ("md", "Text ▶<b>bold text\n\nMore\n", "unclosed-html"),
    "element never closed in mdx": ("mdx", "Text\n\n▶<div className='x'>\n\nText\n", "unclosed-html"),
    "element never closed in an admonition": ("md", ":::note\n\n▶<span>x\n\n:::\n", "unclosed-html"),
    "Markdown right below the start of HTML": (
        "md",
        "<center>\n▶![a kite](https://x.example/a.png)\n</center>\n",
        "stray-mark",
    ),
    "code right below the start of HTML": ("md", "Text\n\n<div>\n▶```sh\nls\n```\n</div>\n", "stray-mark"),
    "bold text within HTML": ("md", "<div>\n<p>x</p>\nHere ▶**kites** fly.\n</div>\n", "stray-mark"),
    "attribute given twice": ("mdx", "{1}\n\n<DocCard href='./a' ▶href='./b' title='x' />\n", "malformed-tag"),
    "attribute given twice in Markdown": ("md", "<DocCard\n  href='./a' title\n  ▶title={1} />\n", "malformed-tag"),
    "attribute given twice in HTML": ("mdx", "{1}\n\nText ▶<b lang='en' title='x' LANG='de'>x</b>\n", "malformed-tag"),
    "attribute given twice in HTML with a value in braces": (
        "mdx",
        "<p title={'x'} ▶title='y'>x</p>\n",
        "malformed-tag",
    ),
    "attribute given twice in HTML in Markdown": (
        "md",
        "Text ▶<a href='https://a.example' href='https://b.example'>x</a>\n",
        "malformed-tag",
    ),
    "attribute given twice in a line": ("md", "Text <Icon name='x' ▶name='rocket' /> y\n", "malformed-tag"),
    "elements crossed": ("md", "Text <b><i>x▶</b></i>\n", "crossed-html"),
    "end of an element that is not open": ("md", "Text x▶</span>\n", "stray-end"),
    "end of an element that HTML lacks": ("md", "<preview>\n\nText\n\n  ▶</preview>\n", "stray-mark"),
    "end of an element that HTML lacks, in a line": ("md", "Text <foo>x▶</foo> y\n", "stray-mark"),
    "end of an element that HTML lacks, in mdx": ("mdx", "{1}\n\n<preview>\n\nText\n\n▶</preview>\n", "stray-mark"),
    "undefined reference": ("md", "See ▶[x][nope] there\n", "undefined-reference"),
    "undefined collapsed reference": ("md", "See ▶[nope][] there\n", "undefined-reference"),
    "undefined reference of an image": ("md", "Ä ▶![x][nope] there\n", "undefined-reference"),
    "undefined footnote": ("md", "Text▶[^1] more\n", "undefined-footnote"),
    "footnote without a use": ("md", "Text\n\n▶[^1]: Unseen\n", "unused-footnote"),
    "undefined footnote in a component": (
        "mdx",
        "<Tabs>\n<TabItem value='a'>\n\nText▶[^1] more\n\n</TabItem>\n</Tabs>\n",
        "undefined-footnote",
    ),
    "link without text and address": ("md", "Text ▶[]() more\n", "empty-link"),
    "link without address": ("md", "Text ▶[text]() more\n", "empty-link"),
    "link without text": ("md", "Text ▶[](https://example.org) more\n", "empty-link"),
    "image without address": ("md", "Text ▶![alt]() more\n", "empty-link"),
    "link with a space in its address": ("md", "Text ▶[a](../my page.md) more\n", "link-space"),
    "scheme mistyped": ("md", "Text ▶[a](htp://example.org) more\n", "unknown-scheme"),
    "scheme mistyped in HTML": ("md", "Text ▶<a href='htps://example.org'>a</a> more\n", "unknown-scheme"),
    "host that cannot be read": ("md", "Text ▶[a](http://[::1/a) more\n", "malformed-address"),
    "address without a host": ("md", "Text ▶[a](https:///path) more\n", "malformed-address"),
    "address of nothing": ("md", "Text ▶[a](https://) more\n", "malformed-address"),
    "port that is too large": ("md", "Text ▶[a](https://example.org:777777/) more\n", "malformed-address"),
    "port that is no number": ("md", "Text ▶<a href='//example.org:port/'>a</a> more\n", "malformed-address"),
    "host with two dots": ("md", "Text ▶[a](https://a..example.org/) more\n", "malformed-address"),
    "host with a part that is too long": ("md", f"Text ▶[a](https://{'a' * 64}.org/) more\n", "malformed-address"),
    "host with an escape": ("md", "Text ▶[a](https://ex%20ample.org/) more\n", "malformed-address"),
    "image whose host cannot be read": ("md", "Text ▶![alt](https://[example.org/a.png) more\n", "malformed-address"),
    "scheme without a colon": ("md", "Text ▶[a](http//example.org) more\n", "unknown-scheme"),
    "tabs without a tab": ("md", "Text\n\n▶:::tabs\n\n@tab Linux\n\nText\n\n:::\n", "empty-block"),
    "heading without a space": ("md", "Text\n\n▶##Heading\n", "stray-mark"),
    "heading with a fixed space": ("md", "Text\n\n▶##\u00a0Heading\n", "stray-mark"),
    "heading of level 7": ("md", "Text\n\n▶####### Heading\n", "stray-mark"),
    "bold text whose end touches a word": ("md", "Text\n\n**Note:▶**kites fly.\n", "stray-mark"),
    "bold text without an end": ("md", "This is ▶**never closed.\n\nMore\n", "stray-mark"),
    "bold text without an end in mdx": ("mdx", "- Ä ▶**never closed.\n\nMore **bold** {1}\n", "stray-mark"),
    "bold text with a space inside": ("md", "This **is** ▶** not bold** text\n", "stray-mark"),
    "bold text between a letter and punctuation": ("md", "これは▶**「風」**と言う。\n", "stray-mark"),
    "code without an end": ("md", "Here is ▶`code never closed.\n\n```\nx\n```\n", "stray-mark"),
    "code without an end, twice on a page": ("md", "Here is ▶`code.\n\nMore ``code\n", "stray-mark"),
    "code in a table with marks of two lengths": (
        "md",
        "| a |\n|---|\n| `x`` and `y▶`` |\n| 1 |\n| `z`` |\n",
        "stray-mark",
    ),
    "code with two marks and no end": ("md", "Here is ▶``code`.\n\nMore `code`\n", "stray-mark"),
    "link without an end": ("md", "See ▶[the guide](/guide and more.\n", "stray-mark"),
    "link with a space before its address": ("md", "See ▶[the guide] (/guide).\n", "stray-mark"),
    "link with its brackets exchanged": ("md", "See ▶(the guide)[/guide].\n", "stray-mark"),
    "directive that nobody has": ("md", "Text\n\n▶::dept{m=1}\n", "stray-mark"),
    "directive of an extension that the site does not use": ("md", "▶::csv[data/a.csv]\n\nText\n", "stray-mark"),
    "directive without a label": ("md", "Text\n\n▶::dept\n\nText\n", "stray-mark"),
    "directive in mdx": ("mdx", "Ä\n\n- a\n\n  ▶::dept[label]\n\nText {1}\n", "stray-mark"),
    "directive with both": ("md", "Ä\n\n▶::dept[label]{m=1}\n\nText\n", "stray-mark"),
    "text behind the mark of an alert": ("md", "> ▶[!NOTE] Text\n> More\n", "unknown-admonition"),
    "alert of an unknown kind": ("md", "> ▶[!NOET]\n> Text\n", "unknown-admonition"),
    "levels skipped": ("md", "## A\n\n▶##### B\n", "heading-order"),
    "two titles": ("md", "# A\n\nText\n\n▶# B\n", "second-title"),
    "two titles in mdx": ("mdx", "# A {1}\n\n▶# B\n", "second-title"),
    "class after a heading's id": ("md", "Text\n\n▶## Head {#my-id .wide}\n\n[a](#my-id)\n", "foreign-syntax"),
    "heading without text": ("md", "Text\n\n▶##\n\nText\n", "empty-heading"),
    "title without text": ("md", "---\n▶title: ''\n---\n\nText\n", "front-matter"),
    "line to highlight that is not there": ("md", "Text\n\n▶```py {99}\nx = 1\n```\n", "highlight-range"),
    "range to highlight that is no range": ("md", "▶```py {5-2}\nx\nx\nx\nx\nx\nx\n```\n", "highlight-range"),
    "text to mark that is not there": ("md", 'Text\n\n▶```py "spam"\nx = 1\n```\n', "highlight-range"),
    "pattern to mark": ("md", "Text\n\n▶```py /y+/\nx = 1\n```\n", "highlight-range"),
    "label of a line that is not there": ("md", 'Text\n\n▶```py {"Here":4}\nx = 1\n```\n', "highlight-range"),
    "line to fold that is not there": ("md", "Text\n\n▶```py collapse={2-3}\nx = 1\n```\n", "highlight-range"),
    "new line that is not there": ("md", "Text\n\n▶```py ins={2}\nx = 1\n```\n", "highlight-range"),
    "icon without a name": ("md", "---\n▶icon: ''\n---\n\nText\n", "icon"),
    "diagram of no known kind": ("md", "▶```mermaid\ngrahp TD\n  A --> B\n```\n", "mermaid"),
    "diagram without content": ("md", "▶```mermaid\n```\n", "mermaid"),
    "row with too many cells": ("md", "| a | b |\n|---|---|\n| 1 | 2 |\n▶| 1 | 2 | 3 |\n", "table-cells"),
    "row with too many cells by a pipe in code": ("md", "| a | b |\n|---|---|\n▶| 1 | `x | y` | 2 |\n", "table-cells"),
    "table whose delimiter row has other columns": (
        "md",
        "Text\n\n▶| a | b | c |\n|---|---|\n| 1 | 2 | 3 |\n",
        "table",
    ),
    "table that a program has drawn, with plus signs between its dashes": (
        "md",
        f"Text\n\n▶| a | b |\n|{'-' * 60}+{'-' * 60}|\n| 1 | 2 |\n",
        "table",
    ),
    "table without delimiter row": ("md", "Text\n\n▶| a | b |\n| 1 | 2 |\n", "table"),
    "bytes that are no UTF-8": ("md", "Text\n\ncaf▶\ufffd\n", "encoding"),
    "escape character of a terminal": ("md", "Text\n\n```text\n▶\x1b[31mred\n```\n", "encoding"),
    "vertical tab in a title": ("md", '---\ntitle: "Ti▶\x0btle"\n---\n\nText\n', "encoding"),
    "noncharacter": ("md", "Text▶\ufffe\n", "encoding"),
    "MkDocs admonition": ("md", "Text\n\n▶!!! note\n\n    Inside\n", "foreign-syntax"),
    "MkDocs admonition with a title in a list": (
        "md",
        '- a\n\n  ▶!!! warning "Title"\n      Inside\n',
        "foreign-syntax",
    ),
    "MkDocs foldable admonition": ("md", '▶??? note "Title"\n    Inside\n', "foreign-syntax"),
    "MkDocs tab": ("md", '▶=== "Tab"\n\n    Inside\n', "foreign-syntax"),
    "Python-Markdown block": ("md", "▶/// note | Title\nInside\n///\n", "foreign-syntax"),
    "snippet": ("md", 'Text\n\n▶--8<-- "file.md"\n', "foreign-syntax"),
    "attribute list of a heading": ("md", "## Heading ▶{ #id .cls }\n", "foreign-syntax"),
    "attribute list with a colon": ("md", "Text\n▶{: .cls }\n", "foreign-syntax"),
    "attribute list of an image": ("md", '![a](https://example.org/a.png)▶{ width="300" }\n', "foreign-syntax"),
    "Hugo shortcode": ("md", 'Text ▶{{< ref "x.md" >}} more\n', "foreign-syntax"),
    "Hugo shortcode with Markdown": ("md", "▶{{% notice %}}\nText\n{{% /notice %}}\n", "foreign-syntax"),
    "Liquid tag": ("md", "▶{% include x.html %}\n", "foreign-syntax"),
    "template variable": ("md", "Text ▶{{ version }} more\n", "foreign-syntax"),
    "mdBook include": ("md", "▶{{#include file.rs}}\n", "foreign-syntax"),
    "icon": ("md", "Text ▶:material-check: more\n", "foreign-syntax"),
    "emoji": ("md", "Text ▶:rocket: more\n", "foreign-syntax"),
    "table of contents": ("md", "▶[[toc]]\n\nText\n", "foreign-syntax"),
    "table of contents in capitals": ("md", "▶[TOC]\n\nText\n", "foreign-syntax"),
    "VitePress snippet": ("md", "▶<<< @/snippets/a.js\n", "foreign-syntax"),
    "wiki link": ("md", "See ▶[[Other page]] there\n", "foreign-syntax"),
    "math": ("md", "Text\n\n▶$$\nx^2\n$$\n", "foreign-syntax"),
    "reStructuredText directive": ("md", "▶.. note:: Text\n", "foreign-syntax"),
    "MyST directive": ("md", "▶```{note}\nText\n```\n", "foreign-syntax"),
    "definition list": ("md", "▶Term\n:   Definition\n", "foreign-syntax"),
    "abbreviation": ("md", "Text\n\n▶*[HTML]: Hyper Text\n", "foreign-syntax"),
    "component in Markdown": ("md", 'Text\n\n▶<Foo bar="1" />\n\nMore\n', "mdx-syntax"),
    "component in a line of Markdown": ("md", "Text ▶<Foo>x</Foo> more\n", "mdx-syntax"),
    "import in Markdown": ("md", "▶import P from '@site/src/P';\n\nText\n", "mdx-syntax"),
    "export in Markdown": ("md", "▶export const a = f(1);\n\nText\n", "mdx-syntax"),
    "expression in Markdown": ("md", "Text ▶{frontMatter.title} more\n", "mdx-syntax"),
    "comment of MDX in Markdown": ("md", "Text ▶{/* comment */} more\n", "mdx-syntax"),
    "expression as attribute in Markdown": ("md", "Text ▶<span style={{color: 'red'}}>x</span> more\n", "mdx-syntax"),
    "unknown component in mdx": ("mdx", "Text\n\n▶<Foo />\n", "unknown-component"),
    "expression in mdx": ("mdx", "Text ▶{x.y} more\n", "expression"),
    "brace never closed in mdx": ("mdx", "Text ▶{x more\n", "expression"),
    "handler in mdx": ("mdx", "Text <b onClick=▶{() => f()}>x</b> more\n", "expression"),
    "export in mdx": ("mdx", "▶export const a = f(1);\n\nText\n", "export"),
    "MkDocs admonition in mdx": ("mdx", "Text {1}\n\n▶!!! note\n\n    Inside\n", "foreign-syntax"),
    "unknown kind of admonition": ("md", "Text\n\n▶:::nte\n\nInside\n\n:::\n", "unknown-admonition"),
    "admonition never closed": ("md", "▶:::note\n\nInside\n", "unclosed"),
    "unknown language": ("md", "▶```pyhton\nx\n```\n", "unknown-language"),
    "image without alternative text": ("md", "Text ▶![](https://example.org/a.png)\n", "missing-alt"),
    "unknown key of front matter": ("md", "---\ntitle: A\n▶tilte: B\n---\n\nText\n", "front-matter-key"),
    "struck text without an end": ("md", "This is ▶~~gone without an end.\n\nMore ~~gone~~.\n", "stray-mark"),
    "code of three marks in a line": ("md", "Use ```code``` and ▶```more.\n", "stray-mark"),
    "link to a file without an end": ("md", "See ▶[the guide](other.md for more.\n", "stray-mark"),
    "link without the end of its text": ("md", "See ▶[the guide(other.md) for more.\n", "stray-mark"),
    "link to a file with its brackets exchanged": ("md", "See ▶(the guide)[a/other.md#x] for more.\n", "stray-mark"),
    "link to a file with a space before its address": ("md", "See ▶[the guide] (other.md) for more.\n", "stray-mark"),
    "image with a space behind its mark": ("md", "Text\n\n▶! [A kite](kite.png)\n", "stray-mark"),
    "address without the end of its brackets": ("md", "See ▶<https://example.org for more.\n", "stray-mark"),
    "comment with one dash": ("md", "Text\n\n▶<!- a comment ->\n", "stray-mark"),
    "comment whose dashes a program has joined": ("md", "Text ▶<!— a comment —>\n", "stray-mark"),
    "tag with a quotation mark too few": ("md", 'Text ▶<img src="/a.svg alt="x"> more\n', "stray-mark"),
    "entity mistyped": ("md", "Fish▶&nbps;and chips\n", "stray-mark"),
    "entity without its semicolon": ("md", "Fish ▶&amp chips\n", "stray-mark"),
    "list without spaces": ("md", "Text\n\n▶-One\n-Two\n", "stray-mark"),
    "list of asterisks without spaces": ("md", "▶*One\n*Two\n", "stray-mark"),
    "numbered list without spaces": ("md", "Text\n\n▶1.One\n2.Two\n", "stray-mark"),
    "task without a space": ("md", "Text\n\n▶-[ ] open\n", "stray-mark"),
    "task with a space too many": ("md", "- ▶[x ] done\n- [ ] open\n", "stray-mark"),
    "task without a space in its box": ("md", "- [x] done\n- ▶[] open\n", "stray-mark"),
    "alert without brackets": ("md", "> ▶!NOTE\n> Text\n", "unknown-admonition"),
    "alert without its exclamation mark": ("md", "> ▶[WARNING]\n> Text\n", "unknown-admonition"),
    "admonition with two colons": ("md", "Text\n\n▶::note\nText\n::\n", "stray-mark"),
    "title of an admonition without its end": ("md", "▶:::note[Title\n\nText\n\n:::\n", "stray-mark"),
    "front matter in the text": ("md", "# A\n\n---\n▶title: X\n---\n\nText\n", "front-matter"),
    "front matter behind a space": ("md", " ---\n▶title: X\n---\n\nText\n", "front-matter"),
    "marked text": ("md", "Some ▶==marked== text\n", "foreign-syntax"),
    "keys": ("md", "Press ▶++ctrl+c++ now\n", "foreign-syntax"),
    "subscript": ("md", "It is H▶~2~O here\n", "foreign-syntax"),
    "superscript": ("md", "It is x▶^2^ here\n", "foreign-syntax"),
    "footnote in the line": ("md", "Text▶^[with a note] more\n", "foreign-syntax"),
    "comment of Obsidian": ("md", "Text ▶%%a comment%% more\n", "foreign-syntax"),
    "attribute list without quotation marks": ("md", "![a](https://example.org/a.png)▶{width=300}\n", "foreign-syntax"),
    "role of reStructuredText": ("md", "See ▶:ref:`x` there\n", "foreign-syntax"),
    "role of a domain": ("md", "See ▶:py:class:`x` there\n", "foreign-syntax"),
    "link of reStructuredText": ("md", "See `the guide <https://example.org>`▶_ there\n", "foreign-syntax"),
    "link of AsciiDoc": ("md", "See ▶link:https://example.org[the guide] there\n", "foreign-syntax"),
    "formula in brackets of LaTeX": ("md", "Text\n\n▶\\[ x^2 = \\frac{1}{2} \\]\n", "foreign-syntax"),
    "environment of LaTeX": ("md", "Text\n\n▶\\begin{align}\nx\n\\end{align}\n", "foreign-syntax"),
    "footnote defined twice": ("md", "Text[^1].\n\n[^1]: A\n\n▶[^1]: B\n", "duplicate-definition"),
    "link defined twice": (
        "md",
        "See [x].\n\n[x]: https://example.org/a\n▶[X]: https://example.org/b\n",
        "duplicate-definition",
    ),
    "id of HTML used twice": ("md", '<a id="x"></a>\n\nText ▶<a id="x"></a>\n', "duplicate-anchor"),
    "option of a fence mistyped": ("md", 'Text\n\n```py ▶tilte="a.py"\nx = 1\n```\n', "fence-option"),
    "flag of a fence mistyped": ("md", "- a\n\n  ```py ▶showLineNumber\n  x = 1\n  ```\n", "fence-option"),
    "title of a fence without quotation marks": ("md", "```py ▶title=a b.py\nx = 1\n```\n", "fence-option"),
    "title of a fence without an end": ("md", '```py ▶title="a b.py\nx = 1\n```\n', "fence-option"),
    "line number that is no number": ("md", "```py ▶showLineNumbers=x\nx = 1\n```\n", "fence-option"),
    "lines to highlight that are no numbers": ("md", "```py ▶{1,a}\nx = 1\n```\n", "fence-option"),
    "lines to highlight without an end": ("md", "```py ▶{1,3\nx = 1\n```\n", "fence-option"),
    "lines to mark that are no numbers": ("md", "```py ▶ins={x}\nx = 1\n```\n", "fence-option"),
    "words to mark without an end": ("md", '```py ▶ins="x\nx = 1\n```\n', "fence-option"),
    "highlighted lines without an end": ("md", "Text\n\n```js\na\n// ▶highlight-start\nb\n```\n", "highlight-range"),
    "highlighted lines without a start": ("md", "- a\n\n  ```js\n  b\n  // ▶highlight-end\n  ```\n", "highlight-range"),
    "comment for a line mistyped": ("md", "```js\n// ▶higlight-next-line\nb\n```\n", "highlight-range"),
    "comment for a line with another form": ("md", "```py\n# ▶highlight-begin\nb\n```\n", "highlight-range"),
    "comment for a line that is not there": ("md", "```js\na\n// ▶highlight-next-line\n```\n", "highlight-range"),
    "comment beside lines in braces": ("md", "```js {1}\na\n// ▶highlight-next-line\nb\n```\n", "highlight-range"),
    "notation of Shiki mistyped": ("md", "```js\na\nb // ▶[!code highligt]\n```\n", "highlight-range"),
    "notation of Shiki beyond the last line": ("md", "```js\na\nb // ▶[!code hl:3]\n```\n", "highlight-range"),
    "word of the notation of Shiki that is not there": (
        "md",
        "```js\na\nb // ▶[!code word:kiln]\n```\n",
        "highlight-range",
    ),
    "attribute with other capitals": (
        "md",
        '▶<Tabs groupid="x">\n<TabItem value="a">x</TabItem>\n</Tabs>\n',
        "unknown-attribute",
    ),
    "kind of a card": ("md", "▶<DocCardList items={[{type: 'lnk', href: '/'}]} />\n", "card"),
    "numbers of a list beside small letters": ("md", "▶1.one\n2.two\n", "stray-mark"),
    "item of a list with a fixed space": ("md", "▶-\u00a0one\n", "stray-mark"),
    "number of a list with a fixed space": ("md", "Text\n\n▶1.\u00a0one\n", "stray-mark"),
    "item of a list with a wide space": ("md", "▶-\u3000項目\n", "stray-mark"),
    "title with a wide space": ("md", "▶#\u3000見出し\n", "stray-mark"),
    "bold text with spaces on both sides": ("md", "This is ▶** bold ** text\n", "stray-mark"),
    "import within a paragraph": ("mdx", "Text\n▶import X from './a.mdx'\n", "mdx-syntax"),
    "export within a paragraph": ("mdx", "Text\n▶export const a = 1\n", "mdx-syntax"),
    "rest of a merge": ("md", "Text\n\n▶<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> b\n", "stray-mark"),
    "alert with a space": ("md", "> ▶[! NOTE]\n> text\n", "unknown-admonition"),
    "comment within a line never closed": ("md", "Text ▶<!-- comment\n\nMore\n", "unclosed-comment"),
    "admonition of MyST": ("md", "Text\n\n▶:::{note}\nText\n:::\n", "foreign-syntax"),
    "code between curly quotation marks": ("md", "Text\n\n▶‘‘‘js\nx\n‘‘‘\n", "stray-mark"),
    "line 0 to highlight": ("md", "Text\n\n▶```py {0}\nx = 1\n```\n", "highlight-range"),
    "file of the author's computer": ("md", "Text ▶[a](file:///home/me/a.html) more\n", "unknown-scheme"),
    "path of Windows": ("md", "Text ▶[a](C:\\Users\\me\\a.html) more\n", "unknown-scheme"),
    "scheme with one slash": ("md", "Text ▶[a](https:/example.org) more\n", "malformed-address"),
    "element of a whole page": ("md", "Use the ▶<body> tag\n", "misplaced-html"),
    "element of a head": ("md", "Use the ▶<base> tag\n", "misplaced-html"),
    "cell outside of a table": ("md", "Use the ▶<td> tag\n", "misplaced-html"),
    "source of nothing": ("md", "Run cp ▶<source> here\n", "misplaced-html"),
    "link within a link": ("md", '<a href="#x">x ▶<a href="#x">y</a></a>\n\n## x\n', "misplaced-html"),
    "image without an address in HTML": ("md", "Use the ▶<img> tag\n", "empty-link"),
    "id used twice": ("md", "## A {#x}\n\n▶## B {#x}\n", "duplicate-anchor"),
}


@each("name", MISTAKES)
def test_mistake_is_found_at_its_place(name: str) -> None:
    suffix, marked, code = MISTAKES[name]
    before, _, after = marked.partition(MARK)
    document = compile_document(before + after, source_path=f"docs/p.{suffix}", load={}.get, options=ContentOptions())
    places = [(found.code, found.span.line, found.span.column) for found in document.diagnostics]
    expected = (code, before.count("\n") + 1, len(before) - before.rfind("\n"))
    assert expected in places, document.diagnostics


CLEAN = {
    "marks that are text": "a ~ b, ~~ and ~/dir~, x^2, a ^ b, i++ + ++j, a == b == c, %d%% and 100%%\n",
    "brackets of prose": "[see (a) and b] [1] (x) f(x)[y] a[0](b) [a (https://example.org) b]\n",
    "entities": "&amp; &nbsp; &copy; AT&T Q&A; a&b; R&D &c. `&nbps;` https://example.org/?a=1&copy=2 &#169;\n",
    "signs at the start of lines": "-5 degrees\n\n*a* and\n*b* too\n\n1.5 is\n2.5 not\n\n*One* line\n*Two* lines\n",
    "tasks": "- [x] a\n- [ ] b\n- [a](https://example.org)\n- [](https://example.org/#a 'b')x\n".replace(
        "- [](https://example.org/#a 'b')x\n", ""
    ),
    "quotes": "> Note\n> text\n\n> !important words\n\n> [!NOTE]\n> text\n",
    "definitions": "[a] [b] [^1] [^2]\n\n[a]: https://example.org\n[b]: https://example.org\n[^1]: x\n[^2]: x\n\n```\n[a]: x\n[^1]: y\n```\n",
    "rules and keys": "A\n\n---\n\nNote: a rule\n\n---\n\nB\n",
    "options of fences": '```py title="a.py" {1} showLineNumbers\nx\n```\n\n```js live twoslash copy\nx\n```\n\n```sh frame="none" wrap\nx\n```\n',
    "sloppy tags in a block of HTML": '<iframe src="https://example.org/a"width="5" title="a"></iframe>\n',
    "schemes alone": "[a](file://) [b](file:///)\n",
    "options of other engines": '```js [[1, 2, "title=\\"a\\""], [2, 3, "x"]]\nx\n```\n',
    "escaped brackets around HTML": '\\[a <span dir="rtl">b</span>\\], c\n',
    "escaped brackets": "\\[not a link\\] and \\(text\\)\n",
    "tables of HTML": "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>\n\n<table>\n<tr>\n<td>\n\nText\n\n</td>\n</tr>\n</table>\n",
    "sources of films": '<video controls><source src="https://example.org/a.mp4"></video>\n\n<picture><source srcset="https://example.org/a.webp"><img src="https://example.org/a.png" alt="a"></picture>\n',
    "ids of an anchor": '<a id="a" name="a"></a>\n\n<a name="b"></a>\n\n## b\n',
    "code with marks of other engines": "`==a==` `++b++` `:ref:` ``:ref:`x` `` `^[a]` `%%b%%` `<body>`\n",
    "colons": "std::vector\n\nA ::before is\n::after a {x}\n\n\\::dept[a]\n\n`::dept[a]`\n\n::1\n\n```\n::dept[a]\n```\n\n::set-output name=a::b\n",
    "code and code spans": "`[x][nope]` `{{ a }}` `:x:` `{a.b}`\n\n```text\n!!! note\n| a | b |\n{{< x >}}\n[x][nope]\n<div>\n:smile:\n```\n\n    !!! indented\n    <div>\n",
    "optional end tags": "<p>One\n\n<ul><li>a<li>b</ul>\n\n<table><tr><td>x</table>\n",
    "void elements": "a<br>b <img src='https://example.org/a.png' alt='a'> <hr>\n",
    "placeholders": "Run cp <src> <target>, `</preview>` and <https://example.org>\n",
    "a comparison and a generic": "Vec<T> and a < b, c > d, Map<String, List<Int>>\n",
    "times and ratios": "At 10:30:45 use a:b:c, `::` and https://example.org:8080/a:b:c\n",
    "references that are defined": "[x][yes] [yes][] [yes] [^1] [ ] [a]\n\n[yes]: https://example.org\n[^1]: Note\n",
    "tables": "| a | b |\n|---|---|\n| 1 \\| x | 2 |\n| 1 |\n\na | b\n--|--\n1 | 2\n",
    "headings in order": "# A\n\n## B\n\n### C\n\n## D\n\n#### too deep is reported elsewhere\n".replace("####", "###"),
    "rule and setext": "Title\n=====\n\nText\n\n---\n\nMore\n\n===\n",
    "nested fences": "````md\n```js\nx\n```\n````\n\n> ```js\n> x\n> ```\n\n- ```js\n  x\n  ```\n",
    "braces of prose": 'Use {id} or {name} in `a`; JSON {"a": 1} stays\n',
    "money": "It costs $5 or $$ signs, from $10 to $20.\n",
    "closed elements": "<div>\n\nText <b>x</b>\n\n</div>\n\n<details><summary>a</summary>\n\nb\n\n</details>\n",
    "comments": "<!-- a -->\n\ntext <!-- b {{ x }}\nc --> more\n",
    "links": "[a](https://example.org) [b](mailto:a@example.org) [c](tel:123) [d](vscode:x) [e](<./my page.md>) [f](#x)\n\n## x\n",
    "raw code": "<pre>{{ a }}\n!!! x</pre>\n\nText <code>{{ a }}</code> and <kbd>:x:</kbd>\n\n<script>\nlet a = {b: `{{ c }}`}\n</script>\n",
    "comments of other programs in code": "```js\n// eslint-disable-next-line\n// prettier-ignore-start\na\n// docs-end\n// highlight-start\nb\n// highlight-end\nc // [!code hl]\n```\n\n```md\n# highlight-end\n[!code x]\n[!!code highligt]\n```\n",
    "braces behind a fence": '```js {1} ins={1} {"a":1} collapse={1} x={y} {a: 1}\nx\n```\n\n``` { .py #a hl_lines="1" }\nx\n```\n\n```rust,editable {{#x}}\nx\n```\n',
    "quotation marks behind a fence": '```js "x" \'x\' title="it\'s" /x/\nx\n```\n',
    "stars and spaces": "a ** 2 ** b, 2 ** 3, *\u00a0a\n\n1.5\u00a0m\n\n# A \u3000b\n",
    "diagram": "```mermaid\n%% comment\nflowchart TD\n  A --> B\n```\n\n```mermaid\n---\ntitle: x\n---\nsequenceDiagram\n  A->>B: x\n```\n",
}


@pytest.mark.costly
@each("name", CLEAN)
def test_what_is_right_has_no_finding(name: str) -> None:
    document = compile_document(CLEAN[name], source_path="docs/p.md", load={}.get, options=ContentOptions())
    assert [str(found.span) + " " + found.message for found in document.diagnostics] == []


def test_directive_of_a_shipped_extension_names_it() -> None:
    document = compile_document("::csv[a.csv]\n", source_path="docs/p.md", load={}.get, options=ContentOptions())
    assert [found.suggestion for found in document.diagnostics] == [
        'Add "octavo.shipped.csv_table" to `extensions` in octavo.toml, or write \\:: for text.'
    ]
    shipped = Path(octavo.shipped.__file__).parent
    for directive, extension in SHIPPED.items():
        source = next(
            path for path in (shipped / f"{extension}.py", shipped / extension / "__init__.py") if path.is_file()
        )
        assert f'extension.directive("{directive}"' in source.read_text("utf-8")


def test_template_variable_is_one_finding() -> None:
    document = compile_document(
        "Shows {{ .Name }} and { .mark } here.\n", source_path="docs/a.md", load={}.get, options=ContentOptions()
    )
    assert [(one.code, one.span.column) for one in document.diagnostics] == [
        ("foreign-syntax", 7),
        ("foreign-syntax", 23),
    ]
