"""Variables of a site in its texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.config import load_variables, parse_config
from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from octavo.errors import ConfigError
from tests.support.each import each

VALUES = {"version": "1.10.0", "product.name": "Acme *CLI*", "host": "docs.example.org"}


def compiled(text: str, values: dict[str, str] = VALUES, *, is_mdx: bool = False) -> Document:
    options = ContentOptions(variables=values, folders={"": Dialect(is_mdx=is_mdx)})
    return compile_document(text, source_path="a.md", load=lambda _: None, options=options)


def html_of(text: str) -> str:
    return compiled(text).body.strip()


FILLED = {
    "Version {{ version }}.": "<p>Version 1.10.0.</p>",
    "{{version}} and {{ product.name }}": "<p>1.10.0 and Acme <em>CLI</em></p>",
    "| a |\n|---|\n| {{ version }} |": "<td>1.10.0</td>",
    ":::note[Since {{ version }}]\nText.\n:::": "Since 1.10.0",
    "- a\n\n    {{ version }}": "<p>1.10.0</p>",
    "<details>\n\n    {{ version }}\n\n</details>": "1.10.0",
    "```text variables\nacme=={{ version }}\n```": "acme==1.10.0",
    "```text variables\n{{ version }} of \\{{ version }}\n```\n\nText.": "1.10.0 of {{ version }}",
}


@pytest.mark.parametrize("text", FILLED)
def test_value_takes_the_place_of_its_name(text: str) -> None:
    document = compiled(text)
    assert FILLED[text] in document.body
    assert document.diagnostics == []


def test_value_in_a_heading_is_part_of_its_anchor() -> None:
    assert [heading.anchor for heading in compiled("## New in {{ version }}").headings] == ["new-in-1100"]


def test_value_stands_in_addresses_and_in_the_plain_form() -> None:
    document = compiled("[docs](https://{{ host }}/{{ version }}/)")
    assert [link.href for link in document.links] == ["https://docs.example.org/1.10.0/"]
    assert document.markdown.strip() == "[docs](https://docs.example.org/1.10.0/)"


UNTOUCHED = {
    "code in a line": "`{{ version }}`",
    "code in a fence": "```yaml\nimage: {{ version }}\n```",
    "code in a fence of tildes, in a list": "- x\n\n  ~~~\n  {{ version }}\n  ~~~",
    "code by indentation": "Text.\n\n    {{ version }}\n\n    {{ nope }}",
    "code as an element": "<code>{{ version }}</code> and <pre>{{ nope }}</pre>",
    "a comment": "<!-- {{ version }} {{ nope }} -->",
    "an escape": "\\{{ version }} and \\{{ nope }}",
    "GitHub Actions": "${{ github.ref }}",
    "Go and Helm": '{{ .Values.image }}, {{- end }}, {{ include "x" . }}',
    "Jinja": "{{ user | upper }}, {{ now() }}, {% if x %}",
    "Mustache": "{{{ version }}}",
}


@pytest.mark.parametrize("name", UNTOUCHED)
def test_text_that_is_no_use_of_a_variable_stays_without_a_finding(name: str) -> None:
    document, without = compiled(UNTOUCHED[name]), compiled(UNTOUCHED[name], {})
    assert [one.code for one in document.diagnostics if one.code != "foreign-syntax"] == []
    assert document.body == without.body


def test_site_without_variables_has_none() -> None:
    document = compiled("{{ version }} {{ nope }}", {})
    assert document.body.strip() == "<p>{{ version }} {{ nope }}</p>"
    assert [one.code for one in document.diagnostics] == ["foreign-syntax", "foreign-syntax"]
    assert document.diagnostics[0].suggestion == (
        "Declare it in [variables] of octavo.toml, or write the text itself; \\{{ shows the braces."
    )


def test_escape_shows_the_braces() -> None:
    assert html_of("Write \\{{ version }}.") == "<p>Write {{ version }}.</p>"


def test_unknown_name_is_found_with_its_place_and_stays() -> None:
    document = compiled("# T\n\nFirst {{ version }}, then {{ versoin }}.")
    [problem] = document.diagnostics
    assert (str(problem.span), problem.code, problem.level) == ("a.md:3:27", "unknown-variable", "warn")
    assert problem.message == 'The site has no variable "versoin".'
    assert problem.suggestion == 'Did you mean "version"?'
    assert "{{ versoin }}" in document.body


def test_places_behind_a_value_are_those_of_the_file() -> None:
    document = compiled("{{ version }} {{ product.name }} ![](x.png)\n\n[a](./b.md)")
    assert [str(link.span) for link in document.links] == ["a.md:3:1"]
    assert [(str(one.span), one.code) for one in document.diagnostics] == [("a.md:1:34", "missing-alt")]


def test_mdx_takes_variables_before_expressions() -> None:
    document = compiled("Version {{ version }}.", is_mdx=True)
    assert document.body.strip() == "<p>Version 1.10.0.</p>"
    assert document.diagnostics == []


def test_front_matter_takes_variables() -> None:
    document = compiled('---\ntitle: "New in {{ version }}"\ndescription: "{{ nope }}"\n---\n\nText.')
    assert document.front_matter.title == "New in 1.10.0"
    assert [str(one.span) for one in document.diagnostics] == ["a.md:3:1"]


def test_front_matter_shows_escaped_braces() -> None:
    document = compiled("---\ntitle: Write \\{{ version }} for {{ version }}\n---\n\nText.")
    assert document.front_matter.title == "Write {{ version }} for 1.10.0"
    assert document.diagnostics == []


@pytest.mark.costly
def test_hostile_text_takes_linear_time() -> None:
    for text in (
        "{{" * 20_000,
        "{{ a " * 10_000,
        "`" * 5 + "{{ a }}" * 2_000,
        "`b` {{ version }} " * 5_000,
        "\n\n    {{ version }}" * 5_000,
        "\\" * 20_000 + "{{ version }}",
        "```text variables\n\\{{ version }}\n```\n\\{{ version }}\n\n" * 3_000,
    ):
        compiled(text)


def config_of(settings: str, environment: dict[str, str] | None = None) -> dict[str, object]:
    return parse_config(f'title = "S"\n{settings}', environment=environment or {}).variables


def test_values_come_from_the_settings_the_environment_and_files(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").write_text('title = "S"\n', "utf-8")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "acme"\nversion = "2.0"\nfiles = ["a"]\n', "utf-8")
    (tmp_path / "data.json").write_text('{"limits": {"size": 1.10, "is_on": true}, "version": "old"}', "utf-8")
    config = parse_config(
        'title = "S"\nvariable_files = ["data.json", "pyproject.toml"]\n[variables]\nversion = "env:TAG"\ncount = 3\n',
        environment={"TAG": "v9"},
    )
    assert load_variables(tmp_path, config) == {
        "limits.size": "1.10",
        "limits.is_on": "true",
        "project.name": "acme",
        "project.version": "2.0",
        "version": "v9",
        "count": "3",
    }


MISTAKES = {
    "version = 1.10": 'variables.version is 1.1; write numbers with a point in quotes: "1.1".',
    'version = ["1"]': "variables.version is a list; expected text in quotes, an integer or a table.",
    '"a b" = "1"': 'variables: "a b" is not a name; expected letters, digits and underscores, such as "version".',
    'a.b = "1\\n2"': "variables.a.b has several lines; expected one.",
    'version = "env:NOT_SET"': '"env:NOT_SET": the environment has no variable NOT_SET; set it, or write the value here.',
}


@pytest.mark.parametrize("setting", MISTAKES)
def test_mistake_in_a_variable_is_explained(setting: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config_of(f"[variables]\n{setting}")
    assert str(caught.value) == f"octavo.toml:3: {MISTAKES[setting]}"


def test_data_file_that_cannot_be_read_is_named_with_its_line(tmp_path: Path) -> None:
    settings = 'title = "S"\n\nvariable_files = ["data.json"]\n'
    (tmp_path / "octavo.toml").write_text(settings, "utf-8")
    config = parse_config(settings)
    with pytest.raises(ConfigError, match=r'octavo\.toml:3: variable_files: "data\.json" cannot be read: No such file'):
        load_variables(tmp_path, config)
    (tmp_path / "data.json").write_text("{", "utf-8")
    with pytest.raises(
        ConfigError, match=r'"data\.json" cannot be read: it is not valid JSON: Expecting property name'
    ):
        load_variables(tmp_path, config)
    (tmp_path / "data.json").write_text("[]", "utf-8")
    with pytest.raises(ConfigError, match=r'"data\.json" is a list; expected an object'):
        load_variables(tmp_path, config)


def test_marks_of_macros_may_be_others():
    dialect = Dialect(extensions=frozenset({"macros"}), variables={"wind": "5"}, macro_marks=("[[", "]]", "[[%", "%]]"))
    text = "[[ wind ]] m/s, {{ wind }}\n\n[[% raw %]][[ wind ]][[% endraw %]] [[% set x = 'y' %]][[ x ]] [[ now() ]]\n"
    document = compile_document(
        text, source_path="a.md", load=lambda _: None, options=ContentOptions(folders={"": dialect})
    )
    assert document.body == "<p>5 m/s, {{ wind }}</p><p>[[ wind ]] y [[ now() ]]</p>"
    assert '"[[ now() ]]" looks like' in document.diagnostics[-1].message


FRONT = "---\ntitle: Big box\nkind_name: big_box\nwind: 7\nlab:\n  image: box.clab\n---\n"


@pytest.mark.parametrize("marks", [(), ("-{{", "}}-", "-{{%", "%}}-")])
def test_front_matter_gives_values_to_templates_of_macros(marks: tuple[str, ...]) -> None:
    options = ContentOptions(
        folders={
            "": Dialect(extensions=frozenset({"macros"}), variables={"wind": "5", "knots": "9"}, macro_marks=marks)
        }
    )
    before, after = marks[:2] or ("{{", "}}")
    names = ("kind_name", "wind", "knots", "lab.image", "page.title", "page.meta.kind_name", "title")
    text = f"{FRONT}{' '.join(f'{before} {name} {after}' for name in names)}\n\n```\n{before} kind_name {after}\n```\n"
    document = compile_document(text, source_path="a.md", load=lambda _: None, options=options)
    assert "big_box 7 9 box.clab Big box big_box Big box" in document.body
    assert "big_box" in document.body.split("<pre")[1]
    assert {finding.code for finding in document.diagnostics} == {"front-matter-key"}


@pytest.mark.parametrize("key", ["render_macros: false", "ignore_macros: true"])
def test_a_page_may_switch_macros_off(key: str) -> None:
    options = ContentOptions(
        folders={
            "": Dialect(
                extensions=frozenset({"macros"}), variables={"wind": "5"}, macro_marks=("[[", "]]", "[[%", "%]]")
            )
        }
    )
    document = compile_document(
        f"---\n{key}\n---\n[[ wind ]]", source_path="a.md", load=lambda _: None, options=options
    )
    assert "[[ wind ]]" in document.body


def test_variables_of_macros_are_known_under_extra_and_unknown_ones_are_findings_in_code_too():
    dialect = Dialect(
        extensions=frozenset({"macros"}), variables={"wind.kn": "5"}, macro_marks=("{{{", "}}}", "{%", "%}")
    )
    text = "{{{ extra.wind.kn }}} {{{ wind.kn }}} {{{ config.extra.wind.kn }}}\n\n```\n{{{ extra.rain }}}\n```\n"
    document = compile_document(
        text, source_path="a.md", load=lambda _: None, options=ContentOptions(folders={"": dialect})
    )
    assert "<p>5 5 5</p>" in document.body
    (finding,) = document.diagnostics
    assert (finding.code, finding.span.line) == ("foreign-syntax", 4)
    assert '"{{{ extra.rain }}}" is a variable' in finding.message


MACROS = Dialect(
    extensions=frozenset({"macros"}),
    variables={"is_shop()": "True", "is_free()": "False", "name()": "Silk", "name": "x"},
)


@each(
    ("text", "shown"),
    [
        ("{% if is_shop() %}sold{% else %}free{% endif %}", "sold"),
        ("{% if not is_shop( ) %}free{% endif %}sold", "sold"),
        ("{% if is_free() %}free{% elif is_shop() and name() == 'Silk' %}silk{% endif %}", "silk"),
        ("{{ name() }} of {{ name( ) | safe }}", "Silk of Silk"),
        ("{% if not is_free() %}{{ name() }}{% endif %}", "Silk"),
    ],
)
def test_macros_without_arguments_have_values(text: str, shown: str) -> None:
    document = compile_document(
        text, source_path="a.md", load=lambda _: None, options=ContentOptions(folders={"": MACROS})
    )
    assert document.diagnostics == []
    assert document.body == f"<p>{shown}</p>"


def test_a_macro_without_a_value_is_no_condition() -> None:
    text = "{% if is_old() %}old{% else %}new{% endif %} {{ is_old() }}"
    document = compile_document(
        text, source_path="a.md", load=lambda _: None, options=ContentOptions(folders={"": MACROS})
    )
    assert {one.code for one in document.diagnostics} == {"foreign-syntax"}
    assert "{% if is_old() %}" in document.body
    assert "{{ is_old() }}" in document.body
