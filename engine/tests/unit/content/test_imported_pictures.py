"""Drawings and icons that a page imports and uses as components, and videos of packages that are known."""

from __future__ import annotations

import msgspec

from octavo.content import SLOT, ContentOptions, Dialect
from octavo.content.compile import compile_document
from octavo.content.document import Document
from tests.support.each import each


def compiled(text: str, *extensions: str) -> Document:
    dialect = Dialect(is_mdx=True, extensions=frozenset(extensions), aliases={"@": ""})
    return compile_document(text, source_path="docs/a.mdx", load={}.get, options=ContentOptions(folders={"": dialect}))


def test_a_drawing_is_a_component_and_an_address() -> None:
    document = compiled(
        'import Sail from "../img/sail.svg";\nimport Dark from "@/img/dark.svg";\n\n'
        '<center>\n  <Sail title="A sail" className="h-6 dark:hidden" />\n  <Dark className="hidden dark:block" aria-hidden />\n</center>\n\n'
        '<img src={Sail} alt="Again" />\n'
    )
    assert [(one.code, one.span.line) for one in document.diagnostics] == [("missing-alt", 6)]
    html = document.body.replace(SLOT, "")
    assert html.count("<img") == 3
    assert 'alt="A sail" class="h-6 dark:hidden themed themed-light"' in html
    assert 'class="hidden dark:block themed themed-dark"' in html
    assert [one.href for one in document.assets] == [
        "../img/sail.svg",
        "../img/dark.svg",
        "../img/sail.svg",
    ]


def test_icons_and_videos_of_packages_leave_no_finding() -> None:
    document = compiled(
        'import { FontAwesomeIcon } from "@fortawesome/react-fontawesome";\n'
        'import { faServer, faAws } from "@fortawesome/free-solid-svg-icons";\n'
        'import Film from "react-youtube";\n\n'
        'Runs <FontAwesomeIcon icon={faServer} /> here.\n\n<Card icon={<FontAwesomeIcon icon={faAws} />} title="Cloud" href="/c" />\n\n'
        '<Film videoId="abcdef_1234" title="A flight" />\n',
        "nextra",
    )
    assert document.diagnostics == []
    assert 'Runs <svg class="icon icon-server"' in document.body
    assert "youtube-nocookie.com/embed/abcdef_1234" in document.body
    assert 'title="A flight"' in document.body


def test_import_that_is_never_used_is_no_finding() -> None:
    assert compiled('import { Sail } from "./sail.tsx";\nimport reef from "kite-reef";\n\n# A\n').diagnostics == []
    found = compiled('import { Sail } from "./sail.tsx";\n\n<Sail />\n').diagnostics
    assert [one.code for one in found] == ["import"]


def test_films_and_files_to_load_down_are_imported_by_their_address() -> None:
    document = compiled(
        'import film from "../img/flight.mp4";\nimport plan from "./plan.pdf";\n\n<video src={film} controls />\n\nGet <a href={plan}>the plan</a>.\n'
    )
    assert document.diagnostics == []
    assert [one.href for one in document.assets] == ["../img/flight.mp4"]
    assert [one.href for one in document.links] == ["./plan.pdf"]


def test_components_are_given_the_published_address_of_an_imported_file() -> None:
    names = frozenset(["Player"])
    document = compile_document(
        'import film from "../img/flight.mp4";\nimport still from "../img/still.png";\n\n<Player src={film} stills={[still]} />\n',
        source_path="docs/a.mdx",
        load={}.get,
        options=ContentOptions(components=names, react=names),
    )
    assert document.diagnostics == []
    assert [one.href for one in document.assets] == ["../img/flight.mp4", "../img/still.png"]
    (island,) = document.islands
    assert island.props["props"] == {"src": f"{SLOT}A0{SLOT}", "stills": [f"{SLOT}A1{SLOT}"]}
    assert b"flight.mp4" in msgspec.json.encode(document.assets)


@each(
    "use",
    [
        '<DocCard href={still} title="A" />',
        '<Card title="A" image={still} icon={still} href="/a" />',
        "<Icon name={still} />",
        "<Image src={still} alt='x' />",
        "<Tabs groupId={still}><TabItem value={still} label='A'>x</TabItem></Tabs>",
        "<ThemedImage sources={{ light: still, dark: still }} alt='x' />",
        "<CodeBlock title={still}>x</CodeBlock>",
        "<Part still={still} />",
        "<a href={still}>x</a>",
        "Text {still} here",
    ],
)
@each("extension", ["starlight", "mintlify", "nextra"])
def test_addresses_of_imported_files_are_plain_text_wherever_they_are_used(use: str, extension: str) -> None:
    document = compile_document(
        f'import still from "../img/still.png";\nimport Part from "./_part.mdx";\n\n{use}\n',
        source_path="docs/a.mdx",
        load={"docs/_part.mdx": "<img src={props.still} alt='x' />"}.get,
        options=ContentOptions(folders={"": Dialect(is_mdx=True, extensions=frozenset([extension]))}),
    )
    shown = [document.assets, document.links, document.body, [(one.kind, one.props) for one in document.islands]]
    assert msgspec.msgpack.encode([shown, document.diagnostics])


def test_questions_to_the_packer_are_no_part_of_an_address() -> None:
    document = compiled('import film from "./flight.mp4?url";\n\n<video src={film} controls />\n')
    assert [one.href for one in document.assets] == ["./flight.mp4"]
    assert document.diagnostics == []


def test_only_pictures_that_name_smaller_forms_have_sources() -> None:
    text = '![a](a.png) <img src="b.png"> <img src="c.png" srcset="d.png 2x"> <video src="v.mp4"></video>\n'
    document = compile_document(text, source_path="docs/a.md", load=lambda _: None, options=ContentOptions())
    found = {asset.href: (asset.has_size, asset.has_sources) for asset in document.assets}
    assert found == {
        "a.png": (False, False),
        "b.png": (False, False),
        "c.png": (False, True),
        "d.png": (True, True),
        "v.mp4": (True, False),
    }
