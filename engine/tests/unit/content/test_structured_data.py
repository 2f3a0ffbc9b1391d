"""Structured data that a page of Docusaurus puts into its head."""

from __future__ import annotations

import pytest

from octavo.content import SLOT, ContentOptions, Dialect
from octavo.content.compile import compile_document

HEAD = 'import Head from "@docusaurus/Head";\n\n<Head>\n{}\n</Head>\n\n# Kite\n'


@pytest.mark.parametrize(
    ("inner", "data", "codes"),
    [
        (
            '<script type="application/ld+json">{JSON.stringify({\n  "@type": "FAQPage", name: "A <b>", list: [{ a: 1 }]\n})}</script>',
            '{"@type": "FAQPage", "name": "A \\u003cb>", "list": [{"a": 1}]}',
            [],
        ),
        (
            '{/* note */}\n<script type="application/ld+json">\n{`{"@type": "Thing"}`}\n</script>',
            '{"@type": "Thing"}',
            [],
        ),
        ('<script type="application/ld+json">{JSON.stringify(made())}</script>', "", ["foreign-syntax"]),
        ('<meta httpEquiv="refresh" content="5" />', "", ["foreign-syntax"]),
    ],
)
def test_structured_data_stays_and_the_rest_is_a_finding(inner: str, data: str, codes: list[str]) -> None:
    options = ContentOptions(folders={"": Dialect(is_mdx=True)})
    document = compile_document(HEAD.replace("{}", inner), source_path="docs/a.mdx", load={}.get, options=options)
    assert [one.code for one in document.diagnostics] == codes
    script = f'<script type="application/ld+json">{data}</script>'
    assert (script in document.body.replace(SLOT, "")) is bool(data)
