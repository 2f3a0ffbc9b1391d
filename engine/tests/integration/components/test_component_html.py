"""What is wrong with the HTML that components draw is a finding where they are used."""

from __future__ import annotations

from tests.support.sites import HOME, MakeSite, page

PHOTO = "export default ({ src, ...rest }) => <p><img src={src} width={1} height={1} {...rest} /></p>;\n"
BOX = 'export default ({ anchor, children }) => <div id={anchor ?? "box"}>{children}</div>;\n'
PANELS = """
import { Children } from "react";
export default ({ children }) => <div>{Children.toArray(children).map((one, at) => <section key={at}>{one}</section>)}</div>;
"""
MARK = """
export default () => (
  <svg width="8" height="8" aria-hidden="true">
    <linearGradient id="shade" />
    <rect fill="url(#shade)" width="8" height="8" />
  </svg>
);
"""


def test_picture_without_a_text_in_a_component_is_a_finding_at_its_use(make_site: MakeSite) -> None:
    text = (
        '<Photo src="https://example.org/a.png" />\n\n'
        '<Photo src="https://example.org/b.png" alt="The kiln" />\n\n'
        '<Photo src="https://example.org/c.png" alt="" />\n\n'
        '<Photo src="https://example.org/d.png" aria-hidden="true" />\n\n'
        '<Photo src="https://example.org/e.png" role="presentation" />\n'
    )
    site = make_site({"components/Photo.jsx": PHOTO, "docs/a.md": page("A", text)} | HOME)
    assert [(one.code, str(one.span), one.message) for one in site.build().diagnostics] == [
        (
            "missing-alt",
            "docs/a.md:5:1",
            'The image "https://example.org/a.png" in <Photo> has no alternative text.',
        )
    ]


def test_level_of_missing_texts_holds_for_components(make_site: MakeSite) -> None:
    text = '<Photo src="https://example.org/a.png" />\n'
    settings = '[diagnostics]\nmissing_alt = "ignore"\n'
    site = make_site({"components/Photo.jsx": PHOTO, "docs/a.md": page("A", text)} | HOME, settings)
    assert site.check() == []


def test_picture_without_a_text_among_children_is_one_finding(make_site: MakeSite) -> None:
    text = '<Panels>\n\n<img src="https://example.org/a.png" width="1" height="1" />\n\n</Panels>\n'
    site = make_site({"components/Panels.jsx": PANELS, "docs/a.md": page("A", text)} | HOME)
    assert [one.code for one in site.build().diagnostics] == ["missing-alt"]


def test_id_that_components_repeat_is_a_finding(make_site: MakeSite) -> None:
    text = (
        "## Kiln\n\n<Box>One.</Box>\n\n<Box>Two.</Box>\n\n"
        '<Box anchor="kiln">Three.</Box>\n\n<Box anchor="own">Four.</Box>\n\n<Mark />\n\n<Mark />\n'
    )
    files = {"components/Box.jsx": BOX, "components/Mark.jsx": MARK, "docs/a.md": page("A", text)}
    site = make_site(files | HOME)
    assert [(one.code, one.span.line, one.message) for one in site.build().diagnostics] == [
        ("duplicate-anchor", 9, '<Box> draws the id "box", which this page has already: links lead to the first one.'),
        (
            "duplicate-anchor",
            11,
            '<Box> draws the id "kiln", which this page has already: links lead to the first one.',
        ),
    ]


def test_headings_among_children_are_no_repeated_ids(make_site: MakeSite) -> None:
    text = "<Panels>\n\n## Kiln\n\nText.\n\n## Glaze\n\nText.\n\n</Panels>\n"
    site = make_site({"components/Panels.jsx": PANELS, "docs/a.md": page("A", text)} | HOME)
    assert site.check() == []
