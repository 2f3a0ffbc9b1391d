"""What the command of the tool API refuses before it serves, where it listens, and how clients are registered."""

from __future__ import annotations

import json
import os
import socket
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tool_api import cli
from tool_api.cli import tool
from tool_api.errors import StartError
from tool_api.settings import Settings
from tool_api.store import Store
from tool_api.workers import claim

TOKEN = "corner-lantern-41"


def run(*arguments: str | Path, **environment: str) -> Result:
    return CliRunner().invoke(tool, list(map(str, arguments)), env={cli.TOKEN_VARIABLE: "", **environment})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--socket-group", "staff"), "tool: --socket-group needs --socket.\n"),
        (("--kube-context", "c"), "tool: --kube-context and --kube-namespace need --runtime kubernetes.\n"),
        (("--kube-namespace", "n"), "tool: --kube-context and --kube-namespace need --runtime kubernetes.\n"),
        (
            ("--registry", "x", "--export-openapi", "-"),
            'tool: registry "x" is not of the form NAME=FILE or NAME=URL.\n',
        ),
        (("clients", "register", "emacs"), 'tool: there is no client "emacs"; known are roo-code, cline, cursor, '),
        (("clients", "remove", "emacs"), 'tool: there is no client "emacs"; known are roo-code, cline, cursor, '),
        (("--port", "1", "clients", "remove", "vscode"), "--port"),
        (("--max-message-bytes", "65535"), "65535 is not in the range"),
        (("--ready-timeout", "0.5"), "0.5 is not in the range"),
        (("--port", "65536"), "65536 is not in the range"),
    ],
)
def test_what_has_no_effect_or_no_meaning_is_refused(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = run("--state-dir", tmp_path / "state", *arguments)
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "state").exists()


class TestToken:
    @pytest.mark.parametrize("text", [TOKEN, f"{TOKEN}\n", f"  {TOKEN}\r\n", "a-._~+/=0123456789"])
    def test_file_has_one_token(self, tmp_path: Path, text: str) -> None:
        file = tmp_path / "token"
        file.write_text(text)
        file.chmod(0o600)
        assert cli._read_token(file) == text.strip()

    @pytest.mark.parametrize("text", ["", "a" * 15, "two words of a token", f"{TOKEN}\n{TOKEN}", "größe-größe-größe"])
    def test_text_that_is_no_token_is_refused(self, tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
        how = "has no token: 16 or more letters, digits and -._~+/= on one line."
        file = tmp_path / "token"
        file.write_text(text, encoding="utf-8")
        file.chmod(0o600)
        with pytest.raises(StartError) as refused:
            cli._read_token(file)
        assert str(refused.value) == f"the token file {file} {how}"
        monkeypatch.setenv(cli.TOKEN_VARIABLE, text)
        if not text:
            assert cli._read_token(None) is None
            return
        with pytest.raises(StartError) as refused:
            cli._read_token(None)
        assert str(refused.value) == f"the variable {cli.TOKEN_VARIABLE} {how}"

    def test_variable_is_read_where_no_file_is_named(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(cli.TOKEN_VARIABLE, f" {TOKEN} ")
        assert cli._read_token(None) == TOKEN
        monkeypatch.delenv(cli.TOKEN_VARIABLE)
        assert cli._read_token(None) is None
        assert run("--state-dir", tmp_path, "--export-openapi", "-", **{cli.TOKEN_VARIABLE: "short"}).exit_code == 2

    @pytest.mark.parametrize("mode", [0o640, 0o604, 0o601])
    def test_file_that_others_may_read_is_refused(self, tmp_path: Path, mode: int) -> None:
        file = tmp_path / "token"
        file.write_text(TOKEN)
        file.chmod(mode)
        done = run("--token-file", file)
        assert done.exit_code == 2
        assert done.stderr == f"tool: others may read the token file {file}; run chmod 600 on it.\n"

    def test_file_that_cannot_be_read_is_named(self, tmp_path: Path) -> None:
        done = run("--token-file", tmp_path / "missing")
        assert done.exit_code == 2
        assert done.stderr.startswith(f"tool: the token file {tmp_path}/missing cannot be read: ")


class TestListening:
    def test_port_is_taken(self, tmp_path: Path) -> None:
        with cli._bind(Settings(tmp_path, port=0)) as bound:
            host, port = cli._shown(bound)
            assert host == "127.0.0.1"
            with socket.create_connection((host, port), 10):
                pass
            with pytest.raises(StartError) as refused:
                cli._bind(Settings(tmp_path, port=port))
            assert str(refused.value) == f"cannot listen on 127.0.0.1:{port}: Address already in use."

    def test_address_of_version_6_is_shown_in_brackets(self, tmp_path: Path) -> None:
        try:
            bound = cli._bind(Settings(tmp_path, host="::1", port=0))
        except StartError:
            pytest.skip("this machine has no IPv6")
        with bound:
            assert cli._shown(bound)[0] == "[::1]"

    def test_unix_socket_without_a_group_has_that_of_its_folder(self, tmp_path: Path) -> None:
        path = tmp_path / "new" / "api.sock"
        with cli._bind(Settings(tmp_path, socket=path)):
            assert (path.parent.stat().st_gid, path.stat().st_gid) == (tmp_path.stat().st_gid, tmp_path.stat().st_gid)
            assert stat.S_IMODE(path.stat().st_mode) == 0o660

    def test_unix_socket_is_its_users_and_groups(self, tmp_path: Path) -> None:
        path = tmp_path / "new" / "api.sock"
        grp = pytest.importorskip("grp")
        group = grp.getgrgid(os.getegid()).gr_name
        before = os.umask(0o022)
        try:
            for _ in range(2):  # the second one takes the place of what the first has left
                with cli._bind(Settings(tmp_path, socket=path, socket_group=group)):
                    found = path.stat()
                    assert (stat.S_IMODE(found.st_mode), found.st_gid) == (0o660, os.getegid())
                    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o750
                    with socket.socket(socket.AF_UNIX) as client:
                        client.connect(str(path))
            assert os.umask(0o022) == 0o022
        finally:
            os.umask(before)
        path.unlink()
        path.write_text("a file of mine")
        with pytest.raises(StartError) as refused:
            cli._bind(Settings(tmp_path, socket=path))
        assert str(refused.value) == f"cannot listen on {path}: Address already in use."
        assert path.read_text() == "a file of mine"
        with pytest.raises(StartError, match=r'^there is no group "nobody-at-all"\.$'):
            cli._bind(Settings(tmp_path, socket=tmp_path / "x", socket_group="nobody-at-all"))

    def test_unix_socket_that_a_program_listens_on_is_left_to_it(self, tmp_path: Path) -> None:
        path = tmp_path / "api.sock"
        with cli._bind(Settings(tmp_path, socket=path)) as listening:
            made = path.stat().st_ino
            with pytest.raises(StartError) as refused:
                cli._bind(Settings(tmp_path / "other", socket=path))
            assert str(refused.value) == f"cannot listen on {path}: Address already in use."
            assert path.stat().st_ino == made
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(path))
            listening.listen(0)
            waiting = [socket.socket(socket.AF_UNIX) for _ in range(4)]
            for client in waiting:
                client.setblocking(False)
                client.connect_ex(str(path))
            with pytest.raises(StartError):  # it has no room for one more
                cli._bind(Settings(tmp_path / "other", socket=path))
            for client in waiting:
                client.close()


class TestClients:
    @pytest.fixture(autouse=True)
    def _home(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Path, "home", lambda: tmp_path)

    def clients(self, tmp_path: Path) -> set[str]:
        store = Store(tmp_path / "state")
        found = set(store.clients())
        store.close()
        return found

    @pytest.mark.parametrize("name", ["cursor", "Cursor"])
    def test_client_is_registered_and_forgotten(self, tmp_path: Path, name: str) -> None:
        file = tmp_path / ".cursor" / "mcp.json"
        done = run("--state-dir", tmp_path / "state", "clients", "register", name)
        assert (done.exit_code, done.stdout) == (0, "Cursor is registered.\n")
        assert done.stderr == f"Its file {file} does not exist; start Cursor once, and register it again.\n"
        assert self.clients(tmp_path) == {"Cursor"}
        file.parent.mkdir()
        file.write_text("{}")
        done = run("--state-dir", tmp_path / "state", "clients", "register", name)
        assert (done.exit_code, done.stdout, done.stderr) == (0, "Cursor is registered.\n", "")
        done = run("--state-dir", tmp_path / "state", "clients", "remove", name)
        assert (done.exit_code, done.stdout) == (0, "Cursor is no longer registered.\n")
        assert self.clients(tmp_path) == set()
        done = run("--state-dir", tmp_path / "state", "clients", "remove", name)
        assert (done.exit_code, done.stderr) == (2, "tool: Cursor is not registered.\n")

    def test_removal_makes_no_state(self, tmp_path: Path) -> None:
        done = run("--state-dir", tmp_path / "state", "clients", "remove", "cursor")
        assert done.exit_code == 2
        assert not (tmp_path / "state").exists()


@pytest.mark.costly
def test_document_is_written(tmp_path: Path) -> None:
    file = tmp_path / "openapi.json"
    done = run("--state-dir", tmp_path / "state", "--export-openapi", file)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    written = file.read_text()
    assert written.endswith("}\n")
    assert json.loads(written)["openapi"] == "3.1.0"
    assert run("--state-dir", tmp_path / "state", "--export-openapi", "-").stdout == written
    assert not (tmp_path / "state").exists()


def test_state_folder_is_used_by_one_api(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "state"
    with claim(folder):
        assert stat.S_IMODE((folder / "api.lock").stat().st_mode) == 0o600
        with pytest.raises(StartError) as refused, claim(folder):
            pass
        assert str(refused.value) == (
            f"another tool API uses the state folder {folder}; stop it, or choose another one with --state-dir."
        )
    with claim(folder):
        pass
