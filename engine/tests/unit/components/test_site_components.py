"""Components of a site: what they are, what is published of them, and what becomes of what was drawn. A stand-in draws."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from octavo.components import site_components
from octavo.components.conversation import ComponentError, SlowError
from octavo.components.site_components import SiteComponents, load_components
from octavo.components.slots import SLOT_PROPS
from octavo.config import parse_config
from octavo.content import COMPONENT_KIND, SLOT
from octavo.contract import PagePayload
from octavo.diagnostics import Span
from octavo.rendering import Drawn, InnerHtml, Use
from octavo.rendering.payloads import PayloadMaker
from octavo.site import AssetStore, LinkResolver
from tests.support.each import each
from tests.support.sites import MakeSite, page, page_at

HEAD = '"use strict";Object.defineProperty(exports, "__esModule", {value: true}); exports. default = 1; '
CHILDREN = f"{SLOT}C0{SLOT}"
PLAIN = "export default function Name(props) { return <p>{props.children}</p>; }\n"


def client(when: str) -> str:
    return f'export const client = "{when}";\n{PLAIN}'


class Process:
    """Says of modules what their texts say, and draws what a test says."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.is_running = True
        self.defined: set[str] = set()
        self.answers: dict[str, Any] = {}
        """Path of a component → what is drawn of each of its uses, or an error."""
        self.described: list[str] = []
        self.drawn: list[list[dict[str, Any]]] = []
        self.late: list[str] = []
        """Paths of components that take long to be described."""
        self.shares = 0
        self.closes = 0
        self._paths: dict[str, str] = {}

    def compile(self, code: str, path: str) -> dict[str, Any]:
        del path
        needs = " ".join(f"require('{name}');" for name in re.findall(r'import (?:\w+ from )?"([^"]+)"', code))
        return {"code": HEAD + needs, "mappings": "AAAA"}

    def define(self, key: str, path: str, *_: object) -> dict[str, Any]:
        self.defined.add(key)
        self._paths[key] = path
        return {}

    def describe(self, key: str, patience: float | None) -> dict[str, Any]:
        del patience
        path = self._paths[key]
        self.described.append(path)
        if path in self.late:
            raise SlowError(None)  # type: ignore[arg-type]  # the test waits for nothing
        return self.description(path)

    def description(self, path: str) -> dict[str, Any]:
        text = (self.root / path).read_text()
        found = re.search(r'client = "(\w+)"', text)
        children = re.search(r'children = "(\w+)"', text)
        return {
            "isComponent": "export default" in text,
            "client": found[1] if found else "none",
            "contract": 1,
            "children": children[1] if children else None,
        }

    def draw(self, requests: list[dict[str, Any]], patience: float | None = None) -> list[dict[str, Any]]:
        del patience
        self.drawn.append(requests)
        answers = [self.answers.get(self._paths[one["module"]], f"<p>{CHILDREN}</p>") for one in requests]
        for one in answers:
            if isinstance(one, Exception):
                raise one
        return [{"html": one} if isinstance(one, str) else one for one in answers]

    def share(self) -> None:
        self.shares += 1

    def close(self) -> None:
        self.closes += 1

    def prepare(self) -> None:
        """It is ready."""


class Tables:
    """A cache in memory."""

    def __init__(self) -> None:
        self.table: Any = None
        self.saves = 0

    def load_table(self, _: str, __: object, default: Any) -> Any:
        return self.table or default

    def save_table(self, _: str, table: Any) -> None:
        self.table = table
        self.saves += 1


class Site:
    """A site's folder with components, and the processes that were started for it."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.cache: Any = Tables()
        self.processes: list[Process] = []
        self.late: list[str] = []
        patch.setattr(site_components, "_new_process", self._start)

    def _start(self, _: str) -> Process:
        self.processes.append(Process(self.root))
        self.processes[-1].late = self.late
        return self.processes[-1]

    @property
    def process(self) -> Process:
        return self.processes[-1]

    def load(self, files: dict[str, str], before: SiteComponents | None = None, base: str = "/") -> SiteComponents:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        config = parse_config(f'title = "T"\nbase_url = "{base}"\n')
        found = load_components(self.root, config, self.cache, None, before)
        assert found is not None
        return found


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    return Site(tmp_path, monkeypatch)


def use(name: str, **given: Any) -> Use:
    made: dict[str, Any] = {"props": {}, "has_children": False, "is_inline": False, "span": Span("docs/a.md", 3)}
    return Use(name, **(made | given))


def said(components: SiteComponents) -> list[str]:
    return [f"{one.span} {one.level} {one.code}: {one.message}" for one in components.problems]


# What they are


def test_site_without_components_has_none(site: Site) -> None:
    config = parse_config('title = "T"\n')
    assert load_components(site.root, config, site.cache) is None
    assert site.processes == []


def test_components_are_known_by_the_names_of_their_files(site: Site) -> None:
    files = {
        "components/Box.tsx": PLAIN,
        "components/Dial.jsx": client("visible"),
        "slots/footer.tsx": PLAIN,
        "slots/code-block.tsx": PLAIN,
    }
    found = site.load(files)
    assert found.names == {"Box", "Dial"}
    assert {name: one.client for name, one in found.all.items()} == {
        "Box": "none", "Dial": "visible", "slot:footer": "none", "slot:code-block": "none",
    }  # fmt: skip
    assert sorted(found.sources) == sorted(files)
    assert found.content_slots == {"code-block"}
    assert found.knows("components/Box.tsx")
    assert not found.knows("components/Bax.tsx")
    assert found.problems == []


def test_two_files_of_one_component_are_a_finding(site: Site) -> None:
    found = site.load({"components/Box.tsx": PLAIN, "components/Box.jsx": PLAIN})
    assert said(found) == [
        'components/Box.tsx:1:1 error component: "components/Box.jsx" and "components/Box.tsx" are both the component "Box".'
    ]
    assert found.all["Box"].path == "components/Box.jsx"


def test_place_that_pages_do_not_have_is_a_finding(site: Site) -> None:
    found = site.load({"slots/foter.tsx": PLAIN, "slots/zzz.tsx": PLAIN})
    assert said(found) == [
        'slots/foter.tsx:1:1 error slot: No place of a page has the name "foter", so nothing shows this file.',
        'slots/zzz.tsx:1:1 error slot: No place of a page has the name "zzz", so nothing shows this file.',
    ]
    assert found.problems[0].suggestion == 'Did you mean "footer"?'
    assert found.problems[1].suggestion.startswith("Places: ")
    assert found.all == {}


def test_module_that_is_no_component_cannot_be_used(site: Site) -> None:
    found = site.load({"components/Box.tsx": "export const x = 1;\n", "components/Dial.tsx": client("sometimes")})
    assert [one.message for one in found.problems] == [
        "This file has no default export that is a component.",
        '"sometimes" is no time at which a component comes alive.',
    ]
    assert not found.all["Box"].is_usable
    assert found.draw([use("Box", has_children=True), use("Gone")]) == [Drawn(CHILDREN), Drawn("")]
    assert site.process.drawn == []


def test_what_reacts_to_readers_nowhere_is_found_once_nothing_comes_alive(site: Site) -> None:
    reacting = "export default function Tap() { return <b onClick={go}>x</b>; }\n"
    alone = site.load({"components/Tap.tsx": reacting})
    message = "This asks for a reader's browser, but the component is not hydrated there: nothing happens."
    assert [one.message for one in alone.problems] == [message]
    around = f'export const children = "elements";\n{client("load")}'
    within = site.load({"components/Around.tsx": around})
    assert within.problems == []
    # Where a page uses it by itself, it is a finding of that page.
    (drawn,) = within.draw([use("Tap")])
    assert drawn.problem is not None
    assert drawn.problem.message == message


# What earlier builds and states know


def test_modules_of_an_earlier_build_are_taken_over(site: Site) -> None:
    first = site.load({"components/Box.tsx": client("idle")})
    assert (site.process.described, site.cache.saves) == (["components/Box.tsx"], 1)
    second = site.load({})
    assert (site.process.described, site.cache.saves) == ([], 1)
    assert second.all == first.all
    third = site.load({"components/Box.tsx": client("load")})
    assert (third.all["Box"].client, site.cache.saves) == ("load", 2)


def test_kinds_of_changed_components_are_listed(site: Site) -> None:
    before = site.load({"components/Box.tsx": PLAIN, "components/Dial.tsx": PLAIN, "slots/footer.tsx": PLAIN})
    assert site.load({}).changed(before) == frozenset()
    after = site.load({"components/Dial.tsx": client("load")})
    assert after.changed(before) == frozenset([f"{COMPONENT_KIND}Dial"])
    assert site.load({"slots/footer.tsx": client("load")}).changed(after) is None
    added = site.load({"components/New.tsx": PLAIN})
    assert added.changed(after) is None


def test_keys_are_those_of_the_components_that_a_page_has(site: Site) -> None:
    found = site.load({"components/Box.tsx": PLAIN, "components/Dial.tsx": client("load"), "slots/footer.tsx": PLAIN})
    box, dial = f"{COMPONENT_KIND}Box", f"{COMPONENT_KIND}Dial"
    assert found.key([]) == found.key(["other", f"{COMPONENT_KIND}Gone"]) == ""
    assert len({found.key([box]), found.key([dial]), found.key([box, dial]), ""}) == 4
    assert found.key([box, "other"]) == found.key([box])
    assert site.load({}, base="/docs/").key([box]) != found.key([box])
    assert found.slots_key
    assert site.load({"slots/footer.tsx": client("load")}).slots_key != found.slots_key


def test_spare_process_is_given_to_the_next_state_of_the_same_site(site: Site) -> None:
    first = site.load({"components/Box.tsx": PLAIN})
    assert first.take_spare("/") is None
    first.prepare_spare()
    first.prepare_spare()
    assert len(site.processes) == 2
    assert first.take_spare("/docs/") is None
    site.load({}, before=first)
    assert len(site.processes) == 2
    assert first.take_spare("/") is None
    first.prepare_spare()
    first.close()
    assert [one.closes for one in site.processes] == [1, 0, 1]


def test_forked_processes_share_what_they_draw_with(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"components/Box.tsx": PLAIN, "components/Dial.tsx": PLAIN, "components/Bad.tsx": "export const x = 1;\n"}
    site.load(files)
    found = site.load({})
    monkeypatch.setattr("sys.platform", "linux")
    found.share(["other", f"{COMPONENT_KIND}Gone", f"{COMPONENT_KIND}Bad"])
    assert site.process.shares == 0
    found.share([f"{COMPONENT_KIND}Box"])
    assert site.process.shares == 1
    assert len(site.process.defined) == 1 + len(site.process.described)
    monkeypatch.setattr("sys.platform", "darwin")
    found.share([f"{COMPONENT_KIND}Box"])
    assert site.process.shares == 1


# What is published


def test_files_of_the_islands_of_pages_are_published(site: Site) -> None:
    files = {
        "components/Box.tsx": f'import "./box.css";\n{PLAIN}',
        "components/box.css": "b { color: red }",
        "components/Dial.tsx": client("visible"),
        "components/Bad.tsx": "export const x = 1;\n",
    }
    found = site.load(files)

    def published(*names: str) -> list[str]:
        kinds = [COMPONENT_KIND + name for name in names]
        return sorted(address.rpartition(".")[2] for address in found.files(kinds))

    assert published() == published("Bad", "Gone") == []
    assert published("Box") == ["css"]
    assert published("Dial") == ["js", "map"]
    assert published("Box", "Dial") == ["css", "js", "map"]
    # One that looks into its children brings them to life.
    around = site.load({"components/Around.tsx": f'export const children = "elements";\n{client("load")}'})
    kinds = [COMPONENT_KIND + name for name in ("Box", "Around")]
    assert sorted(address.rpartition(".")[2] for address in around.files(kinds)) == ["css", "js", "js", "map", "map"]


@each(
    "source, has_components, looks",
    [
        (PLAIN, True, False),
        (f'export const children = "elements";\n{PLAIN}', False, True),
        (f'export const children = "html";\n{PLAIN}', True, False),
    ],
)
def test_components_say_whether_they_look_into_their_children(
    tmp_path: Path, source: str, has_components: bool, looks: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        found = Site(tmp_path, patch).load({"components/Box.tsx": source})
    assert found.looks_into("Box", has_components=has_components) is looks
    assert not found.looks_into("Gone", has_components=True)


# Drawing


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
