"""Articles are put together so that browsers read them as they were written."""

from __future__ import annotations

from octavo.content import SLOT, Island
from octavo.documents import Body
from octavo.rendering.article import Fillings, fill_article
from tests.support.each import each

_FILLINGS = Fillings(links=["/kiln"], assets=[], sizes=[], forms=[], has_files=False)
I0, I1, L0, C0 = (f"{SLOT}{name}{SLOT}" for name in ("I0", "I1", "L0", "C0"))


def _filled(text: str, drawn: list[str], children: list[str]) -> str:
    islands = [Island(kind="component", props={}, children=children if one == 0 else []) for one in range(len(drawn))]
    body = Body(html=text, islands=islands, anchors=[], text=[], markdown="")
    return fill_article(body, _FILLINGS, drawn)


@each(
    "text, drawn, expected",
    [
        (f"<p>Press {I0} now.</p>", ["<span><div>K</div></span>"], "<div>Press <span><div>K</div></span> now.</div>"),
        (f'<p class="a">{I0}</p><p>b</p>', ["<pre>k</pre>"], '<div class="a"><pre>k</pre></div><p>b</p>'),
        (f"<p>x</p><p>{I0}</p>", ["<hr/>"], "<p>x</p><div><hr/></div>"),
        (f'<p><a href="{L0}">a</a> {I0}</p>', ["<p>k</p>"], '<div><a href="/kiln">a</a> <p>k</p></div>'),
        (f'<p>{I0} <a href="{L0}">a</a></p>', ["<h2>k</h2>"], '<div><h2>k</h2> <a href="/kiln">a</a></div>'),
        (f"<p>{I0} and {I1}</p>", ["<ul></ul>", "<ol></ol>"], "<div><ul></ul> and <ol></ol></div>"),
        (f"<p>{I0} and {I1}</p>", ["<b>a</b>", "<div></div>"], "<div><b>a</b> and <div></div></div>"),
        (f"<p>a</p>{I0}<p>b</p>", ["<div>k</div>"], "<p>a</p><div>k</div><p>b</p>"),
        (f"{I0}<p>b</p>", ["<div>k</div>"], "<div>k</div><p>b</p>"),
        (f"<pre>a</pre>{I0}<p>b</p>", ["<div>k</div>"], "<pre>a</pre><div>k</div><p>b</p>"),
        (f"<p>{I0}</p>", ['<span title="&lt;div>">k</span>'], '<p><span title="&lt;div>">k</span></p>'),
        (f"<p>{I0}</p>", ["<picture></picture><meter></meter>"], "<p><picture></picture><meter></meter></p>"),
    ],
)
def test_paragraph_around_blocks_of_a_component_is_no_paragraph(text: str, drawn: list[str], expected: str) -> None:
    """A browser ends it at the first block: the rest of its text stands outside, and the component cannot be hydrated."""
    assert _filled(text, drawn, []) == expected


def test_paragraph_in_the_content_of_a_component_is_none_either() -> None:
    drawn = [f"<section>{C0}</section>", "<div>K</div>"]
    assert _filled(I0, drawn, [f"<p>Press {I1}.</p>"]) == "<section><div>Press <div>K</div>.</div></section>"
