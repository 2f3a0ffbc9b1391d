"""`octavo check`, for people, for programs, for pull requests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.tests.integration.cli.conftest import Run
from tests.support.sites import HOME, MakeSite, SiteFolder, page

TEXT = """docs/a.md:5:5: error: link "./nothing.md" leads to no document and no file. [broken-link]
  5 | See [it](./nothing.md).
    |     ^
docs/b.md:5:1: warning: link "./a.md#prots": "/a" has no heading or element with the id "prots". \
Did you mean "./a.md#ports"? [broken-anchor]
  5 | [it](./a.md#prots)
    | ^
1 error, 1 warning.
"""


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    return make_site(
        {
            **HOME,
            "docs/a.md": page("A", "See [it](./nothing.md).\n\n## Ports"),
            "docs/b.md": page("B", "[it](./a.md#prots)"),
        }
    )


def test_text_shows_place_excerpt_and_suggestion(run: Run, site: SiteFolder) -> None:
    result = run("check", site.root)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("Reading: 3 done.\nDrawing: 3 done.\n")
    assert result.err.endswith(f"done.\n{TEXT}")


def test_json_is_the_only_thing_on_the_output(run: Run, site: SiteFolder) -> None:
    result = run("check", site.root, "--format", "json")
    assert (result.code, result.err) == (1, "")
    assert json.loads(result.out) == [
        {
            "code": "broken-link",
            "level": "error",
            "span": {"path": "docs/a.md", "line": 5, "column": 5},
            "message": 'link "./nothing.md" leads to no document and no file.',
            "suggestion": "",
            "excerpt": "See [it](./nothing.md).",
            "excerpt_start": 0,
        },
        {
            "code": "broken-anchor",
            "level": "warn",
            "span": {"path": "docs/b.md", "line": 5, "column": 1},
            "message": 'link "./a.md#prots": "/a" has no heading or element with the id "prots".',
            "suggestion": 'Did you mean "./a.md#ports"?',
            "excerpt": "[it](./a.md#prots)",
            "excerpt_start": 0,
        },
    ]


def test_json_of_a_good_site_is_an_empty_list(run: Run, make_site: MakeSite) -> None:
    assert run("check", make_site(HOME).root, "--format", "json") == (0, "[]\n", "")


def test_github_gets_annotations(run: Run, site: SiteFolder) -> None:
    result = run("check", site.root, "--format", "github")
    assert (result.code, result.err) == (1, "")
    assert result.out.splitlines() == [
        '::error file=docs/a.md,line=5,col=5,title=broken-link::link "./nothing.md" leads to no document and no file.',
        (
            '::warning file=docs/b.md,line=5,col=1,title=broken-anchor::link "./a.md#prots": "/a" has no heading or '
            'element with the id "prots". Did you mean "./a.md#ports"?'
        ),
    ]


def test_github_annotations_name_files_from_the_root_of_the_repository(
    run: Run, site: SiteFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GitHub shows none for a path that its checkout does not have, such as that of a page from the folder of the site."""
    monkeypatch.chdir(site.root.parent)
    annotations = run("check", site.root.name, "--format", "github").out
    assert f"::error file={site.root.name}/docs/a.md,line=5,col=5," in annotations
    monkeypatch.chdir(site.root)
    assert "::error file=docs/a.md,line=5,col=5," in run("check", ".", "--format", "github").out
    # A site around the current folder has no path below it.
    monkeypatch.chdir(site.root / "docs")
    assert "::error file=docs/a.md,line=5,col=5," in run("check", "..", "--format", "github").out
    monkeypatch.setenv("GITHUB_WORKSPACE", str(site.root.parent))
    assert f"::error file={site.root.name}/docs/a.md,line=5,col=5," in run("check", "..", "--format", "github").out


class TestSettings:
    """Mistakes of `octavo.toml` are shown like those of pages, in every format."""

    MISTAKES = '[theme]\nacent = "#123456"\nradius = "hugee"\n'

    @pytest.fixture
    def wrong(self, make_site: MakeSite) -> SiteFolder:
        return make_site(HOME, self.MISTAKES)

    def test_text(self, run: Run, wrong: SiteFolder) -> None:
        first = (wrong.root / "octavo.toml").read_text().splitlines().index("[theme]") + 2
        for command in ("check", "build"):
            result = run(command, wrong.root)
            assert (result.code, result.out) == (2, "")
            assert result.err == (
                f'octavo.toml:{first}:1: error: "acent" is not a setting in theme. Did you mean "accent"? [config-error]\n'
                f'  {first} | acent = "#123456"\n'
                f"  {' ' * len(str(first))} | ^\n"
                f'octavo.toml:{first + 1}:10: error: theme.radius is "hugee"; expected "none", "small", "medium" or '
                f'"large". [config-error]\n'
                f'  {first + 1} | radius = "hugee"\n'
                f"  {' ' * len(str(first + 1))} |          ^\n"
                f"2 errors, 0 warnings.\n"
            )

    def test_json(self, run: Run, wrong: SiteFolder) -> None:
        result = run("check", wrong.root, "--format", "json")
        assert (result.code, result.err) == (2, "")
        findings = json.loads(result.out)
        assert [(one["code"], one["level"], one["span"]["column"]) for one in findings] == [
            ("config-error", "error", 1),
            ("config-error", "error", 10),
        ]
        assert findings[1]["excerpt"] == 'radius = "hugee"'

    def test_github(self, run: Run, wrong: SiteFolder) -> None:
        result = run("check", wrong.root, "--format", "github")
        assert (result.code, result.err) == (2, "")
        assert [line.partition(",line")[0] for line in result.out.splitlines()] == ["::error file=octavo.toml"] * 2

    def test_json_of_a_build(self, run: Run, wrong: SiteFolder) -> None:
        result = run("build", wrong.root, "--json")
        assert (result.code, result.err) == (2, "")
        built = json.loads(result.out)
        assert (built["is_published"], built["errors"], built["pages"]) == (False, 2, 0)
        assert [one["span"]["path"] for one in built["findings"]] == ["octavo.toml"] * 2

    def test_syntax(self, run: Run, make_site: MakeSite) -> None:
        site = make_site(HOME, "[theme]\naccent = blue\n")
        line = (site.root / "octavo.toml").read_text().splitlines().index("accent = blue") + 1
        (finding,) = json.loads(run("check", site.root, "--format", "json").out)
        assert finding["span"] == {"path": "octavo.toml", "line": line, "column": 10}
        assert finding["message"].startswith("this is not valid TOML: ")
        assert finding["excerpt"] == "accent = blue"

    def test_error_without_a_place(self, run: Run, tmp_path: Path) -> None:
        """A program that asks for JSON gets JSON, whatever stops the command."""
        result = run("check", tmp_path, "--format", "json")
        assert (result.code, result.err) == (2, "")
        (finding,) = json.loads(result.out)
        assert finding["code"] == "config-error"
        assert "does not exist" in finding["message"]


def test_github_annotations_are_escaped(run: Run, make_site: MakeSite) -> None:
    levels = '[diagnostics]\nunportable_address = "ignore"\n'
    site = make_site({**HOME, "docs/50%, a:b.md": page("A", "[x](/100%25)")}, levels)
    assert run("check", site.root, "--format", "github").out == (
        "::error file=docs/50%25%2C a%3Ab.md,line=5,col=1,title=broken-link"
        '::link "/100%2525" leads to no document and no file.\n'
    )


def test_names_of_files_write_no_lines_and_no_colors_of_their_own(run: Run, make_site: MakeSite) -> None:
    """Whoever opens a pull request names its files: a line of their own would be a command to GitHub, or to a terminal."""
    site = make_site({**HOME, "docs/a\n::error::x.md": "# A\n", "docs/b\x1b[2J\u202e.md": "# \x1b[31m[x](nope.md)\n"})
    annotations = run("check", site.root, "--format", "github").out
    assert all(line.startswith(("::error file=docs/", "::warning file=docs/")) for line in annotations.splitlines())
    assert "file=docs/a%0A%3A%3Aerror%3A%3Ax.md,line=1" in annotations
    shown = run("check", site.root).err
    assert r"docs/a\n::error::x.md:1:1: error: " in shown
    assert r"docs/b\x1b[2J\u202e.md:1:" in shown
    assert not any(character in shown for character in "\x1b\u202e")


def test_good_site_is_said_to_be_good(run: Run, make_site: MakeSite) -> None:
    result = run("check", make_site(HOME).root)
    assert (result.code, result.out) == (0, "Nothing is wrong: 1 page checked.\n")


def test_strict_fails_on_warnings(run: Run, site: SiteFolder) -> None:
    site.write({"docs/a.md": page("A", "## Ports")})
    assert run("check", site.root).code == 0
    assert run("check", site.root, "--strict").code == 1


def test_check_publishes_nothing(run: Run, make_site: MakeSite) -> None:
    site = make_site(HOME)
    run("check", site.root)
    assert sorted(path.name for path in site.root.iterdir()) == ["octavo.toml", "pages"]


def test_ledger_of_addresses_is_begun_when_asked_for(run: Run, make_site: MakeSite) -> None:
    site = make_site(HOME)
    assert run("check", site.root, "--update-addresses").code == 0
    assert (site.root / "addresses.txt").read_text().splitlines()[2:] == ["/"]


def test_addresses_of_private_networks_and_examples_are_not_asked(run: Run, make_site: MakeSite) -> None:
    body = "[a](http://localhost:1/x) [b](http://10.0.0.1/) [c](https://docs.example.org/) [d](mailto:a@example.org)"
    result = run("check", make_site({**HOME, "docs/a.md": page("A", body)}).root, "--external")
    assert (result.code, result.out) == (0, "Nothing is wrong: 2 pages checked.\n")
    assert "Checked 0 addresses of other sites.\n" in result.err


def test_address_that_cannot_be_reached_is_a_finding_with_a_level(run: Run, make_site: MakeSite) -> None:
    """The name can't be looked up, since a label of a name has at most 63 letters: nothing is sent."""
    files = {**HOME, "docs/a.md": page("A", f"See [it](https://{'a' * 64}.org/x).")}
    result = run("check", make_site(files).root, "--external")
    assert result.code == 0
    assert "docs/a.md:5:5: warning: link" in result.err
    assert "[external-link]" in result.err
    strict = make_site(files, '[diagnostics]\nexternal_link = "error"', name="strict")
    assert run("check", strict.root, "--external").code == 1
    assert run("check", strict.root).code == 0


def test_pictures_videos_and_links_of_settings_are_asked_for_too(run: Run, make_site: MakeSite) -> None:
    """At the place where they are written; what Octavo adds to each page by itself is not asked for."""
    host = f"https://{'a' * 64}.org"
    body = (
        f"`![code]({host}/p.png)`\n\n![p]({host}/p.png)\n\n<img src='{host}/raw.png?a=1&amp;b=2' alt=''>\n\n"
        f"<video src='{host}/v.mp4'></video>\n\n<iframe src='//{'a' * 64}.org/frame' title='f'></iframe>\n\n[l]({host}/l)\n\n"
        f"<img src='/img/logo.svg' srcset='{host}/w_1,h_2/s.png 2x' alt=''>"
    )
    settings = (
        f'edit_url = "https://{"b" * 64}.org/edit/{{path}}"\n\n'
        f'[[navbar.items]]\nlabel = "Chat"\nhref = "{host}/chat"\nposition = "right"\n'
    )
    site = make_site({**HOME, "docs/a.md": page("A", body)}, settings)
    result = run("check", site.root, "--external")
    found = [line.split(": warning: ") for line in result.err.splitlines() if "[external-link]" in line]
    text = (site.root / "octavo.toml").read_text()
    line = text[: text.index("/chat")].count("\n") + 1
    places = {message.split('"')[1].removeprefix(host): place for place, message in found}
    assert places == {
        "/p.png": "docs/a.md:7:6",
        "/raw.png?a=1&b=2": "docs/a.md:9:11",
        "/v.mp4": "docs/a.md:11:13",
        "/w_1,h_2/s.png": "docs/a.md:17:34",
        "/frame": "docs/a.md:13:14",
        "/l": "docs/a.md:15:1",
        "/chat": f"octavo.toml:{line}:9",
    }
