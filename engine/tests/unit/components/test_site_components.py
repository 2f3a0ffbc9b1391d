"""Components of a site: what they are, what earlier builds and states know, and what is published of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.components.site_components import load_components
from octavo.config import parse_config
from octavo.content import COMPONENT_KIND
from octavo.rendering import Drawn
from tests.support.each import each

from .site_of_components import CHILDREN, PLAIN, Site, client, said, use

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
        '"sometimes" is not a time at which a component comes alive.',
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
