"""Files that pages of Docsify take in."""

from __future__ import annotations

from octavo.content import ContentOptions, Dialect
from octavo.content.compile import compile_document

FILES = {
    "docs/_media/kite.md": "---\nauthor: Ada\n---\n\nA **kite**.\n\n### [line]\n\nA line.\n\n### [line]\n\nThe end.\n",
}


def test_front_matter_of_a_file_that_is_taken_in_is_not_shown() -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset({"docsify"}))})
    for options_of_line, shown in (("", "<p>A <strong>kite</strong>.</p>"), (" :fragment=line", "<p>A line.</p>")):
        text = f"# Kites\n\n[kite](_media/kite.md ':include{options_of_line}')\n"
        found = compile_document(text, source_path="docs/a.md", load=FILES.get, options=options)
        assert shown in found.body
        assert "Ada" not in found.body
        assert not [one for one in found.diagnostics if one.code == "front-matter"]
