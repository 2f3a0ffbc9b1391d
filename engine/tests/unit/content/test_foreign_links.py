"""Links of MyST to other projects and to objects of programs."""

from __future__ import annotations

import pytest

from octavo.content import ContentOptions, Dialect
from octavo.content.compile import compile_document

DIALECT = Dialect(
    extensions=frozenset(["myst"]),
    references={
        "setup": "docs/other.md#setup",
        "fly()": "docs/other.md#setup",
        "xref:python": "https://docs.python.org/3/",
    },
)


@pytest.mark.parametrize(
    ("text", "links", "shown"),
    [
        ("[A paper](doi:10.1/x)", ["https://doi.org/10.1/x"], "A paper"),
        ("<doi:10.1/x>", ["https://doi.org/10.1/x"], "doi:10.1/x"),
        ("[The tutorial](xref:python/tutorial#intro)", ["https://docs.python.org/3/tutorial#intro"], "The tutorial"),
        ("[Elsewhere](xref:unknown/tutorial)", [], "Elsewhere"),
        ("<xref:python/tutorial#intro>", ["https://docs.python.org/3/tutorial#intro"], "intro"),
        ("<inv:python#json.loads>", [], "json.loads"),
        ("`<doi:10.1/x>`", [], "<doi:10.1/x>"),
        ("[](inv:python#json.loads)", [], "json.loads"),
        ("[Load](inv:python#json.loads)", [], "Load"),
    ],
)
def test_links_to_other_projects_have_an_address_or_are_text(text: str, links: list[str], shown: str) -> None:
    options = ContentOptions(folders={"": DIALECT})
    files = {"docs/other.md": "# Other\n\n(setup)=\n## Set it up\n"}
    document = compile_document(text, source_path="docs/page.md", load=files.get, options=options)
    assert [link.href for link in document.links] == links
    assert " ".join(chunk.text for chunk in document.text) == shown
