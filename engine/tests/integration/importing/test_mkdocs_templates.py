"""Templates and tables that plug-ins of MkDocs take in from files, and folders that its settings name."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from octavo.importing import import_site
from octavo.publish import Build, build_site

from .sites import write

_MACROS = "site_name: Kite\nextra: {knots: 5}\nplugins:\n  - macros: {include_dir: docs/parts}\n"


def built(folder: Path, files: dict[str, str], site: str = ".") -> tuple[str, Build]:
    """Import a site as its settings are, build it, and give the Markdown of its home page with the result."""
    write(folder / "site", files)
    written = import_site(folder / "site" / site)
    result = build_site(written.plan.site_dir, folder / "out", has_search=False)
    assert result.is_published
    return (folder / "out/index.md").read_text(encoding="utf-8"), result


def codes(result: Build) -> list[str]:
    return [finding.code for finding in result.diagnostics if finding.code not in ("unset-url", "sidebar-membership")]


def test_files_that_templates_include_are_in_the_page_its_code_included(tmp_path: Path) -> None:
    page = """# Kite

{% include 'wind.md' %}

```yaml
{% include "kite.yaml" without context %}
```

- Item {%- include ["gone.md", "short.md"] %} end
{% include 'gone.md' ignore missing %}
"""
    files = {
        "mkdocs.yml": _MACROS,
        "docs/index.md": page,
        "docs/parts/wind.md": "## Wind\n\nFly at {{ knots }}.\n{% include 'deep/more.md' %}\n",
        "docs/parts/deep/more.md": "More.\n",
        "docs/parts/kite.yaml": "kite:\n  knots: {{ knots }}\n",
        "docs/parts/short.md": "short\n",
    }
    text, result = built(tmp_path, files)
    assert "## Wind\n\nFly at 5.\nMore.\n" in text
    assert "```yaml\nkite:\n  knots: 5\n```" in text
    assert "- Itemshort end" in text
    assert codes(result) == []


@pytest.mark.parametrize("key", ["render_macros: false", "ignore_macros: true"])
def test_a_page_that_is_no_template_includes_nothing(tmp_path: Path, key: str) -> None:
    page = f"---\n{key}\n---\n\n# Kite\n\n```\n{{% include 'wind.md' %}} {{{{ knots }}}}\n```\n"
    text, _ = built(tmp_path, {"mkdocs.yml": _MACROS, "docs/index.md": page, "docs/parts/wind.md": "Wind.\n"})
    assert "{% include 'wind.md' %} {{ knots }}" in text


def test_an_include_that_leads_nowhere_is_a_finding_at_its_place(tmp_path: Path) -> None:
    files = {"mkdocs.yml": _MACROS, "docs/index.md": "# Kite\n\nFly {% include 'gone.md' %}.\n"}
    _, result = built(tmp_path, files)
    finding = next(one for one in result.diagnostics if one.code == "missing-snippet")
    assert (finding.span.path, finding.span.line, finding.span.column) == ("docs/index.md", 3, 5)
    assert "gone.md" in finding.message
    assert "docs/parts/gone.md" in (finding.suggestion)


@pytest.mark.parametrize("more", ["", "markdown_extensions:\n  - pymdownx.snippets\n"])
def test_every_file_that_an_included_one_lacks_is_a_finding(tmp_path: Path, more: str) -> None:
    files = {
        "mkdocs.yml": f"{_MACROS}{more}",
        "docs/index.md": "# Kite\n\n{% include 'wind.md' %}\n",
        "docs/parts/wind.md": "Knots: {{ knots }}. {% include 'one.md' %} {% include 'two.md' %}\n",
    }
    text, result = built(tmp_path, files)
    assert "Knots: 5." in text
    missing = [
        one.message for one in result.diagnostics if (one.code, one.span.path) == ("missing-snippet", "docs/index.md")
    ]
    assert [name in message for name, message in zip(("one.md", "two.md"), missing, strict=True)] == [True, True]


def test_a_file_outside_of_the_site_is_never_read(tmp_path: Path) -> None:
    write(tmp_path, {"secret.csv": "password\nhunter2\n"})
    page = "# Kite\n\n{% include '../../../secret.csv' %}\n\n{{ read_csv('../../secret.csv') }}\n"
    settings = "site_name: Kite\nplugins:\n  - macros: {include_dir: docs/parts}\n  - table-reader\n"
    text, result = built(tmp_path, {"mkdocs.yml": settings, "docs/index.md": page, "docs/parts/a.md": ""})
    assert "hunter2" not in text
    found = [one.suggestion for one in result.diagnostics if one.code == "missing-snippet"]
    assert ["secret.csv" in hint for hint in found] == [True, True]


def test_files_that_include_each_other_end_with_a_finding(tmp_path: Path) -> None:
    files = {
        "mkdocs.yml": _MACROS,
        "docs/index.md": "# Kite\n\n{% include 'a.md' %}\n",
        "docs/parts/a.md": "{% include 'b.md' %}{% include 'b.md' %}\n",
        "docs/parts/b.md": "{% include 'a.md' %}{% include 'a.md' %}\n",
    }
    _, result = built(tmp_path, files)
    assert "missing-snippet" in codes(result)


@pytest.mark.parametrize("settings", ["hack/docs/mkdocs.yml", "tools/mkdocs.yml"])
def test_folders_of_settings_may_be_named_from_where_the_program_runs(tmp_path: Path, settings: str) -> None:
    up = "../" * settings.count("/")
    files = {
        settings: f"site_name: Kite\ndocs_dir: {up}docs\nplugins:\n  - macros: {{include_dir: docs/parts}}\n"
        "markdown_extensions:\n  - pymdownx.snippets: {base_path: docs/shared}\n",
        "docs/index.md": "# Kite\n\n{% include 'wind.md' %}\n\n--8<-- \"line.md\"\n",
        "docs/parts/wind.md": "Fly high.\n",
        "docs/shared/line.md": "A long line.\n",
    }
    text, result = built(tmp_path, files, str(Path(settings).parent))
    assert "Fly high." in text
    assert "A long line." in text
    assert codes(result) == []


_TABLES = {
    "mkdocs.yml": "site_name: Kite\nplugins:\n  - table-reader: {data_path: data}\n",
    "data/kites.csv": 'name,size\nDelta,"1|2"\nBox,\n',
    "data/lines.tsv": "line\tlength\nDyneema\t30\n",
    "data/winds.yml": "- name: Calm\n  knots: {least: 0, most: 1}\n- name: Gale\n  knots: {least: 34}\n",
    "data/reels.json": '{"name": {"0": "Small", "1": "Large"}, "turns": {"0": 10, "1": 20}}',
    "data/few.csv": "a;b;c\n1;2;3\n4;5;6\n",
    "data/raw.md": "| x |\n|---|\n| y |\n",
}


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("read_csv('kites.csv')", "| name | size |\n| --- | --- |\n| Delta | 1\\|2 |\n| Box |  |"),
        ('read_table("lines.tsv")', "| line | length |\n| --- | --- |\n| Dyneema | 30 |"),
        (
            "read_yaml('winds.yml')",
            "| name | knots.least | knots.most |\n| --- | --- | --- |\n| Calm | 0 | 1 |\n| Gale | 34 |  |",
        ),
        ("read_json('reels.json')", "| name | turns |\n| --- | --- |\n| Small | 10 |\n| Large | 20 |"),
        ("read_csv('few.csv', sep=';', usecols=['c', 'a'], nrows=1)", "| a | c |\n| --- | --- |\n| 1 | 3 |"),
        ("read_raw('raw.md')", "| x |\n|---|\n| y |"),
    ],
)
def test_tables_from_files_are_in_the_page(tmp_path: Path, call: str, wanted: str) -> None:
    text, result = built(tmp_path, _TABLES | {"docs/index.md": f"# Kite\n\n{{{{ {call} }}}}\n\nEnd.\n"})
    assert _cells(wanted) == _cells(text.partition("# Kite")[2].partition("End.")[0])
    assert codes(result) == []


def _cells(text: str) -> list[list[str]]:
    rows = [line.strip().strip("|") for line in text.splitlines() if line.strip()]
    cells = [[cell.strip().replace(r"\|", "¦") for cell in row.replace(r"\|", "¦").split("|")] for row in rows]
    return [row for row in cells if not all(set(cell) <= {"-", ":"} and cell for cell in row)]


def test_a_table_within_a_list_belongs_to_its_item(tmp_path: Path) -> None:
    page = "# Kite\n\n1. Choose:\n\n    {{ read_csv('kites.csv') }}\n\n2. Fly.\n"
    _, result = built(tmp_path, _TABLES | {"docs/index.md": page})
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    article = html.partition("<article")[2].partition("Choose:")[2].partition("Fly.")[0]
    assert "<table" in article.partition("</li>")[0]
    assert "<ol" not in article
    assert codes(result) == []


@pytest.mark.parametrize(
    ("call", "code", "word"),
    [
        ("read_csv('gone.csv')", "missing-snippet", "data/gone.csv"),
        ("read_excel('kites.xlsx')", "foreign-syntax", "read_excel"),
        ("read_csv('kites.csv', converters={'a': str})", "foreign-syntax", "read_csv"),
        ("read_csv('kites.csv', squeeze=True)", "foreign-syntax", "squeeze"),
        ("read_json('broken.json')", "foreign-syntax", "broken.json"),
        ("read_csv('kites.csv') + f('x')", "foreign-syntax", "more than one call"),
        ("read_csv('kites.csv', sep='\\n')", "foreign-syntax", "not a character that separates"),
        ("read_csv('kites.csv', skiprows=-1)", "foreign-syntax", "skiprows"),
        ("read_csv('wide.csv')", "foreign-syntax", "100,000 cells"),
        ("read_yaml('wide.yml')", "foreign-syntax", "100,000 cells"),
        ("read_json('columns.json')", "foreign-syntax", "100,000 cells"),
    ],
)
def test_a_table_that_cannot_be_read_is_a_finding(tmp_path: Path, call: str, code: str, word: str) -> None:
    files = _TABLES | {"docs/index.md": f"# Kite\n\n{{{{ {call} }}}}\n", "data/broken.json": '{"a": '}
    # Each would be a table of a million cells.
    files["data/wide.csv"] = "a" + "," * 1000 + "\n1" * 1000
    files["data/wide.yml"] = "".join(f"- k{number}: 1\n" for number in range(1000))
    files["data/columns.json"] = json.dumps({f"c{number}": {f"k{number}": 1} for number in range(1000)})
    _, result = built(tmp_path, files)
    found = [one for one in result.diagnostics if one.code == code and "looks like" not in one.message]
    assert [str(one.span) for one in found] == ["docs/index.md:3:1"]
    assert word in f"{found[0].message} {found[0].suggestion}"


@pytest.mark.parametrize(
    ("repository", "edit"),
    [
        ("https://github.com/acme/kite", "edit/main/docs/"),
        ("https://github.com/acme/kite/", "./edit/main/docs"),
        ("https://elsewhere.example", "https://github.com/acme/kite/edit/main/docs/"),
    ],
)
def test_links_to_edit_a_page_are_made_as_mkdocs_makes_them(tmp_path: Path, repository: str, edit: str) -> None:
    settings = f"site_name: Kite\nrepo_url: {repository}\nedit_uri: {edit}\n"
    write(tmp_path, {"mkdocs.yml": settings, "docs/index.md": "# Kite\n"})
    assert import_site(tmp_path).plan.settings["edit_url"] == "https://github.com/acme/kite/edit/main/"


def test_templates_know_the_commit_that_is_imported(tmp_path: Path) -> None:
    page = "# Kite\n\nOf {{ git.author }}: `{{ git.short_commit }}`, {{ git.tag }}, {{ git.message }}.\n"
    site = tmp_path / "site"
    write(site, {"mkdocs.yml": _MACROS, "docs/index.md": page})
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@kite.example")
    for arguments in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "Fly"], ["tag", "v1.2"]):
        subprocess.run(["git", "-C", str(site), *arguments], check=True, capture_output=True)
    commit = subprocess.run(["git", "-C", str(site), "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    text, result = built(tmp_path, {})
    assert f"Of Ada: `{commit.stdout[:7]}`, v1.2, Fly." in text
    assert codes(result) == []
    report = (site / "import-report.md").read_text(encoding="utf-8")
    assert "index.md" in report.partition("Variables of git in pages")[2].partition("\n\n")[0]


def test_variables_of_git_without_a_repository_are_findings_with_a_remedy(tmp_path: Path) -> None:
    _, result = built(tmp_path, {"mkdocs.yml": _MACROS, "docs/index.md": "# Kite\n\n{{ git.tag }}\n"})
    assert codes(result) == ["foreign-syntax"]
    assert "Variables of git in pages, of a folder that is in no repository" in (
        tmp_path / "site/import-report.md"
    ).read_text(encoding="utf-8")
