"""`octavo build` and `octavo new`."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.tests.integration.cli.conftest import Run, run_process
from tests.support.sites import HOME, MakeSite, SiteFolder, page, read_folder

BROKEN = (
    'docs/a.md:5:5: error: link "./nothing.md" leads to no document and no file. [broken-link]\n'
    "  5 | See [it](./nothing.md).\n"
    "    |     ^\n"
    "1 error, 0 warnings.\n"
)


@pytest.fixture
def make_site(make_site: MakeSite) -> MakeSite:
    """Make sites that say where they are published, so that nothing is wrong with them."""

    def make(files: Mapping[str, str | bytes], config: str = "") -> SiteFolder:
        return make_site(files, f'url = "https://docs.example.org"\n{config}')

    return make


def without_time(text: str) -> str:
    return re.sub(r"\d+\.\d\d s", "0.00 s", text)


def test_build_lists_ten_warnings_of_a_kind_and_counts_the_others(run: Run, make_site: MakeSite) -> None:
    files = {f"docs/{name}.md": f"# {name}\n\n" + f"See [it](./no-{name}.md).\n\n" * 6 for name in "abc"}
    broken = "See [it](#nowhere).\n"
    site = make_site(
        {**HOME, **files, "docs/d.md": f"# D\n\n{broken}"},
        '[diagnostics]\nbroken_links = "warn"\nbroken_anchors = "warn"\n',
    )
    built = run("build", site.root)
    assert built.code == 0
    assert built.err.count("leads to no document and no file. [broken-link]\n") == 11
    assert '\n8 more warnings of the kind above in 2 files: link "./no-b.md" leads to no document' in built.err
    assert "[broken-anchor]" in built.err
    assert "octavo check lists all warnings.\n0 errors, 19 warnings.\n" in built.err
    checked = run("check", site.root)
    assert checked.err.count("leads to no document and no file. [broken-link]\n") == 18
    assert "more warnings" not in checked.err


def test_new_site_builds_and_checks_without_a_finding_but_for_its_address(run: Run, tmp_path: Path) -> None:
    site = tmp_path / "my-docs"
    made = run("new", site)
    assert made == (0, f"Created a site in {site}. See it with: octavo serve {site}\n", "")
    built = run("build", site)
    assert (built.code, without_time(built.out)) == (
        0,
        f"Built 3 pages (3 rendered) into {site / 'build'} in 0.00 s.\n",
    )
    assert 'octavo.toml:4:7: warning: url is "http://localhost:3000"' in built.err
    assert built.err.endswith("0 errors, 1 warning.\n")
    assert run("check", site).out == "Nothing is wrong: 3 pages checked.\n"


@pytest.mark.parametrize(("template", "pages"), [("library", 4), ("product", 4)])
def test_templates_have_no_finding_but_for_their_address(run: Run, tmp_path: Path, template: str, pages: int) -> None:
    site = tmp_path / "site"
    assert run("new", site, "--template", template).code == 0
    built = run("build", site)
    assert built.err.endswith("0 errors, 1 warning.\n"), built.err
    assert built.out.startswith(f"Built {pages} pages ")


def test_new_site_has_a_workflow_unless_a_repository_is_around_it(run: Run, tmp_path: Path) -> None:
    run("new", tmp_path / "alone")
    assert "octavo build . " in (tmp_path / "alone/.github/workflows/docs.yml").read_text()
    (tmp_path / "odd (repository)" / ".git").mkdir(parents=True)
    assert run("new", tmp_path / "odd (repository)" / "manual").code == 0
    assert sorted(path.name for path in (tmp_path / "odd (repository)").iterdir()) == [".git", "manual"]
    assert not (tmp_path / "odd (repository)" / "manual" / ".github").exists()


def test_new_site_shows_what_its_pages_promise(run: Run, tmp_path: Path) -> None:
    run("new", tmp_path / "site")
    run("build", tmp_path / "site")
    text = (tmp_path / "site/build/guides/write-a-page/index.html").read_text()
    assert 'role="tablist"' in text
    assert "&lt;Tab" not in text
    assert "highlighted" in text


def test_folder_that_holds_something_is_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert run("new", tmp_path) == (2, "", f"octavo: {tmp_path} is not empty; name a new folder.\n")
    assert read_folder(tmp_path) == {"notes.txt": b"mine"}


def test_without_a_terminal_progress_is_plain_lines(run: Run, make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/a.md": page("A")})
    result = run("build", site.root, "--out", site.out)
    assert result.err.startswith("Reading: 2 done.\nDrawing: 2 done.\n")
    assert re.fullmatch(r"(?:[A-Z][a-z]+: 2 done\.\n)+", result.err)
    assert without_time(result.out) == f"Built 2 pages (2 rendered) into {site.out} in 0.00 s.\n"


def test_one_page_is_one_page(run: Run, make_site: MakeSite) -> None:
    site = make_site(HOME)
    assert without_time(run("build", site.root, "-q", "--out", site.out).out) == ""
    assert without_time(run("build", site.root, "--out", site.out).out) == (
        f"Built 1 page (0 rendered) into {site.out} in 0.00 s.\n"
    )


def test_errors_fail_the_build_and_leave_the_output_as_it_was(run: Run, make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/a.md": page("A")})
    run("build", site.root, "--out", site.out)
    before = site.published()
    site.write({"docs/a.md": page("A", "See [it](./nothing.md).")})
    result = run("build", site.root, "--quiet", "--out", site.out)
    assert result == (1, "", f"{BROKEN}Nothing was published; the output folder is unchanged.\n")
    assert site.published() == before


def test_warnings_are_shown_and_the_site_is_published(run: Run, make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/a.md": page("A", "\t[it](#nope), <b id='x'></b>[top](#top)")})
    site.write({"docs/a.md": "---\ntitle: A\n---\n\nSee [it](#nope).\n"})
    result = run("build", site.root, "--quiet", "--out", site.out)
    assert result == (
        0,
        "",
        (
            'docs/a.md:5:5: warning: link "#nope": this page has no heading or element with the id "nope". '
            "[broken-anchor]\n  5 | See [it](#nope).\n    |     ^\n0 errors, 1 warning.\n"
        ),
    )
    assert site.out.is_dir()


def test_strict_build_publishes_nothing_with_a_warning(run: Run, make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/a.md": "---\ntitle: A\n---\n\nSee [it](#nope).\n"})
    code, out, err = run("build", site.root, "--quiet", "--strict", "--out", site.out)
    assert (code, out) == (1, "")
    assert "docs/a.md:5:5: error: link" in err
    assert err.endswith("1 error, 0 warnings.\nNothing was published; the output folder is unchanged.\n")
    assert not site.out.exists()


def test_long_line_is_cut_around_the_place(run: Run, make_site: MakeSite) -> None:
    body = f"{'word ' * 60}[it](/zzz){' word' * 60}"
    site = make_site({**HOME, "docs/a.md": page("A", body)})
    result = run("build", site.root, "--quiet", "--out", site.out)
    head, excerpt, mark, *_ = result.err.splitlines()
    assert head == 'docs/a.md:5:301: error: link "/zzz" leads to no document and no file. [broken-link]'
    assert len(excerpt) <= len("  5 | ") + 110
    assert excerpt[mark.index("^") :].startswith("[it](/zzz)")


def test_missing_configuration_is_exit_code_2(run: Run, tmp_path: Path) -> None:
    assert run("build", tmp_path) == (
        2,
        "",
        (
            f"octavo: {tmp_path / 'octavo.toml'} does not exist. "
            f"Name a folder that contains an octavo.toml, or create one with `octavo new {tmp_path}`.\n"
        ),
    )


def test_wrong_configuration_is_exit_code_2(run: Run, make_site: MakeSite) -> None:
    site = make_site({}, "colour = 1\n")
    assert run("build", site.root, "--out", site.out) == (
        2,
        "",
        (
            'octavo.toml:3:1: error: "colour" is not a setting. Did you mean "color_mode"? [config-error]\n'
            "  3 | colour = 1\n    | ^\n1 error, 0 warnings.\n"
        ),
    )


def test_output_that_cannot_be_replaced_is_exit_code_1(run: Run, make_site: MakeSite) -> None:
    site = make_site(HOME)
    site.out.write_text("a file")
    assert run("build", site.root, "--out", site.out) == (
        1,
        "",
        f"octavo: {site.out} is a file; name a folder with --out.\n",
    )


def test_wrong_usage_is_exit_code_2(run: Run, tmp_path: Path) -> None:
    result = run("build", tmp_path, "--nothing")
    assert (result.code, result.out) == (2, "")
    assert "No such option" in result.err
    assert run("nothing").code == 2
    assert run("check", tmp_path, "--format", "xml").code == 2


def test_precompress_writes_compressed_forms(run: Run, make_site: MakeSite) -> None:
    site = make_site(HOME)
    result = run("build", site.root, "--precompress", "--out", site.out)
    assert "Compressing: " in result.err
    assert {"index.html.br", "index.html.gz"} <= site.published().keys()


def test_command_works_as_a_process(make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/a.md": page("A", "See [it](./nothing.md).")})
    result = run_process("build", site.root, "--out", site.out)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("Reading: 2 done.\nDrawing: 2 done.\n")
    assert result.err.endswith(f"{BROKEN}Nothing was published; the output folder is unchanged.\n")


def test_names_outside_ascii_are_printed_in_any_locale(make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/größe.md": page("G", "[x](/漢字)")})
    result = run_process("check", site.root, LC_ALL="C")
    assert result.code == 1
    assert "Traceback" not in result.err


def test_keep_going_publishes_in_spite_of_errors_and_lists_them(run: Run, make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/a.mdx": page("A", "<Nope>\n\nKept **words**.\n\n</Nope>"), "docs/b.md": page("B")})
    assert run("build", site.root, "-q", "--out", site.out).code == 1
    assert not site.out.exists()
    result = run("build", site.root, "--out", site.out, "--keep-going")
    assert result.code == 1
    assert "[unknown-component]" in result.err + result.out
    assert "Published despite 1 error." in result.err
    assert "Kept <strong>words</strong>." in site.html("/a")
    assert (site.out / "b/index.html").exists()


def test_every_kind_of_finding_has_a_level(run: Run, make_site: MakeSite) -> None:
    settings = '[diagnostics]\nunknown_component = "warn"\nimport = "ignore"\nheading_order = "error"\n'
    text = "import x from 'some-package'\n\n<Nope />\n"
    site = make_site({**HOME, "docs/a.mdx": page("A", text)}, config=settings)
    result = run("build", site.root, "--out", site.out)
    assert result.code == 0
    assert "warning" in result.err + result.out
    assert "[import]" not in result.err + result.out
    site.write({"docs/b.md": page("B", "##### Deep")})
    result = run("build", site.root, "--out", site.out)
    assert result.code == 1
    assert "[heading-order]" in result.err + result.out


def test_markdown_files_are_mdx_where_the_site_says_so(run: Run, make_site: MakeSite) -> None:
    text = "Text {'value'} here.\n"
    files = {**HOME, "docs/a.md": page("A", text), "docs/plain/b.md": page("B", text)}
    site = make_site(files, config='[markdown]\n"docs" = "mdx"\n"docs/plain" = "commonmark"\n')
    assert run("build", site.root, "-q", "--out", site.out).code == 0
    assert "Text value here." in site.html("/a")
    assert "{&#x27;value&#x27;}" in site.html("/plain/b") or "{'value'}" in site.html("/plain/b")


def test_new_site_is_made_from_a_folder_or_a_repository(run: Run, tmp_path: Path) -> None:
    old = tmp_path / "kite"
    (old / "docs").mkdir(parents=True)
    (old / "mkdocs.yml").write_text("site_name: Kite\nmarkdown_extensions: [admonition]\n")
    (old / "docs/index.md").write_text("# Kite\n\n!!! note\n    Mind the wind.\n")
    made = run("new", tmp_path / "copy", "--from", old)
    assert made.out.startswith("Copied 1 pages of a mkdocs site; 1 of them are fully understood.\n")
    assert sorted(path.name for path in old.iterdir()) == ["docs", "mkdocs.yml"]
    author = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for command in (["init", "-q"], ["add", "-A"], [*author, "commit", "-qm", "Kite"]):
        subprocess.run(["git", "-C", str(old), *command], check=True)
    cloned = run("new", tmp_path / "clone", "--from", old.as_uri())
    assert (cloned.code, cloned.out.partition("\n")[0]) == (0, made.out.partition("\n")[0])
    assert run("build", tmp_path / "clone", "--no-search").code == 0
    assert "Mind the wind." in (tmp_path / "clone/build/index.html").read_text()


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("nowhere", "nowhere is neither a folder nor the address of a Git repository"),
        ("file:///nowhere/kite.git", "git can't fetch file:///nowhere/kite.git: fatal: "),
    ],
)
def test_source_of_a_new_site_that_cannot_be_had_is_an_error(
    run: Run, tmp_path: Path, source: str, problem: str
) -> None:
    made = run("new", tmp_path / "site", "--from", source)
    assert made.code != 0
    assert problem in made.err
    assert not (tmp_path / "site").exists()
