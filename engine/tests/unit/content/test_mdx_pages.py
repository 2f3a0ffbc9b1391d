"""What pages in MDX have beside Markdown: a head, constants of other pages, and braces around elements."""

from __future__ import annotations

import re

import pytest

from octavo.content import SLOT, ContentOptions, Document
from octavo.content.compile import compile_document


def compiled(text: str, files: dict[str, str] | None = None) -> Document:
    """Compile a page."""
    return compile_document(text, source_path="docs/a.mdx", load=(files or {}).get, options=ContentOptions())


def _space(match: re.Match[str]) -> str:
    return "" if match[0].startswith(("<span", "</span", "<b>", "</b>", "<strong", "</strong")) else " "


def words(document: Document) -> str:
    """Give the text of a page."""
    return " ".join(re.sub(r"<[^>]*>", _space, document.body.replace(SLOT, "")).split())


@pytest.mark.parametrize(
    "head",
    [
        '<head>\n  <meta name="docsearch:indexPrefix" content="reference-doc" />\n</head>',
        '<head><meta name="viewport" content="width=1"/></head>',
        '<head>\n  <meta charSet="utf-8" />\n  <meta name="theme-color" content="red"></meta>\n</head>',
        '<head>\n<script type="application/ld+json">{`{"a": 1}`}</script>\n</head>',
    ],
)
def test_a_head_without_effect_is_left_out(head: str) -> None:
    document = compiled(f"{head}\n\n# Kite\n\nIt flies.\n")
    assert document.diagnostics == []
    assert words(document).replace('{"a": 1}', "").strip() == "Kite It flies."


@pytest.mark.parametrize(
    "inner", ["<style>p {}</style>", '<meta httpEquiv="refresh" content="9" />', '<link rel="preload" href="/a" />']
)
def test_a_head_with_an_effect_on_the_page_is_a_finding(inner: str) -> None:
    document = compiled(f"<head>\n{inner}\n</head>\n\n# Kite\n")
    assert [one.code for one in document.diagnostics] == ["foreign-syntax"]
    assert document.diagnostics[0].span.line == 1


def test_constants_of_a_page_are_values() -> None:
    snippet = 'export const Py = "a = 1\\nb = \\"x\\"\\n";\n\nexport const Ts = `let a;\n\nlet b;`;\n\nText.\n'
    document = compiled(
        "import { Py, Ts as Other } from '/snippets/code.mdx';\nimport * as all from '/snippets/code.mdx';\n\n# Kite\n\n"
        '<CodeBlock language="python">{Py}</CodeBlock>\n\n<CodeBlock language="ts">{Other}</CodeBlock>\n\n{all.Py}\n',
        {"snippets/code.mdx": snippet},
    )
    assert document.diagnostics == []
    assert "let a;" in words(document)
    assert "{" not in words(document)


def test_braces_around_elements_are_no_text() -> None:
    text = "# Kite\n\n{\n  <div>\n    <p>It **flies**.</p>\n  </div>\n}\n\nAnd {<b>more</b>} of `{<i>it</i>}`.\n\n```jsx\n{<u>code</u>}\n```\n"
    document = compiled(text)
    assert document.diagnostics == []
    assert words(document) == "Kite It flies. And more of {&lt;i&gt;it&lt;/i&gt;} . {&lt;u&gt;code&lt;/u&gt;}"


@pytest.mark.parametrize("text", ["{a && <b>x</b>}", "{list.map((one) => <b>{one}</b>)}", "{<b>x</b> || null}"])
def test_computed_elements_are_findings(text: str) -> None:
    assert [one.code for one in compiled(f"# Kite\n\n{text}\n").diagnostics] == ["expression"]


def test_style_sheets_and_long_imports_are_known() -> None:
    names = [f"Name{number}" for number in range(120)]
    listed = ",\n  ".join(names)
    values = "".join(f'export const {name} = "value {name}";\n\n' for name in names)
    document = compiled(
        f"import styles from '@site/src/a.module.css';\nimport {{\n  {listed},\n}} from '/snippets/all.mdx';\n\n# Kite\n\n"
        "<p className={styles.wide}>{Name7} {Name119}</p>\n",
        {"snippets/all.mdx": values},
    )
    assert document.diagnostics == []
    assert words(document) == "Kite value Name7 value Name119"


def test_a_schema_in_one_attribute_is_a_value() -> None:
    schema = '{"type": "object", "title": "Kite {0}", "description": "It\'s a \\"kite\\""}'
    answers = ", ".join(f'"{number}": {schema}' for number in range(2_000))
    document = compiled(f"# A\n\n<Answers given={{{{{answers}}}}}>\n\nText.\n\n</Answers>\n")
    assert [one.code for one in document.diagnostics] == ["unknown-component"]
    assert "Text." in document.body


def test_code_of_a_program_may_be_imported_without_its_ending() -> None:
    text = 'import CodeBlock from "@theme/CodeBlock";\nimport code from "!!raw-loader!./kite";\n\n<CodeBlock language="jsx">{code}</CodeBlock>\n'
    document = compiled(text, {"docs/kite.jsx": "export const Kite = () => null;\n"})
    assert document.diagnostics == []
    assert "Kite" in words(document)


def test_text_of_a_program_in_typescript_may_be_named_as_javascript() -> None:
    text = 'import CodeBlock from "@theme/CodeBlock";\nimport code from "./kite.mjs?raw";\n\n<CodeBlock language="js">{code}</CodeBlock>\n'
    document = compiled(text, {"docs/kite.mts": "export const Kite = () => null;\n"})
    assert document.diagnostics == []
    assert "Kite" in words(document)
    both = compiled(text, {"docs/kite.mts": "export const Kite = 1;\n", "docs/kite.mjs": "export const Reel = 1;\n"})
    assert "Reel" in words(both)


def test_an_import_may_follow_a_heading_at_once() -> None:
    text = '# A\n\n## Kites\nimport {\n  Kite\n} from "@theme/Kite";\nimport Sail from "./_sail.md";\n\n<Sail />\n\nA text\nimport Sail from "./_sail.md"; words\n'
    document = compiled(text, {"docs/_sail.md": "Full sail.\n"})
    assert "Full sail." in words(document)
    assert "A text import Sail" in words(document)
    assert "Kite } from" not in words(document)
    # The last import is in a paragraph, where it is text.
    assert {one.code for one in document.diagnostics} == {"mdx-syntax"}


def test_cards_of_the_category_are_what_a_list_shows_by_itself() -> None:
    text = (
        'import DocCardList from "@theme/DocCardList";\nimport {useCurrentSidebarCategory} from "@docusaurus/theme-common";\n\n'
        "<DocCardList items={useCurrentSidebarCategory().items}/>\n\n<DocCardList items={mine()}/>\n"
    )
    assert [(one.code, one.span.line) for one in compiled(text).diagnostics if one.code == "expression"] == [
        ("expression", 6)
    ]


PARTIAL = """Before {props.isOld && <b>an old *kite*</b>} after.

{props.kind === "box" ? (
  <p>

  A **box** kite.

  </p>
) : <p>Another: kite.</p>}

{!props.isOld && "Never shown"} {props.isOld ? 'Old.' : "New: it flies."} {props.none && <i>nothing</i>}

`{props.isOld && <b>code</b>}`
"""


def test_conditions_about_what_a_partial_is_given_are_decided() -> None:
    text = 'import Kite from "./_kite.mdx";\n\n<Kite isOld kind="box" />\n\n<Kite kind="sled" />\n'
    document = compiled(text, {"docs/_kite.mdx": PARTIAL})
    assert document.diagnostics == []
    shown = words(document)
    assert "Before an old kite after. A box kite. Old. {props.isOld" in shown
    assert "Before after. Another: kite. Never shown New: it flies. {props.isOld" in shown
    assert "nothing" not in shown


@pytest.mark.parametrize(
    "text",
    [
        "{props.isOld && <b>a page is given nothing</b>}",
        "{window.name && <b>not known</b>}",
        "{frontMatter.title && other.map((one) => one)}",
    ],
)
def test_conditions_that_cannot_be_decided_are_findings(text: str) -> None:
    assert {one.code for one in compiled(f"# A\n\n{text}\n").diagnostics} == {"expression"}


FRONT = "---\ntitle: Kite\ndescription: It flies.\n---\n\n"


def test_metadata_of_a_page_are_its_front_matter() -> None:
    document = compiled(f"{FRONT}About: {{metadata.description}} {{metadata.title}}s.\n")
    assert document.diagnostics == []
    assert "About: It flies. Kites." in words(document)


def test_metadata_that_a_page_exports_come_before_its_front_matter() -> None:
    statement = 'export const metadata = {description: "It sinks."}\n\n'
    document = compiled(f"{FRONT}{statement}About: {{metadata.description}}\n")
    assert document.diagnostics == []
    assert "About: It sinks." in words(document)


def test_metadata_that_no_page_has_are_a_finding() -> None:
    document = compiled("# Kite\n\nAbout: {metadata.description}\n")
    assert [(one.code, one.span.line) for one in document.diagnostics] == [("expression", 3)]


def test_an_empty_title_is_no_mistake_beside_a_label() -> None:
    assert compiled('---\ntitle: ""\nsidebar_label: Kite\n---\n\n## Use\n').diagnostics == []


def test_constants_are_not_taken_from_outside_of_the_site() -> None:
    files = {"../secret.js": 'export const word = "hidden";\n', "own.js": 'export const word = "shown";\n'}
    text = 'import { word } from "MODULE";\n\n# Kites\n\n{word}\n'
    assert "shown" in compiled(text.replace("MODULE", "../own.js"), files).body
    outside = compiled(text.replace("MODULE", "../../secret.js"), files)
    assert "hidden" not in outside.body
    assert outside.diagnostics


@pytest.mark.parametrize(
    "statement",
    [
        "export const Kite = ({ name }) => {\n  const own = name;\n\n  return <b>{own}: {name}</b>;\n};",
        "export const Kite = () => (\n  <div>\n\n    It's calm :( and {'('}\n\n  </div>)\n);",
        "export function Kite({ a }) {\n\n  return a;\n}",
        "export default {\n  one: [1],\n\n  two: () => { return 2; },\n}",
    ],
)
def test_exported_statements_go_on_behind_blank_lines_within_brackets(statement: str) -> None:
    document = compiled(f"# Kite\n\n{statement}\n\nText (of\n\nwind).\n")
    assert document.body == "<header><h1>Kite</h1></header><p>Text (of</p><p>wind).</p>"
    assert [(one.code, one.span.line) for one in document.diagnostics] == [("export", 3)]


@pytest.mark.parametrize(
    "statement", ["export const mark = () => '(';", "export const mark = /\\(/;", "export const mark = () => `{ (`;"]
)
def test_brackets_in_strings_and_patterns_of_exports_are_none(statement: str) -> None:
    document = compiled(f"# Kite\n\n{statement}\n\nText a) of\n\nb) wind.\n")
    assert document.body == "<header><h1>Kite</h1></header><p>Text a) of</p><p>b) wind.</p>"


def test_export_whose_bracket_is_never_closed_ends_with_its_paragraph() -> None:
    document = compiled("# Kite\n\nexport const a = () => (\n\nText\n")
    assert document.body == "<header><h1>Kite</h1></header><p>Text</p>"


def test_a_list_of_titles_that_a_page_exports_is_passed_over() -> None:
    """Docusaurus takes it in the place of the one that it makes; ours holds the titles of partials anyway."""
    text = (
        "import Part, { toc } from './_part.mdx'\nimport { toc as more } from './_more.mdx'\n\n"
        "export const toc = [\n  ...more,\n  { value: 'End', id: 'end', level: 2 },\n]\n\n# A\n\n<Part />\n\n## End\n"
    )
    document = compiled(text, {"docs/_part.mdx": "## Knots\n", "docs/_more.mdx": "## More\n"})
    assert document.diagnostics == []
    assert [one.text for one in document.headings] == ["A", "Knots", "End"]


def test_readers_who_are_sent_on_get_a_link_and_the_author_a_redirect() -> None:
    text = '---\ntitle: Wind\n---\n\n<head>\n  <meta http-equiv="refresh" content="0; URL=./wind_v1" />\n</head>\n'
    document = compiled(text)
    assert ">./wind_v1</a>" in document.body
    (found,) = document.diagnostics
    assert (found.code, found.span.line) == ("foreign-syntax", 5)
    assert "redirect" in found.suggestion
    assert [one.href for one in document.links] == ["./wind_v1"]


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "JavaScript:alert(1)", "java&#115;cript:alert(1)", "data:text/html,a"]
)
def test_head_that_would_run_a_script_is_no_link(address: str) -> None:
    document = compiled(f'<head>\n<meta http-equiv="refresh" content="0; url={address}" />\n</head>\n\ntext\n')
    assert "<a" not in document.body
    [finding] = document.diagnostics
    assert finding.message.startswith('A part of "<Head>" is left out: "<meta http-equiv=')
