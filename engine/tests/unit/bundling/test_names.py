"""No name leads out of the folder of copies, and no style sheet takes in a file of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.bundling.project import parse_wanted, read_own
from octavo.bundling.styles import read_style
from octavo.errors import UsageError

PIXEL = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("name", ["lodash/../../x", "lodash/./x", "-g", "@/x", "../x.css/..", "Lodash/x"])
def test_odd_name_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # names that begin with a dot are folders, and there may be a package around this one
    with pytest.raises(UsageError):
        parse_wanted([name], given=())


@pytest.mark.parametrize("name", ["../../notes.md", "/etc/passwd", "a/../../b.js", "a\\..\\b.js"])
@pytest.mark.parametrize("key", ["imports", "files"])
def test_project_that_names_other_files_is_refused(key: str, name: str) -> None:
    with pytest.raises(UsageError, match="is outside of the folder"):
        read_own({"octavo": {key: ["fine.js", name]}})


def test_local_package_with_an_odd_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "../../up"}')
    with pytest.raises(UsageError, match="is not a name of one"):
        parse_wanted([str(tmp_path)], given=())


def test_style_sheet_takes_in_pictures_of_packages_only(tmp_path: Path) -> None:
    package = tmp_path / "node_modules" / "kit"
    package.mkdir(parents=True)
    (tmp_path / "secret.png").write_bytes(PIXEL)
    (package / "own.png").write_bytes(PIXEL)
    (package / "link.png").symlink_to(tmp_path / "secret.png")
    (package / "kit.css").write_text("a{b:url(own.png)} c{d:url(../../secret.png)} e{f:url(link.png)}")
    text, left = read_style(tmp_path, "kit/kit.css")
    assert text.count("data:image/png") == 1
    assert left == ["../../secret.png", "link.png"]
