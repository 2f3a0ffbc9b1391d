"""The whole plan for a site of each engine: all settings, notes and files that an import of it writes.

`fixtures/*.yaml` maps the files of a site to what they hold: a text, or a value that is written as JSON.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from octavo.importing.scripts import ScriptError, Scripts
from tests.support.recorded import compare_with_record, write_lines

from .planned import plan_of

FIXTURES = Path(__file__).parent / "fixtures"
SITES = sorted(path.stem for path in FIXTURES.glob("*.yaml"))


@pytest.fixture(autouse=True)
def settings_that_are_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read settings that are programs as JSON: what runs programs is V8, in a process of its own."""

    def load(_: Scripts, path: Path, *, arguments: object = None) -> Any:
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ScriptError(f"{path.name} fails.") from error

    monkeypatch.setattr(Scripts, "load", load)
    monkeypatch.setattr(Scripts, "load_all", lambda self, paths: {path: load(self, path) for path in paths})


@pytest.mark.parametrize("site", SITES)
def test_plan_of_a_site(site: str, tmp_path: Path) -> None:
    folder = tmp_path / "kites"
    files = yaml.safe_load((FIXTURES / f"{site}.yaml").read_text(encoding="utf-8"))
    plan = plan_of(folder, files)
    assert plan.engine == site.partition("-")[0]
    written: dict[str, Any] = {
        "site": plan.site_dir.relative_to(folder.parent).as_posix(),
        "settings": plan.settings,
        "notes": [{key: value for key, value in msgspec.to_builtins(note).items() if value} for note in plan.notes],
        "files": plan.files,
        "copies": {name: path.relative_to(folder).as_posix() for name, path in plan.copies.items()},
        "react_pages": plan.react_pages,
        "context": plan.context,
    }
    text = write_lines({key: value for key, value in written.items() if value})
    compare_with_record(FIXTURES / f"{site}.plan.json", text.replace(str(tmp_path), "…"))
