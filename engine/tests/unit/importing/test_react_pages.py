"""Pages in React that are reduced to their texts and links."""

from __future__ import annotations

from octavo.config import parse_config
from octavo.importing.react_pages import _front, _names, _pieces
from tests.support.each import each

CONFIG = parse_config('title = "Kite"\ntagline = "Flies"\n')


@each(
    "text, expected",
    [
        ("", []),
        ("<h1>One</h1><h1>Two</h1><h3>Three</h3>", ["# One", "## Two", "## Three"]),
        ("<h2>One</h2><Heading as='h1'>Main</Heading>", ["## One", "# Main"]),
        ("<p>A text</p><p>goes on</p>", ["A text goes on"]),
        ("<p>A *text*</p><h2>Part</h2><p>&lt;b&gt; &amp; more</p>", ["A \\*text\\*", "## Part", "\\<b\\> & more"]),
        ('<p>See <a href="/a b">the page</a> now</p>', ["See [the page](/a%20b) now"]),
        ("<Link className='x' to={'/b'}>Go</Link> <Link to=\"/c\"> </Link>", ["[Go](/b)"]),
        ('const list = [{ title: "Fast", description: "It is fast" }];', ["**Fast**", "It is fast"]),
        ('const a = { label: "Word" }, b = { label: "Two words" }, c = { label: "Two words" };', ["Two words"]),
        ("<Feature title='One' text={`Of it`} />", ["**One**", "Of it"]),
        ('<Feature heading="A heading" />', ["**A heading**"]),
        ('const a = { text: "See [this](/a) and **that** {x}" };', ["See [this](/a) and **that** \\{x\\}"]),
        ('const a = { text: "line\\nbreak \\"quoted\\"" };', ['line break "quoted"']),
        ("// <p>a comment</p>\n<p>shown</p>{/* <p>hidden</p> */}", ["shown"]),
        ("<div>{list.map((one) => <b>{one}</b>)}</div>", []),
        ("<p>1 + 2</p>", []),
    ],
)
def test_texts_and_links_are_shown_in_their_order(text: str, expected: list[str]) -> None:
    assert list(_pieces(text)) == expected


def test_each_page_has_a_component_with_a_name_of_its_own() -> None:
    paths = ["src/pages/index.tsx", "src/pages/about-us/team.js", "src/pages/about_us/team.js", "lib/home page.jsx"]
    assert _names(paths) == {
        "src/pages/index.tsx": "PageIndex",
        "src/pages/about-us/team.js": "PageAboutUsTeam",
        "src/pages/about_us/team.js": "PageAboutUsTeam2",
        "lib/home page.jsx": "PageHomePage",
    }


@each(
    "text, route, has_title, title, description, layout",
    [
        ("", "/about-us", False, '"About us"', None, "page"),
        ("", "", False, '"Kite"', '"Flies"', "page"),
        ("", "/", True, '"Kite"', '"Flies"', "landing"),
        ("<Layout title=\"Own  \n title\" description='Of it'>", "/a", False, '"Own title"', '"Of it"', "page"),
        ("<Layout description={`Ü`} title={'T'}>", "", True, '"T"', '"Ü"', "landing"),
        ("<Layout title={`Hello ${name}`}>", "/a", False, '"A"', None, "page"),
        ('<Other title="x">', "/a", False, '"A"', None, "page"),
    ],
)
def test_front_matter_says_what_is_written_out(
    text: str, route: str, has_title: bool, title: str, description: str | None, layout: str
) -> None:
    about = [f"description: {description}"] if description else []
    lines = [
        "---",
        f"title: {title}",
        *about,
        f"layout: {layout}",
        "displayed_sidebar: null",
        "---",
        "",
        "{/* Taken over from a.tsx */}",
        "",
        "",
    ]
    assert _front("a.tsx", text, route, CONFIG, has_title=has_title) == "\n".join(lines)
