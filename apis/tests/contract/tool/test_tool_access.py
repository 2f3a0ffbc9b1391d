"""Who may call the API: a token, a group's socket; and what registration writes into clients' files."""

from __future__ import annotations

import grp
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from apis.tests.contract.tool.serving import ToolServer, tool_server, wait_for
from tool_api.cli import tool

V1 = "/api/v1beta/servers"
TOKEN = "corner-lantern-41-brass"


def token_file(folder: Path, text: str = TOKEN, mode: int = 0o600) -> Path:
    file = folder / "token"
    file.write_text(f"{text}\n")
    file.chmod(mode)
    return file


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolServer]:
    folder = tmp_path_factory.mktemp("guarded")
    with tool_server(folder / "state", "--token-file", str(token_file(folder))) as server:
        yield server


@pytest.mark.parametrize("sent", ["", "Bearer", f"Bearer {TOKEN}x", TOKEN, f"Basic {TOKEN}", f"bearer\t{TOKEN}"])
def test_call_without_the_token_is_refused(guarded: ToolServer, sent: str) -> None:
    for path in (V1, "/metrics", "/api/openapi.json", "/nowhere"):
        answer = guarded.client.get(path, headers={"authorization": sent} if sent else {})
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
    assert TOKEN not in guarded.log


def test_call_with_the_token_is_answered(guarded: ToolServer) -> None:
    headers = {"authorization": f"Bearer {TOKEN}"}
    assert guarded.client.get(V1, headers=headers).json() == {"servers": []}
    assert guarded.client.get("/health").status_code == 204


def test_page_may_ask_whether_it_may_send_the_token(guarded: ToolServer) -> None:
    asked = {"origin": "http://localhost:3000", "access-control-request-method": "GET"}
    answer = guarded.client.options(V1, headers=asked | {"access-control-request-headers": "authorization"})
    assert answer.status_code == 200
    assert "authorization" in answer.headers["access-control-allow-headers"].lower()


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [("short", 0o600, "has no token: 16 or more"), (TOKEN, 0o644, "others may read the token file")],
)
def test_token_that_protects_nothing_stops_the_start(tmp_path: Path, text: str, mode: int, said: str) -> None:
    file = token_file(tmp_path, text, mode)
    done = CliRunner().invoke(tool, ["--token-file", str(file)])
    assert done.exit_code == 2
    assert said in done.stderr
    assert text not in done.stderr.replace(str(tmp_path), "")


def test_socket_belongs_to_its_group(tmp_path: Path) -> None:
    group = grp.getgrgid(os.getegid()).gr_name
    path = tmp_path / "run" / "tool.sock"
    with tool_server(tmp_path / "state", "--socket", str(path), "--socket-group", group):
        wait_for(path.is_socket)
        found = path.stat()
        assert (stat.S_IMODE(found.st_mode), found.st_gid) == (0o660, os.getegid())
        with httpx.Client(transport=httpx.HTTPTransport(uds=str(path)), base_url="http://localhost") as client:
            assert client.get("/health").status_code == 204
            # Started once more by mistake, it takes nothing from the first one.
            again = ["--state-dir", str(tmp_path / "state"), "--runtime", "simulated", "--socket", str(path)]
            done = CliRunner().invoke(tool, again)
            assert (done.exit_code, done.stderr) == (2, f"tool: cannot listen on {path}: Address already in use.\n")
        with httpx.Client(transport=httpx.HTTPTransport(uds=str(path)), base_url="http://localhost") as client:
            assert client.get("/health").status_code == 204
    assert not path.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--socket-group", "root"], "--socket-group needs --socket"),
        (["--socket", "{}/s", "--socket-group", "no-such-group"], 'there is no group "no-such-group"'),
        (["--port", "1", "clients", "register", "cursor"], "--port is an option of the server"),
        (["--kube-namespace", "tools"], "--kube-context and --kube-namespace need --runtime kubernetes"),
    ],
)
def test_options_that_have_no_effect_are_refused(tmp_path: Path, arguments: list[str], said: str) -> None:
    given = [argument.format(tmp_path) for argument in arguments]
    done = CliRunner().invoke(tool, ["--state-dir", str(tmp_path), "--runtime", "simulated", *given])
    assert done.exit_code == 2
    assert said in done.stderr


def test_runtime_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tool_api", "--port", "0", "--state-dir", str(tmp_path), "--runtime", "kubernetes"]
    environment = os.environ | {"KUBECONFIG": "/nowhere/config"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("tool: no cluster is configured: ")


def test_removing_a_client_makes_no_state(tmp_path: Path) -> None:
    state = tmp_path / "typo"
    done = CliRunner().invoke(tool, ["--state-dir", str(state), "clients", "remove", "cursor"])
    assert (done.exit_code, state.exists()) == (2, False)
    assert f'there is no state of an API in "{state}"; name its folder with --state-dir' in done.stderr


def test_registered_client_follows_the_servers(tmp_path: Path) -> None:
    home, state = tmp_path / "home", tmp_path / "state"
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir(parents=True)
    before = '{\n  "mcpServers": {\n    "own": {"url": "x"} // mine\n  }\n}\n'
    file.write_text(before)
    with tool_server(state, env={"HOME": str(home)}) as server:
        first = server.client.post(V1, json={"name": "first", "image": "example.com/a"}).json()["port"]
        assert file.read_text() == before
        assert clients(state, home, "register") == "Cursor is registered.\n"
        assert urls(file) == {"own": "x", "first": f"http://127.0.0.1:{first}/sse#first"}
        server.client.post(V1, json={"name": "second", "image": "example.com/b"})
        assert sorted(urls(file)) == ["first", "own", "second"]
        server.client.post(f"{V1}/first/stop")
        assert sorted(urls(file)) == ["own", "second"]
        server.client.post(f"{V1}/first/restart")
        assert urls(file)["first"] == f"http://127.0.0.1:{first}/sse#first"
        server.client.delete(f"{V1}/second")
        assert sorted(urls(file)) == ["first", "own"]
        assert clients(state, home, "remove") == "Cursor is no longer registered.\n"
        assert file.read_text() == before


def clients(state: Path, home: Path, action: str) -> str:
    done = CliRunner().invoke(
        tool, ["--state-dir", str(state), "clients", action, "cursor"], env={"HOME": str(home)}, catch_exceptions=False
    )
    assert done.exit_code == 0, done.stderr
    return done.stdout


def urls(file: Path) -> dict[str, str]:
    text = file.read_text().replace("// mine", "")
    return {name: entry["url"] for name, entry in json.loads(text)["mcpServers"].items()}


def test_registry_entry_gives_its_defaults(tmp_path: Path) -> None:
    with tool_server(tmp_path) as server:
        image = "ghcr.io/stackloklabs/osv-mcp/server:latest"
        assert server.client.post(V1, json={"name": "osv", "image": image}).status_code == 201
        found = server.client.get(f"{V1}/osv").json()
        assert found["labels"]["toolhive-transport"] == "sse"
        assert found["ports"][0]["containerPort"] == 8080
        refused = server.client.post(V1, json={"name": "hub", "image": "ghcr.io/github/github-mcp-server"})
        assert refused.status_code == 400
        assert "needs GITHUB_PERSONAL_ACCESS_TOKEN" in refused.text
