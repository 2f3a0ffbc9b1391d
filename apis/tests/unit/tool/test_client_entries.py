"""Addresses in the files of registered clients: written, taken back, and nothing of their owner's touched."""

from __future__ import annotations

import json
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tool_api.clients import ClientEntries, jsonc, servers_file
from tool_api.models import MCPClient
from tool_api.store import ServerRow, ServerSpec, Store

CURSOR = MCPClient.CURSOR


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "state")
    yield store
    store.close()


@pytest.fixture
def home(tmp_path: Path, store: Store) -> Path:
    store.register_client(CURSOR.value)
    return tmp_path / "home"


def make_file(home: Path, text: str, client: MCPClient = CURSOR) -> Path:
    file, _ = servers_file(client, home=home)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def row(name: str = "fetch", port: int = 12345, transport: str = "stdio", host: str = "127.0.0.1") -> ServerRow:
    return ServerRow(ServerSpec(name, "image", transport=transport, host=host), name, port, "kept", "running", "", "")


def test_entry_comes_and_goes_and_the_file_is_as_before(home: Path, store: Store) -> None:
    before = '{\n  // mine\n  "mcpServers": {\n    "own": {"url": "x"},\n  },\n}\n'
    file = make_file(home, before)
    file.chmod(0o640)
    entries = ClientEntries(store, home)
    entries.add(row())
    after = file.read_text()
    assert '"fetch": {\n      "url": "http://127.0.0.1:12345/sse#fetch"' in after
    assert "// mine" in after
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert file.with_name(file.name + ".toolhive-backup").read_text() == before
    entries.remove("fetch")
    assert file.read_text() == before
    assert [path.name for path in file.parent.iterdir() if path.suffix not in (".json", ".toolhive-backup")] == []


@pytest.mark.parametrize(
    ("client", "transport", "host", "entry"),
    [
        (MCPClient.CURSOR, "sse", "0.0.0.0", {"url": "http://127.0.0.1:1/sse#x"}),
        (MCPClient.VSCODE, "stdio", "127.0.0.1", {"type": "sse", "url": "http://127.0.0.1:1/sse#x"}),
        (MCPClient.VSCODE_INSIDER, "sse", "::1", {"type": "sse", "url": "http://[::1]:1/sse#x"}),
        (MCPClient.CLAUDE_CODE, "streamable-http", "127.0.0.1", {"type": "http", "url": "http://127.0.0.1:1/mcp#x"}),
        (MCPClient.ROO_CODE, "streamable-http", "192.0.2.7", {"url": "http://192.0.2.7:1/mcp#x"}),
        (MCPClient.CLINE, "stdio", "127.0.0.1", {"url": "http://127.0.0.1:1/sse#x"}),
    ],
)
def test_each_client_gets_its_form(
    home: Path, store: Store, client: MCPClient, transport: str, host: str, entry: dict[str, str]
) -> None:
    store.register_client(client.value)
    file = make_file(home, "", client)
    _, keys = servers_file(client, home=home)
    ClientEntries(store, home).add(row("x", 1, transport, host))
    found = json.loads(file.read_text())
    for key in (*keys, "x"):
        found = found[key]
    assert found == entry


def test_nothing_is_written_without_registration_or_file(home: Path, store: Store) -> None:
    file = make_file(home, "{}", MCPClient.VSCODE)
    ClientEntries(store, home).add(row())
    assert file.read_text() == "{}"
    assert not servers_file(CURSOR, home=home)[0].exists()


@pytest.mark.parametrize("edited", ['{"url": "elsewhere"}', '{"url": "http://127.0.0.1:12345/sse#fetch", "off": true}'])
def test_entry_that_its_owner_has_changed_stays(home: Path, store: Store, edited: str) -> None:
    file = make_file(home, "{}")
    entries = ClientEntries(store, home)
    entries.add(row())
    file.write_text(f'{{"mcpServers": {{"fetch": {edited}}}}}')
    before = file.read_text()
    entries.add(row(port=2))
    assert file.read_text() == before
    entries.remove("fetch")
    assert file.read_text() == before


def test_entry_of_the_same_name_that_was_there_before_stays(home: Path, store: Store) -> None:
    before = '{"mcpServers": {"fetch": {"command": "npx"}}}'
    file = make_file(home, before)
    entries = ClientEntries(store, home)
    entries.add(row())
    entries.remove("fetch")
    assert file.read_text() == before


def test_entry_that_its_owner_has_written_again_is_left_by_later_removals(home: Path, store: Store) -> None:
    file = make_file(home, "{}")
    entries = ClientEntries(store, home)
    entries.add(row())
    ours = file.read_text()
    entries.remove("fetch")
    file.write_text(ours)
    entries.remove("fetch")
    assert file.read_text() == ours


def test_only_an_entry_that_differs_is_said_to_be_kept(
    home: Path, store: Store, capfd: pytest.CaptureFixture[str]
) -> None:
    file = make_file(home, "{}")
    entries = ClientEntries(store, home)
    entries.add(row())
    ours = file.read_text()
    entries.remove("fetch")
    file.write_text(ours)
    entries.add(row())
    assert "client_entry_kept" not in capfd.readouterr().err
    entries.add(row(port=2))
    assert "client_entry_kept" in capfd.readouterr().err


def test_our_entry_follows_its_server(home: Path, store: Store) -> None:
    file = make_file(home, "{}")
    entries = ClientEntries(store, home)
    entries.add(row())
    entries.add(row(port=2))
    assert "http://127.0.0.1:2/" in file.read_text()


def test_client_is_given_all_running_servers_and_loses_them(home: Path, store: Store) -> None:
    file = make_file(home, "{}")
    for number, (name, wanted) in enumerate([("a", "running"), ("b", "exited"), ("c", "running")], start=1):
        spec = ServerSpec(name, "image", transport="stdio", host="127.0.0.1")
        store.add(ServerRow(spec, name, number, "kept", wanted, "", ""))
    entries = ClientEntries(store, home)
    entries.add_client(CURSOR)
    assert list(json.loads(file.read_text())["mcpServers"]) == ["a", "c"]
    entries.remove_client(CURSOR)
    assert json.loads(file.read_text()) == {"mcpServers": {}}


def test_link_to_a_file_stays_a_link(home: Path, store: Store, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    file, _ = servers_file(CURSOR, home=home)
    file.parent.mkdir(parents=True)
    file.symlink_to(real)
    ClientEntries(store, home).add(row())
    assert file.is_symlink()
    assert "fetch" in real.read_text()


def test_file_that_cannot_be_read_is_left_and_logged(
    home: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    file = make_file(home, '{"mcpServers": oops}')
    ClientEntries(store, home).add(row())
    assert file.read_text() == '{"mcpServers": oops}'
    assert "client_file_not_read" in capsys.readouterr().err


@pytest.mark.parametrize("mode", [0o444, 0o400])
def test_file_that_is_for_reading_only_is_left_and_logged(
    mode: int, home: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its folder may be written to, so a new file could take its place; root may write to all of them."""
    file = make_file(home, "{}")
    file.chmod(mode)
    entries = ClientEntries(store, home)
    entries.add(row())
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("{}", mode)
    assert list(file.parent.iterdir()) == [file]
    said = capsys.readouterr().err
    assert "client_file_not_written" in said
    assert "read-only" in said


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only root gives files away")
def test_file_and_backup_stay_those_of_their_owner(home: Path, store: Store) -> None:
    file = make_file(home, "{}")
    os.chown(file, 41234, 45678)
    ClientEntries(store, home).add(row())
    found = [(one.stat().st_uid, one.stat().st_gid) for one in file.parent.iterdir()]
    assert found == [(41234, 45678)] * 2
    assert "fetch" in file.read_text()


def test_link_in_the_place_of_the_backup_is_not_followed(home: Path, store: Store, tmp_path: Path) -> None:
    """Whoever may write to the folder could have root write to any file."""
    file = make_file(home, "{}")
    other = tmp_path / "other"
    other.write_text("kept")
    backup = file.with_name(file.name + ".toolhive-backup")
    backup.symlink_to(other)
    ClientEntries(store, home).add(row())
    assert (other.read_text(), backup.read_text(), backup.is_symlink()) == ("kept", "{}", False)


def test_file_that_cannot_be_looked_for_is_logged(
    tmp_path: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in a folder that this user may not enter: the server was created all the same, so the request must succeed."""
    store.register_client(CURSOR.value)
    entries = ClientEntries(store, tmp_path / ("x" * 300))
    store.save_entry(CURSOR.value, "former", str(tmp_path / ("x" * 300) / "mcp.json"), "{}")
    entries.add(row())
    entries.remove("former")
    said = capsys.readouterr().err
    assert said.count('"client_file_not_written"') == 2
    assert store.entry(CURSOR.value, "former") == "{}"


def test_lock_of_a_file_leaves_nothing_behind(home: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")
    temporary = home.with_name("temporary")
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    file = make_file(home, "{}")
    other = os.open(file.parent, os.O_RDONLY)
    write = jsonc.set_value

    def write_alone(text: str, place: tuple[str, ...], value: object) -> str:
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return write(text, place, value)

    monkeypatch.setattr(jsonc, "set_value", write_alone)
    ClientEntries(store, home).add(row())
    os.close(other)
    assert "fetch" in file.read_text()
    assert [*temporary.iterdir(), *(path for path in file.parent.iterdir() if "lock" in path.name)] == []
