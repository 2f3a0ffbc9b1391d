"""What becomes of what the components of a site draw. A stand-in draws."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from octavo.components.conversation import ComponentError
from octavo.components.slots import SLOT_PROPS
from octavo.content import SLOT
from octavo.contract import PagePayload
from octavo.diagnostics import Span
from octavo.rendering import Drawn, InnerHtml
from octavo.rendering.payloads import PayloadMaker
from octavo.site import AssetStore, LinkResolver
from tests.support.each import each
from tests.support.sites import MakeSite, page, page_at

from .site_of_components import CHILDREN, PLAIN, Site, client, use

# Uses in pages


def test_uses_that_are_alike_are_drawn_once(site: Site) -> None:
    found = site.load({"components/Box.tsx": PLAIN, "components/Dial.tsx": PLAIN})
    one, other = use("Box", props={"a": 1}), use("Dial")
    drawn = found.draw([one, other, one])
    assert [len(requests) for requests in site.process.drawn] == [1, 1]
    assert drawn[0] is drawn[2]
    assert found.draw([one])[0] is drawn[0]
    assert len(site.process.drawn) == 2
    (request,) = site.process.drawn[0]
    assert (request["props"], request["hasChildren"], request["isLive"], request["isInline"]) == (
        {"a": 1},
        False,
        False,
        False,
    )
    assert request["modules"] == {"Box": request["module"]}


def test_static_component_is_its_html_and_a_live_one_an_island(site: Site) -> None:
    files = {
        "components/Box.tsx": f'import "./box.css";\n{PLAIN}',
        "components/box.css": "b { color: red }",
        "components/Dial.tsx": client("visible"),
    }
    found = site.load(files, base="/docs/")
    static, live = found.draw([use("Box"), use("Dial", props={"size": 2}, has_children=True)])
    assert re.fullmatch(rf'<link rel="stylesheet" href="/docs/_octavo/[^"]+\.css"><p>{CHILDREN}</p>', static.html)
    assert '"size":2' in live.html.replace("&quot;", '"')
    assert "visible" in live.html
    assert f"<p>{CHILDREN}</p>" in live.html
    assert "/docs/_octavo/" in live.html
    assert site.process.drawn[1][0]["isLive"] is True
    assert (static.problem, live.problem) == (None, None)


def test_component_that_fails_shows_its_children_and_names_its_place(site: Site) -> None:
    found = site.load({"components/Box.tsx": PLAIN})
    place = {"path": "components/Box.tsx", "line": 1, "column": 8}
    site.process.answers["components/Box.tsx"] = {"error": "x is not a function", "place": place}
    (drawn,) = found.draw([use("Box", has_children=True)])
    assert drawn.html == CHILDREN
    assert drawn.problem is not None
    assert (str(drawn.problem.span), drawn.problem.level) == ("components/Box.tsx:1:8", "error")
    assert drawn.problem.message == 'The component "Box" fails: x is not a function. It is used at docs/a.md:3:1.'
    assert not drawn.is_passing


def test_component_that_was_stopped_is_drawn_again_the_next_time(site: Site) -> None:
    found = site.load({"components/Box.tsx": PLAIN})
    site.process.answers["components/Box.tsx"] = ComponentError("it takes longer than 5 s")
    (drawn,) = found.draw([use("Box")])
    assert drawn.is_passing
    assert drawn.problem is not None
    site.process.answers.clear()
    assert found.draw([use("Box")])[0].html == f"<p>{CHILDREN}</p>"
    site.process.answers["components/Box.tsx"] = ComponentError("it takes longer than 5 s")
    assert found.draw([use("Box", props={"a": 1})])[0].is_passing
    assert "it was stopped 2 times" in str(found.draw([use("Box", props={"a": 2})])[0].problem)
    found.forget_stops()
    site.process.answers.clear()
    assert found.draw([use("Box", props={"a": 2})])[0].problem is None


@each(
    "source, html, is_found",
    [(PLAIN, "<p>alone</p>", True), (PLAIN, f"<p>{CHILDREN}</p>", False), (client("load"), "<p>alone</p>", False)],
)
def test_content_that_no_reader_sees_is_a_finding(tmp_path: Path, source: str, html: str, is_found: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        site = Site(tmp_path, patch)
        found = site.load({"components/Box.tsx": source})
        site.process.answers["components/Box.tsx"] = html
        (drawn,) = found.draw([use("Box", has_children=True)])
    assert (drawn.problem is not None) == is_found


def test_what_readers_see_otherwise_is_a_warning(site: Site) -> None:
    found = site.load({"components/Box.tsx": client("load")})
    place = {"path": "components/Box.tsx", "line": 2, "column": 1}
    site.process.answers["components/Box.tsx"] = {"html": "<p>1</p>", "isChanging": True, "place": place}
    (drawn,) = found.draw([use("Box")])
    assert drawn.problem is not None
    assert (drawn.problem.level, str(drawn.problem.span)) == ("warn", "components/Box.tsx:2:1")


def test_component_whose_description_takes_long_is_drawn_when_it_has_come(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    takes: list[Callable[[Any], None]] = []
    monkeypatch.setattr("octavo.components.conversation.LateAnswers.add", lambda _, late, take: takes.append(take))
    site.late.append("components/Box.tsx")
    found = site.load({"components/Box.tsx": client("load")})
    assert (found.all["Box"].is_waiting, found.all["Box"].is_usable) == (True, False)
    assert found.draw([use("Box", has_children=True)]) == [Drawn(CHILDREN, is_passing=True)]
    takes[0](site.process.description("components/Box.tsx"))
    assert (found.all["Box"].client, found.all["Box"].is_waiting, found.all["Box"].is_usable) == ("load", False, True)
    takes[0](ComponentError("it takes longer than 5 s"))
    assert found.problems[-1].message == "The module fails when it is run: it takes longer than 5 s."
    assert not found.all["Box"].is_usable


def test_components_in_the_content_of_another_are_drawn_with_it(site: Site) -> None:
    around = f'import "./around.css";\nexport const children = "elements";\n{client("load")}'
    files = {
        "components/Around.tsx": around,
        "components/around.css": "b { color: red }",
        "components/Dial.tsx": f'import "./dial.css";\n{PLAIN}',
        "components/dial.css": "i { color: red }",
    }
    found = site.load(files, base="/docs/")
    inner = use("Dial", props={"size": 2}, span=Span("docs/a.md", 4))
    content = InnerHtml(f"<p>Text</p>{SLOT}I1{SLOT}", {1: inner})
    (drawn,) = found.draw([use("Around", has_children=True, contents={"children": content})])
    (request,) = site.process.drawn[0]
    assert set(request["modules"]) == {"Around", "Dial"}
    assert request["module"] == request["modules"]["Around"]
    assert request["isLive"] is True
    links = re.findall(r'<link rel="stylesheet" href="(/docs/_octavo/[^"]+)">', drawn.html)
    assert len(set(links)) == len(links) == 2
    assert drawn.html.startswith("<link")
    assert "data-modules" in drawn.html
    # The same sheet twice is fetched once.
    twice = InnerHtml(f"{SLOT}I1{SLOT}", {1: use("Around", has_children=True, contents={"children": content})})
    (nested,) = found.draw([use("Around", has_children=True, contents={"children": twice})])
    assert nested.html.count('<link rel="stylesheet"') == 2
    gone = found.draw([use("Around", has_children=True, contents={"children": InnerHtml("x", {1: use("Gone")})})])
    assert gone[0].problem is None


def test_text_within_a_component_that_no_reader_sees_is_named(site: Site) -> None:
    found = site.load({"components/Around.tsx": f'export const children = "elements";\n{PLAIN}'})
    content = {"children": InnerHtml("<p>Seen</p><p>Lost</p>", {})}
    site.process.answers["components/Around.tsx"] = "<div><p>Seen</p></div>"
    (drawn,) = found.draw([use("Around", has_children=True, contents=content)])
    assert drawn.problem is not None
    assert drawn.problem.message.startswith('<Around> does not show "Lost" here')
    site.process.answers["components/Around.tsx"] = "<div><p>Seen</p><p>Lost</p></div>"
    assert found.draw([use("Around", props={"a": 1}, has_children=True, contents=content)])[0].problem is None


def payload(make_site: MakeSite, **front: Any) -> PagePayload:
    folder = make_site({"docs/a.md": page("A", **front)}, 'base_url = "/docs/"\n')
    assembled = folder.assemble()
    resolver = LinkResolver(assembled, AssetStore(folder.root, "static"))
    return PayloadMaker(assembled, resolver).page(page_at(assembled, "/a"))


def test_places_of_a_page_are_drawn_with_what_it_says(site: Site, make_site: MakeSite) -> None:
    given = payload(make_site, description="About")
    names = ("footer", "layout", "before-article", "code-block")
    assert site.load({"components/Box.tsx": PLAIN}).page_slots(given) == {}
    found = site.load({f"slots/{name}.tsx": PLAIN for name in names if name in SLOT_PROPS})
    places = found.page_slots(given)
    assert {"footer", "layout"} <= set(places)
    assert "code-block" not in places
    footer, layout = places["footer"], places["layout"]
    assert (footer.name, footer.has_children, footer.is_inline, footer.parts) == ("slot:footer", True, False, {})
    assert (layout.name, layout.has_children, layout.parts["main"]) == ("slot:layout", False, True)
    assert footer.span == Span("slots/footer.tsx")
    assert footer.props["page"]["title"] == "A"
    assert footer.props["page"]["description"] == "About"
    assert footer.props["site"]["title"] == "T"


# Layouts


MAIN, TOC = (f"{SLOT}{name}{SLOT}" for name in ("main", "toc"))


@each(
    "html, message",
    [
        (f"<div>{MAIN}{TOC}</div>", None),
        (f"<div>{MAIN}</div>", None),
        (f"<div>{TOC}</div>", "The layout does not show `main`, the text of the page."),
        (
            f"<div id='{SLOT}ID{SLOT}'>{MAIN}</div>",
            "A layout cannot use `useId`: its ids are not those of the browser.",
        ),
    ],
)
def test_layout_shows_the_text_of_the_page(tmp_path: Path, html: str, message: str | None) -> None:
    with pytest.MonkeyPatch.context() as patch:
        site = Site(tmp_path, patch)
        found = site.load({"slots/layout.tsx": PLAIN})
        site.process.answers["slots/layout.tsx"] = html
        (drawn,) = found.draw([use("slot:layout", parts={"main": True, "toc": True})])
    assert site.process.drawn[0][0]["isLive"] is True
    if message is None:
        assert drawn.html == html
        data = json.loads(drawn.data)
        assert data["module"].startswith("/_octavo/")
        assert data["styles"] == ""
    else:
        assert (drawn.html, drawn.data) == ("", "")
        assert drawn.problem is not None
        assert (drawn.problem.message, drawn.problem.code) == (message, "slot")
