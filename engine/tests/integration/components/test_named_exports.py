"""Files whose component is exported by its name, and what of pictures is not an element of a page's head."""

from __future__ import annotations

import pytest

from tests.support.sites import HOME, MakeSite, page

LIVE = 'import { useState } from "react";\nexport const client = "load";\n'
FORMS = {
    "function": "export function Count() { const [n, set] = useState(1); return <b onClick={() => set(2)}>{n}</b>; }\n",
    "const": "export const Count = () => { const [n, set] = useState(1); return <b onClick={() => set(2)}>{n}</b>; };\n",
    "list": "const one = 1;\nconst Count = () => { const [n] = useState(1); return <b>{n}</b>; };\nexport { one, Count };\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_export_with_the_name_of_the_file_is_its_component(make_site: MakeSite, form: str) -> None:
    other = 'import { Count } from "./Count";\nexport default () => <p>of <Count /></p>;\n'
    files = {"components/Count.tsx": LIVE + FORMS[form], "components/Other.tsx": other}
    site = make_site(files | {"docs/a.md": page("A", "<Count />\n\n<Other />\n")} | HOME)
    assert site.build().diagnostics == []
    assert "<b>1</b>" in site.html("/a")
    assert "<p>of <b>1</b></p>" in site.html("/a")
    [script] = [
        path.read_text() for path in site.out.rglob("*.js") if "Count" in path.name and "Counts" not in path.name
    ]
    assert "exports.default = exports.Count" in script


def test_other_named_exports_are_told_what_to_do(make_site: MakeSite) -> None:
    text = "export function Note() { return <i />; }\nexport const Pill = () => <b />;\nexport const size = 1;\n"
    site = make_site({"components/Kit.tsx": text, "docs/a.md": page("A", "A.")} | HOME)
    [problem] = site.build().diagnostics
    assert 'It exports "Note", "Pill"; only one named "Kit", like the file, counts as the default.' in problem.message
    assert "Put each component into a file with its name" in problem.suggestion


def test_titles_and_styles_of_pictures_work_in_browsers(make_site: MakeSite) -> None:
    picture = """
export const client = "load";
export default ({ title, ...rest }) => (
  <figure>
    <svg role="img" {...rest} onClick={() => 1}>
      <title>{title}</title>
      <style>{".a { fill: red }"}</style>
      <g className="a"><circle r="2"><title>Part</title></circle></g>
    </svg>
    <style>{".b { color: red }"}</style>
    <meta itemProp="name" content="x" />
  </figure>
);
"""
    site = make_site({"components/Mark.jsx": picture, "docs/a.md": page("A", '<Mark title="A mark" />')} | HOME)
    assert site.build().diagnostics == []


@pytest.mark.parametrize(
    "element",
    [
        "<title>{name}</title>",
        '<><svg viewBox="0 0 1 1" /><title>{name}</title></>',
        "<><svg><g /></svg><title>{name}</title></>",
        '<meta name="x" content={name} />',
        '<style href="x" precedence="low">{".a { color: red }"}</style>',
        '<link rel="preload" href={name} as="font" />',
    ],
)
def test_elements_of_the_head_are_found(make_site: MakeSite, element: str) -> None:
    text = f'export const client = "load";\nexport default ({{ name = "x" }}) => <p>{element}</p>;\n'
    site = make_site({"components/Head.jsx": text, "docs/a.md": page("A", "<Head />")} | HOME)
    assert "component-react" in [problem.code for problem in site.build().diagnostics]
