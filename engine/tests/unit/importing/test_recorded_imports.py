"""Whole imports of small sites: the settings, the report, and each file that is written, beside a site or in a copy of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from octavo.errors import UsageError
from octavo.importing import import_site
from octavo.importing.run import examine_site
from octavo.importing.scripts import Scripts
from tests.support.recorded import compare_with_record

FIXTURES = Path(__file__).parent / "fixtures" / "copies"
SITES = sorted(path.stem for path in FIXTURES.glob("*.yaml"))


@pytest.fixture(autouse=True)
def settings_that_are_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read settings that are programs as JSON: what runs programs is V8, in a process of its own."""

    def load(_: Scripts, path: Path, *, arguments: object = None) -> Any:
        return json.loads(path.read_text(encoding="utf-8"))

    monkeypatch.setattr(Scripts, "load", load)


def write(folder: Path, site: str) -> Path:
    files = yaml.safe_load((FIXTURES / f"{site}.yaml").read_text(encoding="utf-8"))
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder


def texts(folder: Path) -> dict[str, str]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and ".octavo" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in found}


def shown(files: dict[str, str], before: dict[str, str]) -> str:
    changed = {name: text for name, text in files.items() if before.get(name) != text}
    parts = [f"=== {name}\n{text}" for name, text in changed.items()]
    gone = [name for name in before if name not in files]
    return "\n".join([*parts, f"=== not there: {', '.join(gone)}\n" if gone else ""])


@pytest.mark.parametrize("site", SITES)
def test_import_beside_a_site(site: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "kites", site)
    before = texts(folder)
    examined = examine_site(folder)
    assert texts(folder) == before
    done = import_site(folder)
    assert examined.text == done.text
    compare_with_record(FIXTURES / f"{site}.beside.txt", shown(texts(folder), before).replace(str(tmp_path), "…"))
    # Nothing is written over unless it is wanted, and what was written is found.
    with pytest.raises(UsageError, match=r"octavo\.toml exists; remove it, or replace it with --force"):
        import_site(folder)
    assert import_site(folder, force=True).text == done.text


@pytest.mark.parametrize("site", SITES)
def test_import_into_a_copy(site: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "kites", site)
    before = texts(folder)
    import_site(folder, to=tmp_path / "copy")
    assert texts(folder) == before
    compare_with_record(
        FIXTURES / f"{site}.copy.txt", shown(texts(tmp_path / "copy"), before).replace(str(tmp_path), "…")
    )
