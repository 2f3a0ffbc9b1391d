"""Folders exchanged on systems that have no single step for it, and on those that let no open folder be renamed."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from octavo.errors import PublishError
from octavo.publish import exchange
from octavo.runtime import is_running, liveness
from tests.support.sites import read_folder

OLD = {"_octavo/manifest.json": b"old", "index.html": b"old", "gone/index.html": b"old"}
NEW = {"_octavo/manifest.json": b"new", "index.html": b"new", "fresh/index.html": b"new"}


def fill(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    return fill(tmp_path / "staging", NEW), fill(tmp_path / "out", OLD)


@pytest.fixture
def no_single_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "exchange_in_one_step", lambda _first, _second: False)


@pytest.fixture
def renames(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Path], OSError | None]], None]:
    """Let renaming of folders fail as a file system would."""
    real = Path.rename

    def install(fails: Callable[[Path], OSError | None]) -> None:
        def rename(self: Path, target: Path) -> Path:
            if error := fails(self):
                raise error
            return real(self, target)

        monkeypatch.setattr(Path, "rename", rename)

    return install


def test_folders_change_places(folders: tuple[Path, Path]) -> None:
    assert exchange.exchange_folders(*folders)
    assert (read_folder(folders[0]), read_folder(folders[1])) == (OLD, NEW)


def test_folder_where_none_was_published_is_renamed(folders: tuple[Path, Path], tmp_path: Path) -> None:
    assert exchange.exchange_folders(folders[0], tmp_path / "first")
    assert read_folder(tmp_path / "first") == NEW
    assert not folders[0].exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="renameat2(2) is Linux's")
def test_system_that_exchanges_folders_says_why_it_does_not(
    folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert exchange.exchange_in_one_step(Path("staging"), folders[1])
    assert read_folder(folders[1]) == NEW
    with pytest.raises(FileNotFoundError):
        exchange.exchange_in_one_step(folders[0], tmp_path / "gone")


@pytest.mark.usefixtures("no_single_step")
def test_two_steps_do_the_same(folders: tuple[Path, Path], tmp_path: Path) -> None:
    exchange.exchange_folders(*folders)
    assert (read_folder(folders[0]), read_folder(folders[1])) == (OLD, NEW)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "staging"]


@pytest.mark.usefixtures("no_single_step")
def test_second_step_that_fails_brings_the_old_folder_back(
    folders: tuple[Path, Path], renames: Callable[..., None]
) -> None:
    renames(lambda path: OSError(5, "Input/output error") if path.name == "staging" else None)
    with pytest.raises(PublishError, match=r"cannot be replaced: Input/output error\. The old one is untouched"):
        exchange.exchange_folders(*folders)
    assert read_folder(folders[1]) == OLD


@pytest.mark.usefixtures("no_single_step")
def test_folder_with_open_files_gets_its_files_one_by_one(
    folders: tuple[Path, Path], renames: Callable[..., None]
) -> None:
    (folders[1] / ".git").mkdir()
    (folders[1] / ".git/HEAD").write_text("ref")
    renames(lambda path: PermissionError(13, "Access is denied") if path.name == "out" else None)
    assert not exchange.exchange_folders(*folders)
    assert read_folder(folders[1]) == {**NEW, ".git/HEAD": b"ref"}


@pytest.fixture
def is_mounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the published folder be a volume, as containers mount them: it cannot be renamed, nor anything into it."""

    def refuse(_first: Path, _second: Path) -> bool:
        raise OSError(errno.EBUSY, "Device or resource busy")

    real = os.replace

    def replace(self: Path, target: Path) -> Path:
        if ("out" in self.parts) != ("out" in Path(target).parts):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        real(self, target)
        return Path(target)

    monkeypatch.setattr(exchange, "exchange_in_one_step", refuse)
    monkeypatch.setattr(exchange, "is_one_mount", lambda _first, _second: False)
    monkeypatch.setattr(Path, "replace", replace)


@pytest.mark.usefixtures("is_mounted")
def test_volume_gets_its_files_one_by_one(folders: tuple[Path, Path]) -> None:
    fill(folders[1], {"lost+found/kept": b"", ".octavo-4711/half": b"of a build that was killed"})
    assert not exchange.exchange_folders(*folders)
    assert read_folder(folders[1]) == {**NEW, "lost+found/kept": b""}
    assert not (folders[1] / "gone").exists()
    assert read_folder(folders[0]) == {}


@pytest.mark.usefixtures("is_mounted")
def test_volume_without_room_keeps_the_old_files(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def copy(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes()[:1])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", copy)
    with pytest.raises(PublishError, match=r"No space left on device\. The old one is untouched"):
        exchange.exchange_folders(*folders)
    assert read_folder(folders[1]) == OLD


@pytest.mark.parametrize(("old", "new"), [("a", "a/b"), ("a/b", "a"), ("a/b/c", "a"), ("a", "a/b/c")])
def test_file_takes_the_place_of_a_folder_and_the_reverse(tmp_path: Path, old: str, new: str) -> None:
    staging, out = fill(tmp_path / "staging", {new: b"new"}), fill(tmp_path / "out", {old: b"old"})
    exchange.replace_files(staging, out)
    assert read_folder(out) == {new: b"new"}


def test_manifest_comes_last_where_files_are_replaced_one_by_one(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    real = Path.replace

    def replace(self: Path, target: Path) -> Path:
        order.append(self.name)
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    exchange.replace_files(*folders)
    assert order[-1] == "manifest.json"
    assert len(order) == len(NEW)


@pytest.mark.usefixtures("no_single_step")
def test_build_that_was_killed_between_two_steps_is_set_right(folders: tuple[Path, Path]) -> None:
    folders[1].rename(folders[1].with_name(".out.replaced-4711"))
    exchange.recover(folders[1])
    assert read_folder(folders[1]) == OLD


def test_nothing_is_recovered_where_a_folder_is_published(folders: tuple[Path, Path], tmp_path: Path) -> None:
    fill(tmp_path / ".out.replaced-4711", {"index.html": b"older"})
    exchange.recover(folders[1])
    assert read_folder(folders[1]) == OLD


def test_what_belongs_to_somebody_else_stays(folders: tuple[Path, Path]) -> None:
    (folders[1] / ".git").write_text("gitdir: elsewhere")
    exchange.exchange_folders(*folders)
    assert read_folder(folders[1]) == {**NEW, ".git": b"gitdir: elsewhere"}


def test_processes_are_told_apart() -> None:
    assert is_running(str(os.getppid()))
    assert not is_running(
        str(os.getpid())
    )  # a folder with its own number was left by an earlier process that had the same number
    assert not is_running("99999999")
    assert not is_running("9" * 40)
    assert not is_running("none")


def test_windows_is_never_asked_by_a_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    """There `os.kill` ends the process, whatever the signal."""

    class Kernel:
        def OpenProcess(self, _access: int, _inherit: bool, pid: int) -> int:  # noqa: N802
            return 0 if pid == 4711 else 1

        def GetExitCodeProcess(self, _handle: int, code: object) -> int:  # noqa: N802
            code._obj.value = 259  # type: ignore[attr-defined]
            return 1

        def CloseHandle(self, _handle: int) -> int:  # noqa: N802
            return 1

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("a signal was sent"))
    monkeypatch.setattr(liveness.ctypes, "WinDLL", lambda *_args, **_kwargs: Kernel(), raising=False)
    monkeypatch.setattr(liveness.ctypes, "get_last_error", lambda: 87, raising=False)
    assert is_running("4712")
    assert not is_running("4711")
