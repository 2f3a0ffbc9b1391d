"""What operators and scripts rely on: addresses from outside, JSON, colors, exit codes, cleaning up."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from io import FileIO
from pathlib import Path

import pytest

from engine.tests.integration.cli.conftest import Run, run_process
from octavo import errors
from octavo.cli.exit_codes import EXIT_CODES
from octavo.cli.report import wants_color
from tests.support.sites import HOME, MakeSite, page

CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)">')


def canonical(out: Path, file: str = "a/index.html") -> list[str]:
    return CANONICAL.findall((out / file).read_text())


class TestAddress:
    def test_options_take_the_place_of_the_settings(self, run: Run, make_site: MakeSite) -> None:
        site = make_site({**HOME, "docs/a.md": page("A", "[B](./b.md)"), "docs/b.md": page("B")}, 'base_url = "/old/"')
        result = run("build", site.root, "--url", "https://preview.example.org", "--base-url", "/pr-12/")
        assert (result.code, result.err.count("warning:")) == (0, 0)
        out = site.root / "build"
        assert canonical(out) == ["https://preview.example.org/pr-12/a"]
        assert 'href="/pr-12/b"' in (out / "a/index.html").read_text()
        assert "Sitemap: https://preview.example.org/pr-12/sitemap.xml" in (out / "robots.txt").read_text()

    @pytest.mark.parametrize(
        ("option", "value"),
        [
            ("--url", "docs.example.org"),
            ("--url", "https://a.example/docs"),
            ("--base-url", "docs"),
            ("--base-url", "/a"),
        ],
    )
    def test_bad_option_is_named(self, run: Run, make_site: MakeSite, option: str, value: str) -> None:
        result = run("build", make_site(HOME).root, option, value)
        assert result.code == 2
        assert f"Invalid value for '{option}': \"{value}\"" in result.err

    def test_values_come_from_the_environment(
        self, run: Run, make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SITE_URL", "https://env.example.org")
        monkeypatch.setenv("SITE_NOTE", "Copied")
        site = make_site(
            {**HOME, "docs/a.md": page("A")}, 'url = "env:SITE_URL"\n[footer]\ncopyright = "env:SITE_NOTE"'
        )
        assert run("build", site.root).code == 0
        assert canonical(site.root / "build") == ["https://env.example.org/a"]
        assert "Copied" in (site.root / "build/a/index.html").read_text()
        monkeypatch.setenv("SITE_URL", "https://other.example.org")
        run("build", site.root)
        assert canonical(site.root / "build") == ["https://other.example.org/a"]

    def test_address_of_this_machine_is_no_address_for_readers(self, run: Run, make_site: MakeSite) -> None:
        site = make_site(
            {**HOME, "docs/a.md": page("A"), "static/card.png": b"\x89PNG"},
            'image = "/card.png"\nurl = "http://127.0.0.1:3000"',
        )
        result = run("build", site.root)
        assert result.code == 0
        assert (
            'octavo.toml:3:7: warning: url is "http://127.0.0.1:3000", which is not an address for readers'
            in result.err
        )
        assert "--url https://docs.example.org" in result.err
        assert "[unset-url]" in result.err
        text = (site.root / "build/a/index.html").read_text()
        assert canonical(site.root / "build") == []
        assert [name for name in ("og:url", "og:image", "twitter:image", "hreflang") if name in text] == []
        assert "Sitemap:" not in (site.root / "build/robots.txt").read_text()

    @pytest.mark.parametrize(("level", "code", "warnings"), [("ignore", 0, 0), ("warn", 0, 1), ("error", 1, 0)])
    def test_its_level_is_a_setting(self, run: Run, make_site: MakeSite, level: str, code: int, warnings: int) -> None:
        site = make_site(HOME, f'[diagnostics]\nunset_url = "{level}"')
        result = run("build", site.root, "-q")
        assert (result.code, result.err.count("warning: url is")) == (code, warnings)

    def test_who_only_looks_is_not_told(self, run: Run, make_site: MakeSite) -> None:
        assert run("check", make_site(HOME).root).code == 0


class TestJson:
    def test_result_is_the_only_thing_on_the_output(self, run: Run, make_site: MakeSite) -> None:
        site = make_site({**HOME, "docs/a.md": page("A", "[x](#gone)")}, 'url = "https://docs.example.org"')
        result = run("build", site.root, "--json")
        found = json.loads(result.out)
        assert (result.code, result.err) == (0, "")
        assert found.pop("seconds") > 0
        assert found.pop("build_id")
        [finding] = found.pop("findings")
        assert (finding["code"], finding["span"]["path"]) == ("broken-anchor", "docs/a.md")
        assert found == {
            "is_published": True,
            "out": str(site.root / "build"),
            "pages": 2,
            "rendered": 2,
            "errors": 0,
            "warnings": 1,
        }
        assert json.loads(run("build", site.root, "--json").out)["rendered"] == 0

    def test_failure_is_json_too(self, run: Run, make_site: MakeSite) -> None:
        site = make_site({**HOME, "docs/a.md": page("A", "[x](./gone.md)")})
        result = run("build", site.root, "--json")
        found = json.loads(result.out)
        assert (result.code, found["is_published"], found["errors"]) == (1, False, 1)


class TestColors:
    @pytest.mark.parametrize(
        ("environment", "expected"),
        [
            ({}, None),
            ({"NO_COLOR": ""}, None),
            ({"NO_COLOR": "1"}, False),
            ({"FORCE_COLOR": "1"}, True),
            ({"FORCE_COLOR": "0"}, False),
            ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
            ({"TERM": "dumb"}, False),
            ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ],
    )
    def test_environment_decides(self, environment: dict[str, str], expected: bool | None) -> None:
        assert wants_color(environment) is expected

    def test_findings_obey_it(self, run: Run, make_site: MakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
        site = make_site({**HOME, "docs/a.md": page("A", "[x](./gone.md)")})
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert "\x1b[31m" in run("check", site.root).err
        monkeypatch.setenv("NO_COLOR", "1")
        assert "\x1b" not in run("check", site.root).err


class TestExitCodes:
    def test_table_holds_every_code_of_our_errors(self) -> None:
        kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
        assert {kind.exit_code for kind in kinds} <= EXIT_CODES.keys()

    def test_every_command_keeps_to_it(self, run: Run, make_site: MakeSite, tmp_path: Path) -> None:
        good = make_site(HOME).root
        bad = make_site({**HOME, "docs/a.md": page("A", "[x](./gone.md)")}, name="bad").root
        assert [run(name, good).code for name in ("check", "build", "headers", "clean")] == [0, 0, 0, 0]
        assert [run(name, bad).code for name in ("check", "build")] == [1, 1]
        nowhere = tmp_path / "nowhere"
        names = ("check", "build", "clean", "headers", "serve", "dev")
        codes = {
            name: run_process(name, nowhere, *(["--port", "0"] if name == "dev" else [])).code for name in names[:5]
        }
        assert codes == dict.fromkeys(names[:5], 2)
        assert run("build", good, "--nonsense").code == 2


class TestClean:
    def test_removes_what_builds_have_written_and_nothing_else(self, run: Run, make_site: MakeSite) -> None:
        site = make_site(HOME)
        before = {path for path in site.root.rglob("*") if path.is_file()}
        run("build", site.root)
        (site.root / ".octavo/insights.sqlite").write_bytes(b"kept")
        result = run("clean", site.root)
        assert (result.code, result.err) == (0, "")
        left = {path for path in site.root.rglob("*") if path.is_file()}
        assert left == before | {site.root / ".octavo/insights.sqlite"}
        assert run("clean", site.root).out == f"Removed 0 folders and files of {site.root}.\n"

    def test_folder_of_somebody_else_is_left_alone(self, run: Run, make_site: MakeSite) -> None:
        site = make_site({**HOME, "build/mine.txt": "mine"})
        result = run("clean", site.root)
        assert (result.code, (site.root / "build/mine.txt").exists()) == (2, True)
        assert "was not published by a build" in result.err

    def test_folder_that_is_no_site_is_left_alone(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / ".octavo").mkdir()
        assert run("clean", tmp_path).code == 2
        assert (tmp_path / ".octavo").exists()


class TestNew:
    def test_fresh_repository_is_as_good_as_an_empty_folder(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / ".git").mkdir()
        for name in ("README.md", "LICENSE", ".gitignore"):
            (tmp_path / name).write_text("mine")
        assert run("new", tmp_path).code == 0
        assert [(tmp_path / name).read_text() for name in ("README.md", "LICENSE", ".gitignore")] == ["mine"] * 3
        assert (tmp_path / "octavo.toml").is_file()

    def test_what_builds_write_is_not_committed(self, run: Run, tmp_path: Path) -> None:
        run("new", tmp_path / "site")
        assert {"/build/", "/.octavo/"} <= set((tmp_path / "site/.gitignore").read_text().split("\n"))


class TestTerminals:
    def test_reader_of_the_output_may_stop(self) -> None:
        command = [sys.executable, "-m", "octavo", "schema", "settings"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.stderr.read() == ""
        assert process.returncode == 1

    def test_characters_that_the_output_does_not_take_are_escaped(self, make_site: MakeSite) -> None:
        site = make_site({**HOME, "docs/\u6587.md": "# A\n\n[x](nope.md)\n"})
        for format_ in ("text", "json", "github"):
            result = run_process("check", site.root, "--format", format_, PYTHONIOENCODING="cp1252")
            assert result.code == 1
            assert r"docs/\u6587.md" in result.out + result.err

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
    def test_full_disk_is_one_sentence(self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """For all commands; those that publish say more."""

        def fail(_: Path, data: bytes) -> int:
            with FileIO("/dev/full", "wb") as full:
                return full.write(data)

        monkeypatch.setattr(Path, "write_bytes", fail)
        result = run("new", tmp_path / "fresh")
        assert (result.code, result.out) == (1, "")
        assert result.err == "octavo: No space left on device. Make room on the disk and run the command again.\n"


@pytest.mark.parametrize(
    ("path", "make", "message"),
    [
        (".octavo", "link", "Replace the link by a file or a folder."),
        ("build", "link", "Replace the link by a file or a folder."),
        (".octavo", "file", ".octavo is a file where a folder is needed. Remove it, or name another folder."),
    ],
)
def test_what_is_in_the_way_of_a_build_is_named(
    run: Run, make_site: MakeSite, path: str, make: str, message: str
) -> None:
    site = make_site(HOME)
    if make == "link":
        (site.root / path).symlink_to(path)
    else:
        (site.root / path).write_text("x")
    result = run("build", site.root)
    assert result.code == 1
    assert result.err.strip().endswith(message)
    assert str(site.root / path) in result.err
