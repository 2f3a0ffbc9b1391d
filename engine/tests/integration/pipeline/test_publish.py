"""Publishing: the old folder stays until the new one is whole, whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from octavo.errors import PublishError, RenderError
from octavo.publish.build import build_site
from octavo.publish.staging import Staging
from tests.support.sites import HOME, MakeSite, SiteFolder, page, read_folder
from tests.support.waiting import wait_for


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    return make_site({**HOME, "docs/a.md": page("A"), "docs/b.md": page("B", "[a](./a.md)")})


def leftovers(site: SiteFolder) -> list[str]:
    """Folders of the build's own that a reader of the site must never see."""
    return sorted(
        path.name
        for folder in (site.root / ".octavo", site.out.parent)
        for path in folder.iterdir()
        if ".staging" in path.name
    )


def test_first_build_publishes_and_leaves_nothing_behind(site: SiteFolder) -> None:
    assert site.build().is_published
    assert (site.out / "a/index.html").is_file()
    assert leftovers(site) == []


def test_file_of_an_author_takes_the_place_of_one_that_is_made(site: SiteFolder) -> None:
    first = site.build()
    made = (site.out / "_headers").read_text()
    assert "Content-Security-Policy" in made
    assert first.build_id == site.manifest().build
    site.write({"static/_headers": "/*\n  X-Own: 1\n"})
    second = site.build()
    assert (site.out / "_headers").read_text() == "/*\n  X-Own: 1\n"
    assert second.build_id == site.manifest().build != first.build_id
    assert second.drawn == 0


def test_build_with_errors_leaves_the_published_folder_byte_for_byte(site: SiteFolder) -> None:
    site.build()
    before = site.published()
    site.write({"docs/b.md": page("B", "[a](./nothing.md)"), "docs/a.md": page("A", "New text.")})
    assert not site.build().is_published
    assert site.published() == before
    assert leftovers(site) == []


def test_build_with_errors_publishes_nothing_at_first(site: SiteFolder) -> None:
    site.write({"docs/b.md": page("B", "[a](./nothing.md)")})
    assert not site.build().is_published
    assert not site.out.exists()


def test_check_writes_nothing_into_the_site(site: SiteFolder) -> None:
    before = read_folder(site.root)
    build = build_site(site.root, None)
    assert (build.is_published, build.pages, build.diagnostics) == (False, 3, [])
    assert not site.out.exists()
    assert read_folder(site.root) == before
    assert not (site.root / ".octavo").exists()


def test_check_finds_what_a_build_finds(site: SiteFolder) -> None:
    site.write({"docs/b.md": page("B", "[a](./nothing.md) ![x](./no.png)"), "static/a/index.html": "mine"})
    assert build_site(site.root, None).diagnostics == site.build().diagnostics


def test_theme_that_throws_leaves_the_published_folder_byte_for_byte(
    site: SiteFolder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    site.build()
    before = site.published()
    break_theme(monkeypatch, tmp_path, "throw new Error('the theme is ill')")
    site.write({"docs/a.md": page("A", "New text.")})
    with pytest.raises(RenderError, match="the theme is ill"):
        site.build()
    assert site.published() == before
    assert leftovers(site) == []


def break_theme(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, statement: str) -> None:
    """Put a theme in the place of the real one that fails when it draws pages."""
    import shutil

    from octavo.rendering import theme

    broken = tmp_path / "theme"
    shutil.copytree(theme.THEME_DIR, broken)
    with (broken / "server.js").open("a", encoding="utf-8") as file:
        file.write(f"\n;globalThis.Octavo = {{...globalThis.Octavo, renderPages() {{ {statement} }}}};")
    real = theme.load_theme
    monkeypatch.setattr("octavo.publish.build.load_theme", lambda: real(broken))


def test_theme_that_was_not_built_is_named(tmp_path: Path) -> None:
    from octavo.rendering.theme import load_theme

    with pytest.raises(RenderError) as caught:
        load_theme(tmp_path)
    assert str(caught.value) == (
        f"The theme has not been built: {tmp_path / 'server.js'} is missing. Run `make theme` in Octavo's checkout."
    )


_BUILD = "import sys; from pathlib import Path; from octavo.publish.build import build_site; build_site(Path(sys.argv[1]), Path(sys.argv[2]))"


def start_build(site: SiteFolder) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", _BUILD, str(site.root), str(site.out)], start_new_session=True)


def staged_pages(site: SiteFolder) -> list[Path]:
    return list((site.root / ".octavo").glob("*.staging-*/p*/index.html"))


def test_killed_build_leaves_the_published_folder_byte_for_byte(make_site: MakeSite) -> None:
    site = make_site({**HOME, **{f"docs/p{number}.md": page(f"P {number}") for number in range(200)}})
    site.build()
    before = site.published()
    site.write({f"docs/p{number}.md": page(f"P {number}", f"Changed {number}.") for number in range(200)})
    process = start_build(site)
    try:
        wait_for(lambda: process.poll() is not None or len(staged_pages(site)) >= 2)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert process.returncode == -signal.SIGKILL, "the build ended before it could be killed"
    assert site.published() == before
    assert leftovers(site) != []

    assert site.build().is_published
    assert leftovers(site) == []
    assert "Changed 7." in site.html("/p7")


def test_folder_that_somebody_else_filled_is_refused(site: SiteFolder) -> None:
    site.out.mkdir()
    (site.out / "thesis.txt").write_text("years of work")
    with pytest.raises(PublishError) as caught:
        site.build()
    assert str(caught.value) == (
        f'{site.out} contains files that Octavo has not written, such as "thesis.txt". Name another folder with --out, '
        "or empty this one."
    )
    assert read_folder(site.out) == {"thesis.txt": b"years of work"}


def test_empty_folder_is_taken(site: SiteFolder) -> None:
    site.out.mkdir()
    assert site.build().is_published


def test_file_in_the_place_of_the_folder_is_refused(site: SiteFolder) -> None:
    site.out.write_text("a file")
    with pytest.raises(PublishError) as caught:
        site.build()
    assert str(caught.value) == f"{site.out} is a file; name a folder with --out."
    assert site.out.read_text() == "a file"


def test_folders_on_the_way_are_made(site: SiteFolder) -> None:
    site.out = site.out / "deep" / "er"
    assert site.build().is_published


def test_removed_page_is_gone_from_the_published_folder(site: SiteFolder) -> None:
    site.build()
    (site.root / "docs/b.md").unlink()
    for _ in range(2):  # the second build starts from the folder that still has it
        assert site.build().is_published
        assert not (site.out / "b").exists()
        assert not (site.out / "_octavo/pages/b.json").exists()
        assert "/b" not in site.manifest().routes


def test_published_files_never_change_in_place(site: SiteFolder) -> None:
    """A server that still sends the old build must not send half of the new one."""
    site.build()
    with (site.out / "a/index.html").open("rb") as served:
        for text in ("Second.", "Third."):
            site.write({"docs/a.md": page("A", text)})
            site.build()
        assert b"<p>Text.</p>" in served.read()
    assert "Third." in site.html("/a")


def test_staging_of_a_running_build_is_left_alone(tmp_path: Path) -> None:
    work = tmp_path / "work"
    first = Staging.make(tmp_path / "out", work)
    mine = first.path.with_name(f"{first.path.name.rpartition('-')[0]}-{os.getppid()}")
    first.path.rename(mine)
    second = Staging.make(tmp_path / "out", work)
    assert mine.is_dir()
    second.discard()
    assert [path.name for path in work.iterdir()] == [mine.name]


def test_staging_of_a_killed_build_is_cleared_away(tmp_path: Path) -> None:
    work = tmp_path / "work"
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    first = Staging.make(tmp_path / "out", work)
    abandoned = first.path.with_name(f"{first.path.name.rpartition('-')[0]}-{process.pid}")
    first.path.rename(abandoned)
    (abandoned / "index.html").write_text("half a site")
    Staging.make(tmp_path / "out", work).discard()
    assert list(work.iterdir()) == []


def test_folder_that_cannot_be_written_is_named(site: SiteFolder) -> None:
    site.write({".octavo": "a file in the way"})
    with pytest.raises(PublishError) as caught:
        site.build()
    advice = "Remove it, or name another folder."
    assert str(caught.value) == f"{site.root / '.octavo'} is a file where a folder is needed. {advice}"
