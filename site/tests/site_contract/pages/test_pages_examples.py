"""What the pages send to the two APIs is answered as the pages say."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from click.testing import CliRunner

from apis.tests.contract.gateway.gateway import Gateway, run_gateway, settings_for
from apis.tests.contract.gateway.providers import FakeProvider, run_provider
from apis.tests.contract.tool.serving import ToolServer, tool_server
from gateway_api.demo.load import load_demo
from octavo_sandbox.cli import main
from site_contract.pages.examples import Example, name, page_examples, pages_with_examples
from site_text.calls import Call
from site_text.counting import Count
from site_text.texts import FENCE, SITE, fences, sources

EXEMPT_PAGES = {"docs/toolhive/tutorials/toolhive-operator.mdx": "its port 8080 is forwarded from a cluster"}
EXEMPT_ADDRESSES = {
    "127.0.0.1:34127": "a proxy of the released program; ours has no path for its health",
    "github.com": "the files of a release",
}
"""What needs the released programs, a cluster or another host is not sent."""

PAGES = [path for path in pages_with_examples() if name(path) not in EXEMPT_PAGES]
FEWEST_SENT = 18
DEMO_MODELS = ["gpt-4o", "gpt-4o-mini"]


@pytest.fixture(scope="module")
def provider() -> Iterator[FakeProvider]:
    with run_provider() as running:
        running.models = DEMO_MODELS
        yield running


@pytest.fixture
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    """The gateway as `octavo-sandbox gateway --demo` starts it."""
    with run_gateway(settings_for(tmp_path_factory.mktemp("gateway"))) as running:
        load_demo(running.database)
        yield running


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolServer]:
    with tool_server(tmp_path_factory.mktemp("state")) as running:
        yield running


@pytest.fixture(scope="module")
def tool_on_socket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("socket")
    with tool_server(folder / "state", "--socket", str(folder / "thv.sock")):
        yield folder / "thv.sock"


def is_exempt(example: Example) -> bool:
    return urlsplit(example.call.url).netloc in EXEMPT_ADDRESSES


def sent(path: Path) -> list[Example]:
    return [example for example in page_examples(path) if not is_exempt(example)]


def test_pages_have_requests_to_send() -> None:
    assert sum(len(sent(path)) for path in PAGES) >= FEWEST_SENT


def test_exemptions_are_needed() -> None:
    """An exemption that nothing needs any more would hide the next mistake."""
    examples = [example for path in pages_with_examples() for example in page_examples(path)]
    hosts = {urlsplit(example.call.url).netloc for example in examples}
    assert set(EXEMPT_ADDRESSES) <= hosts
    assert set(EXEMPT_PAGES) <= {name(path) for path in pages_with_examples()}


@pytest.mark.parametrize("path", [path for path in PAGES if sent(path)], ids=name)
def test_requests_of_a_page_are_answered_as_it_says(
    path: Path, gateway: Gateway, tool: ToolServer, tool_on_socket: Path, provider: FakeProvider, count: Count
) -> None:
    """One page after the other, in the page's order: later requests build on earlier ones."""
    addresses = {8989: gateway.address, 8080: tool.address, None: "http://localhost"}
    wrong = []
    for example in sent(path):
        parts = urlsplit(example.call.url)
        request = httpx.Request(
            example.call.method,
            addresses[parts.port] + parts.path + (f"?{parts.query}" if parts.query else ""),
            content=body(example.call, provider),
            headers={"content-type": "application/json"} if example.call.body else {},
        )
        uds = str(tool_on_socket) if example.socket else None
        with httpx.Client(transport=httpx.HTTPTransport(uds=uds), trust_env=False, timeout=30) as client:
            response = client.send(request)
        count("requests sent", 1)
        if problem := difference(example, response):
            wrong.append(f"{example.call.place}: {example.call.method} {example.call.url}: {problem}")
    assert wrong == []


def body(call: Call, provider: FakeProvider) -> bytes | None:
    """What is sent; a hosted provider is asked for on this machine, its key is not looked at."""
    if call.body is None:
        return None
    value = json.loads(call.body)
    if isinstance(value, dict) and "provider_type" in value:
        value["endpoint"] = provider.url("open")
    return json.dumps(value).encode()


def difference(example: Example, response: httpx.Response) -> str:
    """Say how an answer differs from what the page shows; nothing when it does not."""
    if example.status and response.status_code != example.status:
        return f"the page says status {example.status}, the answer has {response.status_code}: {response.text[:200]}"
    if not response.is_success:
        return f"status {response.status_code}: {response.text[:200]}"
    if example.shown is None:
        return ""
    if head := re.match(r"HTTP/1\.1 (\d{3})", example.shown):
        return "" if response.status_code == int(head[1]) else f"the page shows {head[0]}, not {response.status_code}"
    shown, answered = json.loads(example.shown), response.json()
    return "" if agree(shown, answered) else f"the page shows {shown}, the answer is {answered}"


def agree(shown: Any, answered: Any) -> bool:
    """Compare keys, kinds and texts; numbers, and what the page cuts with "…", differ from machine to machine."""
    if isinstance(shown, dict):
        is_same = isinstance(answered, dict) and set(shown) == set(answered)
        return is_same and all(agree(value, answered[key]) for key, value in shown.items())
    if isinstance(shown, list):
        is_same = isinstance(answered, list) and len(shown) == len(answered)
        return is_same and all(map(agree, shown, answered))
    return type(shown) is type(answered) and (not isinstance(shown, str) or shown in ("…", answered))


@pytest.mark.parametrize(
    ("status", "shown"),
    [(201, None), (None, '{"status": "ill"}'), (None, '{"state": "healthy"}'), (None, "HTTP/1.1 204 No Content\n…\n")],
)
def test_differing_answer_is_noticed(gateway: Gateway, status: int | None, shown: str | None) -> None:
    example = Example(Call("GET", "", None, "page:1"), None, status, shown)
    assert difference(example, gateway.http.get("/health"))
    assert not difference(Example(example.call, shown='{"status":"healthy"}'), gateway.http.get("/health"))


def test_shown_record_can_be_imported(gateway: Gateway, tmp_path: Path) -> None:
    from gateway_api.importing import import_file

    shown = [
        fence.code
        for path in sources()
        for fence in fences(path)
        if fence.language == "json" and '"messages"' in fence.code and '"workspace"' in fence.code
    ]
    assert shown
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join(json.dumps(json.loads(record)) for record in shown), encoding="utf-8")
    assert import_file(file, gateway.settings) == len(shown)


def test_import_works_as_printed(tmp_path: Path) -> None:
    """The commands of the page, in its order, beside the file that it shows."""
    page = SITE / "docs" / "codegate" / "sandbox" / "index.mdx"
    text = page.read_text(encoding="utf-8").partition("## Import records\n")[2].partition("\n## ")[0]
    blocks = list(FENCE.finditer(text))
    records = next(block["code"] for block in blocks if 'title="records.jsonl"' in block["info"])
    (tmp_path / "records.jsonl").write_text(records, encoding="utf-8")
    commands = (shlex.split(block["code"]) for block in blocks if "octavo-sandbox" in block["code"])
    start, load, follow = commands
    program = str(Path(sys.executable).with_name("octavo-sandbox"))
    env = {**os.environ, "GATEWAY_DATA_DIR": str(tmp_path)}
    with subprocess.Popen(
        [program, *start[1:], "--port", "0"], cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as server:
        assert server.stdout is not None
        assert b"http://" in server.stdout.readline()
        done, followed = (
            subprocess.run([program, *command[1:]], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
            for command in (load, [*follow, "--once"])
        )
        server.terminate()
    assert done.returncode == 0, done.stderr
    assert "Imported 1 conversation." in done.stdout
    assert "Recorded 1 conversation." in followed.stderr


def test_maintenance_works_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of the section, in its order, on a database with the demo data."""
    text = (SITE / "docs" / "codegate" / "sandbox" / "index.mdx").read_text(encoding="utf-8")
    section = text.partition("{#maintenance}\n")[2].partition("\n## ")[0]
    shown = [shlex.split(block["code"]) for block in FENCE.finditer(section)]
    assert {word for words in shown for word in words} >= {"backup", "export", "import", "prune", "vacuum"}
    with run_gateway(settings_for(tmp_path / "state", f"sqlite:///{tmp_path / 'demo.db'}")) as gateway:
        load_demo(gateway.database)
    monkeypatch.chdir(tmp_path)
    env = {"GATEWAY_DATA_DIR": str(tmp_path / "state"), "GATEWAY_PASSPHRASE": "correct horse battery"}
    for words in shown:
        done = CliRunner().invoke(main, words[1:], env=env)
        assert done.exit_code == 0, f"{words}: {done.output}"
    assert (tmp_path / "new.sqlite").is_file()
