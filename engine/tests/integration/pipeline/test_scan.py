"""Links and ids, read off finished HTML."""

from __future__ import annotations

import pytest

from octavo.rendering.scan import scan_html

CASES = {
    "a link": ('<a href="/x">x</a>', ["/x"], []),
    "a link on two lines": ('<a\n  class="y"\n  href="/x"\n>x</a>', ["/x"], []),
    "single quotes": ("<a href='/x'>x</a>", ["/x"], []),
    "no quotes": ("<a href=/x>x</a>", ["/x"], []),
    "capitals": ('<A HREF="/x" ID="y">x</A>', ["/x"], ["y"]),
    "spaces around the sign": ('<a href = "/x">x</a>', ["/x"], []),
    "a picture": ('<img alt="" src="/x.png">', ["/x.png"], []),
    "a film": ('<video src="/x.mp4" poster="/x.png"></video>', ["/x.mp4", "/x.png"], []),
    "a frame": ('<iframe src="/demo/"></iframe>', ["/demo/"], []),
    "sources of other sites": (
        '<img src="/x.png" srcset="/y.png 1x, https://c.example/w_1,h_2/z.png 2x, //d.example/z.png 3x">',
        ["/x.png", "https://c.example/w_1,h_2/z.png", "//d.example/z.png"],
        [],
    ),
    "an id": ('<h2 id="ports" class="anchor">Ports</h2>', [], ["ports"]),
    "an id in a span": ('<span id="x">y</span>', [], ["x"]),
    "the name of an anchor": ('<a name="old"></a>', [], ["old"]),
    "the name of a field is not an anchor": ('<input name="q">', [], []),
    "entities": ('<a href="/x?a=1&amp;b=2">x</a><p id="a&amp;b">', ["/x?a=1&b=2"], ["a&b"]),
    "each once and in order": ('<a href="/b"><a href="/a"><a href="/b">', ["/b", "/a"], []),
    "an empty address": ('<a href="">x</a><a href>y</a>', [], []),
    "other attributes": ('<a data-href="/x" hreflang="en" xlink:href="/y">x</a>', [], []),
    "a value that looks like an attribute": ('<img alt="write href=/x or id=y" src="/z">', ["/z"], []),
    "a value with angle brackets": ('<a title="a > b" href="/x">x</a>', ["/x"], []),
    "text that looks like a tag": ("&lt;a href=&quot;/x&quot;&gt; <code>href=/x</code>", [], []),
    "a comment": ('<!-- <a href="/x" id="y"> --><a href="/z">', ["/z"], []),
    "a comment that never ends": ('<a href="/z"><!-- <a href="/x">', ["/z"], []),
    "a script": ('<script>\'<a href="/x">\'</script><a href="/z">', ["/z"], []),
    "a style": ('<style>/* <a href="/x"> */</style><a href="/z">', ["/z"], []),
    "highlighted code": ('<span class="k">id</span><span class="o">=</span>', [], []),
}


@pytest.mark.parametrize("case", CASES)
def test_references_and_anchors_are_read(case: str) -> None:
    text, references, anchors = CASES[case]
    assert scan_html(text) == (references, anchors)
