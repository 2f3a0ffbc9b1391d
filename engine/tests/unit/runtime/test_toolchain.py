"""Cache keys hold what makes the pages, by content."""

from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path

import pytest

from octavo.runtime import toolchain
from octavo.runtime.toolchain import documents_key, hash_code, index_key, pages_key, tool_versions

KEYS = (documents_key, pages_key, index_key)


@pytest.fixture
def keys_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the keys, which a process works out once, be worked out anew."""
    for key in KEYS:
        monkeypatch.setattr(toolchain, key.__name__, key.__wrapped__)


def install(folder: Path, name: str, number: str) -> None:
    (folder / f"{name}-{number}.dist-info").mkdir(parents=True)


def package(folder: Path, **files: str) -> Path:
    for name, content in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def test_versions_are_those_that_are_installed() -> None:
    names = ("pygments", "pyromark", "imagesize", "mini-racer", "msgspec", "pyyaml", "tantivy")
    found = tool_versions(names, toolchain.sys.path)
    assert found == {name: version(name) for name in names}


def test_first_of_several_installed_versions_counts(tmp_path: Path) -> None:
    install(tmp_path / "a", "mini_racer", "2.0")
    install(tmp_path / "b", "mini_racer", "1.0")
    folders = [str(tmp_path / name) for name in ("missing", "a", "b")]
    assert tool_versions(["mini-racer", "other"], folders) == {"mini-racer": "2.0"}


@pytest.mark.parametrize(
    ("tool", "changed"),
    [
        ("pygments", {documents_key, pages_key}),
        ("pyromark", {documents_key, pages_key}),
        ("imagesize", {documents_key, pages_key}),
        ("mini_racer", {pages_key}),
        ("tantivy", {index_key}),
    ],
)
@pytest.mark.usefixtures("keys_of_now")
def test_newer_tool_changes_the_keys_of_what_it_makes(
    tool: str, changed: set[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {key: key.__wrapped__() for key in KEYS}
    install(tmp_path, tool, "999.0")
    monkeypatch.syspath_prepend(tmp_path)
    assert {key for key in KEYS if key.__wrapped__() != before[key]} == changed


def test_code_counts_by_name_and_content_and_not_by_time(tmp_path: Path) -> None:
    root = package(tmp_path, top="1", content__a="2", content__deep__b="3", other__c="4")
    before = hash_code(root, [".", "content"])
    os.utime(root / "content/deep/b.py", (1, 1))
    package(tmp_path, other__c="5")
    assert hash_code(root, [".", "content"]) == before
    package(tmp_path, content__deep__b="6")
    assert hash_code(root, [".", "content"]) != before
    package(tmp_path, content__deep__b="3")
    assert hash_code(root, [".", "content"]) == before
    (root / "content/a.py").rename(root / "content/z.py")
    assert hash_code(root, [".", "content"]) != before


def test_every_package_of_the_engine_that_can_change_a_page_is_in_a_key() -> None:
    folder = Path(toolchain.__file__).parent.parent
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    hashed = {*toolchain._DOCUMENT_CODE, *toolchain._PAGE_CODE, *toolchain._INDEX_CODE}
    others = {
        "background",
        "bundling",
        "cli",
        "dev",
        "external_links",
        "feedback",
        "hosting",
        "importing",
        "live_search",
        "manual",
        "mcp",
        "preview",
        "revisions",
        "server",
    }
    assert packages - hashed == others
    assert hashed - packages == {"."}
