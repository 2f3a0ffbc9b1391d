"""Every place in a document is that of the author's file, whatever was lifted and outdented on the way."""

from octavo.content.compile import ContentOptions, compile_document

_NESTED = """---
title: Plätze
---
import Step from './_step.mdx'

Ünïcode 🚀 [a0](./t0.md) {"x"} {/* gone */} [a1](./t1.md)

1. Item

   <Tabs>
     <TabItem value="ä" label="A">

       Text [a2](./t2.md)

       :::note[Title [a3](./t3.md)]

           [a4](./t4.md) and <b>[a5](./t5.md)</b>

       :::

       > quoted
       > <details><summary>[a6](./t6.md)</summary>
       > [a7](./t7.md)
       > </details>

     </TabItem>
   </Tabs>

   ```js
   // [no](./no.md)
   ```

2. <Step>child [a8](./t8.md)</Step>

    indented [a9](./t9.md)

| [b0](./t10.md) | `x` [b1](./t11.md) |
|---|---|
| é [b2](./t12.md) | <em>[b3](./t13.md)</em> |
"""
_STEP = "First line\n\n  {props.children} then [p](./p.md)\n"


def test_links_stand_where_their_author_wrote_them():
    files = {"docs/_step.mdx": _STEP}
    document = compile_document(_NESTED, source_path="docs/page.mdx", load=files.get, options=ContentOptions())
    assert document.diagnostics == []
    lines = {"docs/page.mdx": _NESTED.split("\n"), "docs/_step.mdx": _STEP.split("\n")}
    assert {f"./t{number}.md" for number in range(14)} | {"./p.md"} == {link.href for link in document.links}
    for link in document.links:
        written = lines[link.span.path][link.span.line - 1][link.span.column - 1 :]
        assert written.startswith("[")
        assert link.href == written[written.index("(") + 1 : written.index(")")]


def test_problem_has_its_line_as_excerpt():
    source = "# Ä\r\n\r\n- item\r\n\r\n      :::nte\r\n      Text {foo()}\r\n      :::\r\n"
    document = compile_document(source, source_path="docs/page.mdx", load={}.get, options=ContentOptions())
    assert [(str(found.span), found.code, found.excerpt) for found in document.diagnostics] == [
        ("docs/page.mdx:6:12", "expression", "      Text {foo()}"),
        ("docs/page.mdx:5:7", "unknown-admonition", "      :::nte"),
    ]


def test_files_that_were_read_are_recorded_with_the_hash_of_their_text():
    files = {"docs/_a.md": "a\n", "components/Card.mdx": "c\n"}
    source = "import A from './_a'\nimport B from './_b.md'\n\n<A />\n\n<Card />\n"
    options = ContentOptions(components=frozenset({"Card"}))
    document = compile_document(source, source_path="docs/page.mdx", load=files.get, options=options)
    assert document.dependencies == {
        "docs/_a.mdx": "",
        "docs/_a.md": "87428fc522803d31",
        "docs/_b.md": "",
        "docs/b.md": "",
        "docs/b.mdx": "",
        "docs/_b.mdx": "",
        "components/Card.mdx": "a3a5e715f0cc574a",
    }
