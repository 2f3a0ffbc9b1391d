"""Blocks of code that we write ourselves: colored, and never live."""

from __future__ import annotations

import html
import json
import re

import pytest

from octavo.reference.openapi.write.blocks import write_block, write_json

CODES = {
    "bash": "curl -X POST 'http://localhost/?a=1&b=<2>' \\\n  -H 'Accept: */*' --head",
    "python": 'import httpx\n\nhttpx.get("<b>&amp;", params={\'for\': None, "n": 1.5})',
    "javascript": "const response = await fetch(`</script>&lt;${null}`); // 5<for>6 && -7",
    "go": 'package main\n\nimport "fmt"\n\nvar body = `<b>"&"</b>`\nif 1<2 && nil != err { for {} }',
    "json": json.dumps({"<key>": ["</code>&amp;", True, None, -1.5e3, {'"': "\\"}]}, indent=2),
    "text": "<script>alert(1)</script> & more",
}


def code_of(block: str) -> str:
    """Return what a reader would copy, and check that it contains no tags but those of colors."""
    inner = block[block.index("<code>") + len("<code>") : block.index("</code>")]
    return html.unescape(re.sub(r'</?span(?: class="[a-z0-9]+")?>', "", inner))


@pytest.mark.parametrize("language", CODES)
def test_block_reads_as_the_code_that_it_was_made_of(language: str) -> None:
    assert code_of(write_block(CODES[language], language)) == CODES[language]


def test_colors_stand_around_whole_words() -> None:
    block = write_block('{"a<b": "x&y", "n": -1.5, "t": true}', "json")
    assert '<span class="nt">"a&lt;b"</span>: <span class="s2">"x&amp;y"</span>' in block
    assert '<span class="mi">-1.5</span>' in block
    assert '<span class="kc">true</span>' in block


def test_code_that_looks_like_an_entity_is_not_colored_as_a_word() -> None:
    assert '1 &lt; 2 &amp;&amp; <span class="k">for</span>' not in write_block("1 < 2 && format", "go")
    assert '&lt;<span class="k">for</span>&gt;' in write_block("<for>", "go")


@pytest.mark.parametrize("value", [[], {}, {"é": "\u2028"}, [1, 2.5, None, True, 10**30], {"a": {"b": [[]]}}])
def test_json_is_written_as_the_standard_library_writes_it(value: object) -> None:
    assert write_json(value) == json.dumps(value, indent=2, ensure_ascii=False)
