"""Articles are put together so that browsers read them as they were written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from octavo.content import COMPONENT_KIND, SLOT, Island
from octavo.contract import PagePayload
from octavo.diagnostics import Diagnostic, Span
from octavo.documents import Body
from octavo.rendering.article import Fillings, fill_addresses, fill_article, island_props
from octavo.rendering.authored import (
    Drawn,
    PageIslands,
    Use,
    draw_authored,
    lay_out,
    problems_of_article,
    use_of,
)
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
    """A browser ends it at the first block: the rest of its text is outside, and the component cannot be hydrated."""
    assert _filled(text, drawn, []) == expected


def test_paragraph_in_the_content_of_a_component_is_none_either() -> None:
    drawn = [f"<section>{C0}</section>", "<div>K</div>"]
    assert _filled(I0, drawn, [f"<p>Press {I1}.</p>"]) == "<section><div>Press <div>K</div>.</div></section>"


def test_links_without_a_page_are_texts_and_ids_of_islands_are_their_own() -> None:
    fillings = Fillings(["/a?b&c", ""], ["/k.png"], [' width="4"'], [], has_files=False)
    text = f'<a href="{SLOT}L0{SLOT}">a</a> <a href="{SLOT}L1{SLOT}">b</a> <img src="{SLOT}A0{SLOT}"{SLOT}W0{SLOT}>{I0}'
    expected = '<a href="/a?b&amp;c">a</a> b <img src="/k.png" width="4">'
    body = Body(text, [Island("note", {}, [])], [], [], "")
    assert fill_article(body, fillings, [f'<p id="{SLOT}ID{SLOT}"></p>']) == f'{expected}<p id="island-0"></p>'
    assert fill_addresses(text, fillings) == f"{expected}{I0}"


def test_addresses_in_properties_are_filled_in() -> None:
    fillings = Fillings(["/a?b&c"], ["/k.png"], [""], [], has_files=False)
    props = {"href": L0, "all": [f"see {L0}", 1, {"src": f"{SLOT}A0{SLOT}"}], "items": None}
    filled = {"href": "/a?b&c", "all": ["see /a?b&c", 1, {"src": "/k.png"}], "items": None}
    assert island_props(Island("note", props, []), fillings, list) == filled
    assert island_props(Island("card-list", props, []), fillings, lambda: [1]) == filled | {"items": [1]}
    assert island_props(Island("card-list", {"items": []}, []), fillings, lambda: [1]) == {"items": []}


class Drawer:
    """Draws components as their names around what they are given; some look into their children, and some of these fail."""

    def __init__(self, looking: Iterable[str] = (), failing: Iterable[str] = ()) -> None:
        self.looking, self.failing = set(looking), set(failing)
        self.drawn: list[list[Use]] = []

    def page_slots(self, payload: PagePayload) -> dict[str, Use]:
        del payload
        return {}

    def key(self, kinds: Iterable[str]) -> str:
        return " ".join(kinds)

    def share(self, kinds: Iterable[str]) -> None:
        del kinds

    def looks_into(self, name: str, *, has_components: bool) -> bool:
        return name in self.looking and has_components

    def draw(self, uses: Sequence[Use]) -> list[Drawn]:
        self.drawn.append(list(uses))
        return [Drawn(f"<b>{self._inside(use)}</b>") for use in uses]

    def _inside(self, use: Use) -> str:
        content = use.contents.get("children")
        if content is None or use.name in self.failing:
            return f"{use.name} {C0}" if use.has_children else use.name
        return " ".join([use.name, *(self._inside(inner) for inner in content.uses.values())])


def component(name: str, *children: str, **props: Any) -> Island:
    at = {"at": ["docs/a.md", 3, 1], "isInline": False}
    return Island(f"{COMPONENT_KIND}{name}", props | at, list(children))


def drawn_by(drawer: Drawer, *islands: Island) -> dict[int, str]:
    page = PageIslands(islands, lambda island: island.props, lambda text: text.replace(L0, "/kiln"))
    [drawn] = draw_authored(drawer, [page])
    return {number: one.html for number, one in sorted(drawn.items())}


def test_components_are_drawn_together_unless_one_looks_into_another() -> None:
    outer, inner, note = component("Outer", f"<p>{I1}</p>"), component("Inner"), Island("note", {}, [I0])
    plain = Drawer()
    assert drawn_by(plain, outer, inner, note) == {0: f"<b>Outer {C0}</b>", 1: "<b>Inner</b>"}
    assert [[use.name for use in uses] for uses in plain.drawn] == [["Outer", "Inner"]]
    looking = Drawer(["Outer"])
    assert drawn_by(looking, outer, inner) == {0: "<b>Outer Inner</b>", 1: ""}
    assert [[use.name for use in uses] for uses in looking.drawn] == [["Outer"]]
    failing = Drawer(["Outer"], ["Outer"])
    assert drawn_by(failing, outer, inner) == {0: f"<b>Outer {C0}</b>", 1: "<b>Inner</b>"}
    assert [[use.name for use in uses] for uses in failing.drawn] == [["Outer"], ["Inner"]]
    # Without components in it there is nothing to look for.
    assert drawn_by(looking, component("Outer", "<p>x</p>")) == {0: f"<b>Outer {C0}</b>"}


def test_component_gets_its_content_and_its_elements_with_their_addresses() -> None:
    drawer = Drawer(["Outer"])
    outer = component("Outer", f'<a href="{L0}">{I1}</a>', f"<i>{I1}</i>", elements=["icon"])
    drawn_by(drawer, outer, component("Inner", f"{SLOT}I2{SLOT}"), component("Inmost"))
    [[use]] = drawer.drawn
    assert (use.name, use.has_children, use.span) == ("Outer", True, Span("docs/a.md", 3, 1))
    assert use.contents["children"].html == f'<a href="/kiln">{I1}</a>'
    inner = use.contents["children"].uses[1]
    assert (inner.name, inner.contents["children"].uses[2].name) == ("Inner", "Inmost")
    assert use.contents["icon"].html == f"<i>{I1}</i>"
    # Neither what is empty nor what the component does not look into is an element.
    drawn_by(drawer, component("Plain", f"<b>{I1}</b>", "", elements=["icon"]), component("Inner"))
    assert [dict(one.contents) for one in drawer.drawn[-1]] == [{}, {}]
    assert not use_of(component("Empty", ""), {}).has_children
    assert not use_of(component("Empty"), {}).has_children


def found(drawn: str, text: str = "", children: str = "", more: str = "") -> list[str]:
    islands = [component("Card", children), component("Other")]
    ones = {0: Drawn(drawn)} | ({1: Drawn(more)} if more else {})
    return [one.message for one in problems_of_article(Body(text, islands, [], [], ""), ones)]


@each(
    "drawn, text, children, more, expected",
    [
        ('<p id="a">', '<h2 id="b">', "", "", []),
        ('<p id="a">', '<h2 id="a">', "", "", ['<Card> draws the id "a"']),
        ('<p id="a"><p id="a">', "", "", "", ['<Card> draws the id "a"']),
        ('<p id="a">', "", "", '<p id="a">', ['<Other> draws the id "a"']),
        # What it was given has been looked at in the Markdown.
        ('<p id="a">', '<h2 id="a">', '<p id="a">', "", []),
        (f'<p id="{SLOT}ID{SLOT}">', f'<h2 id="{SLOT}ID{SLOT}">', "", "", []),
        ('<svg><g id="a"/></svg>', '<svg><g id="a"/></svg>', "", "", []),
        ('<p id="a&amp;b">', '<p id="a&amp;b">', "", "", ['<Card> draws the id "a&b"']),
        ('<img src="k.png">', "", "", "", ['The image "k.png" in <Card> has no alternative text.']),
        ("<img>", "", "", "", ['The image "" in <Card> has no alternative text.']),
        ('<img src="k.png"><img src="k.png">', "", "", "", ['The image "k.png" in <Card>']),
        ('<img src="k.png" alt=""><img alt src="k"><img role="presentation"><img aria-hidden="true">', "", "", "", []),
        ('<img src="k.png">', "", '<img src="k.png">', "", []),
    ],
)
def test_what_components_draw_is_looked_at(
    drawn: str, text: str, children: str, more: str, expected: list[str]
) -> None:
    messages = found(drawn, text, children, more)
    assert len(messages) == len(expected)
    assert all(message.startswith(start) for message, start in zip(messages, expected, strict=True))


def test_component_that_fails_is_reported_where_it_is_used() -> None:
    problem = Diagnostic("component", "error", Span("components/Card.tsx", 3, 1), "failed", "")
    body = Body("", [component("Card")], [], [], "")
    [found] = problems_of_article(body, {0: Drawn("", problem)})
    assert (found.span, found.message, found.page) == (problem.span, "failed", "docs/a.md")
    # A warning is about the component alone, and is the same for all pages.
    doubt = Diagnostic("component", "warn", Span("components/Card.tsx", 3, 1), "prints", "")
    assert list(problems_of_article(body, {0: Drawn("", doubt)})) == [doubt]


def test_layout_arranges_the_parts_of_a_page() -> None:
    piece = f"{SLOT}PIECE{SLOT}"
    parts = ["<div>Bar</div>", "<!-- -->", "<nav></nav>", "<main></main><!-- -->", "<!-- --><footer></footer>"]
    layout = Drawn(f"<div>{SLOT}main{SLOT}|{SLOT}sidebar{SLOT}|{SLOT}gone{SLOT}</div>")
    skeleton = piece.join(["<body>", *parts, "</body>"])
    assert lay_out(skeleton, layout) == "<body><div><main></main>|<nav></nav>|</div></body>"
    assert lay_out("<body></body>", layout) == "<body></body>"
