"""Templates of Vue in pages: values that are written out are put in, those that a program computes are left out."""

from __future__ import annotations

import time

import pytest

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document


def compiled(text: str) -> Document:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset({"vitepress"}))})
    return compile_document(text, source_path="a.md", load=lambda _: None, options=options)


FRONT = "---\ntitle: Kite\nsize: 3\nmaker: {name: Ada}\n---\n\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{{ $frontmatter.title }} of {{$frontmatter.maker.name}}", "Kite of Ada"),
        ("<p>{{ frontmatter.size }} m</p>", "<p>3 m</p>"),
        ("{{ 'a {b} *c*' }} {{ 42 }}", "a {b} *c* 42"),
        ("`{{ $frontmatter.title }}`", "{{ $frontmatter.title }}</code>"),
        ("<span v-pre>{{ x }}</span>", "{{ x }}"),
        ("<section>\n<template #lead>\nWords.\n</template>\n</section>", "<div>\nWords.\n</div>"),
        ("`<template #lead>`", "&lt;template #lead&gt;"),
    ],
)
def test_value_that_is_written_out_is_put_in(text: str, shown: str) -> None:
    document = compiled(FRONT + text)
    assert shown in document.body
    assert [one.code for one in document.diagnostics if one.code == "stray-end"] == []
    assert [one.code for one in document.diagnostics if one.code == "foreign-syntax"] == []


@pytest.mark.parametrize(
    ("text", "shown", "lines"),
    [
        ("Before {{ count + 1 }} after", "Before  after", [7]),
        (
            "<table><tbody>\n<tr v-for=\"one in all.filter(x => x.y)\">\n<td><b>{{ one.name }}</b></td>\n</tr>\n</tbody></table>\n\nText {{ $t('x') }}.",
            "<table><tbody>\n</tbody></table>",
            [8, 13],
        ),
        ('<Card v-for="a in b" :key="a" />\n\n{{\n  computed\n}}\n\nEnd', "End", [7, 9]),
    ],
)
def test_what_is_computed_is_left_out_with_a_finding(text: str, shown: str, lines: list[int]) -> None:
    document = compiled(FRONT + text)
    assert shown in document.body
    assert "{{" not in document.body
    assert [one.span.line for one in document.diagnostics if one.code == "foreign-syntax"] == lines


@pytest.mark.parametrize("piece", ['<a v-for="', '<a v-for="x">', "{{ a ", "<b v-pre>", '<a "', "{{\n"])
def test_open_templates_cost_time_in_proportion(piece: str) -> None:
    def seconds(count: int) -> float:
        started = time.process_time()
        compiled(piece * count)
        return time.process_time() - started

    seconds(10)
    assert seconds(4000) < 5


def test_files_in_a_code_group_are_tabs() -> None:
    text = "::: code-group\n\n<<< ./a.ts [First]\n\n```js [Second]\n1\n```\n\n<<< ./a.ts{1}\n\n:::\n"
    options = ContentOptions(folders={"": Dialect(extensions=frozenset({"vitepress"}))})
    document = compile_document(text, source_path="a.md", load={"a.ts": "let x;\n"}.get, options=options)
    assert [one["label"] for one in document.islands[0].props["tabs"]] == ["First", "Second", "a.ts"]
    assert document.diagnostics == []


def test_lines_that_take_in_files_are_shown_in_blocks_of_code() -> None:
    text = "::: code-group\n\n```text\n<<< @/a.ts{1}\n```\n\n<<< @/a.ts[Shown]\n\n:::\n\n- ```text\n  <<< ./gone.ts\n  ```\n"
    options = ContentOptions(folders={"": Dialect(extensions=frozenset({"vitepress"}))})
    document = compile_document(text, source_path="a.md", load={"a.ts": "let x;\n"}.get, options=options)
    assert document.diagnostics == []
    assert "&lt;&lt;&lt; @/a.ts{1}" in str(document.islands[0])
    assert "./gone.ts" in document.body


def test_bound_properties_of_components_are_values() -> None:
    options = ContentOptions(
        components=frozenset({"Box"}),
        react=frozenset({"Box"}),
        folders={"": Dialect(extensions=frozenset({"vitepress"}))},
    )
    text = '<Box :list="[{ a: 1 }]" :is-on="true" name="x" :later="now()" />\n'
    document = compile_document(text, source_path="a.md", load={}.get, options=options)
    assert document.islands[0].props["props"] == {"list": [{"a": 1}], "is-on": True, "name": "x"}
    assert [(one.code, one.span.column) for one in document.diagnostics] == [("expression", 55)]


@pytest.mark.parametrize("front", ["hero: {name: Kite, text: Fly}", "title: All about kites\nhero: {title: Kite}"])
def test_title_of_a_hero_stands_in_the_place_of_the_page_title(front: str) -> None:
    document = compiled(f"---\n{front}\n---\n\nWords.\n")
    assert document.has_title
    assert document.headings[0].text == "Kite"
    assert document.diagnostics == []


def test_hero_without_a_title_shows_that_of_the_page() -> None:
    document = compiled("---\ntitle: Kite\nhero: {tagline: Up}\n---\n\nWords.\n")
    assert document.has_title
    assert [one.text for one in document.headings] == ["Kite"]
    assert document.diagnostics == [], "a hero without a heading is a finding"


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("guide/start", "/guide/start"),
        ("/guide/start", "/guide/start"),
        ("./guide/start", "./guide/start"),
        ("../guide/start", "../guide/start"),
        ("#parts", "#parts"),
        ("https://kite.example", "https://kite.example"),
        ("mailto:ada@kite.example", "mailto:ada@kite.example"),
    ],
)
def test_links_of_a_hero_without_a_slash_are_from_the_root(link: str, target: str) -> None:
    front = (
        f"hero: {{name: Kite, actions: [{{text: Start, link: '{link}'}}]}}\nfeatures: [{{title: Fast, link: '{link}'}}]"
    )
    document = compiled(f"---\n{front}\n---\n\n## Parts\n")
    assert [one.href for one in document.links] == [target, target]
