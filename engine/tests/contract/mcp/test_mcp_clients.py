"""The documentation by the Model Context Protocol, asked by the protocol's official client over HTTP and stdio."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import anyio
import httpx
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from octavo.mcp.problems import ProblemStore
from tests.support.npm import environment, find_program, install_packages
from tests.support.serving import Served, publish_site, serve_folder
from tests.support.sites import HOME, SiteFolder, page

HERE = Path(__file__).parent
TALK_S = 60
T = TypeVar("T")
SETTINGS = """url = "https://docs.example.org"
base_url = "/docs/"
versions = [{name = "2.0", label = "2.0"}, {name = "1.0", label = "1.0", path = "1.0", docs = "old"}]
[[openapi]]
id = "shop"
doc = "api"
spec = "shop.json"
layout = "tags"
[[commands]]
source = "commands"
docs = "cli"
"""
PIECES = {"name": "pieces", "in": "query", "schema": {"type": "integer"}, "description": "Pieces to return."}
SHOP = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1"},
    "tags": [{"name": "Pottery"}],
    "paths": {
        f"/{name}": {
            "get": {
                "tags": ["Pottery"],
                "summary": f"List {name}",
                "description": f"Lists the {name} with their pieces.",
                "parameters": [PIECES],
                "responses": {"200": {"description": "The pieces."}, "404": {"description": "No pieces."}},
            }
        }
        for name in ("bowls", "cups", "mugs")
    },
}
FILES = {
    **HOME,
    "docs/kiln.md": page("Kiln", "How to use it.\n\n## Fire clay\n\nTurn the *amber* wheel.\n\n```sh\n# no heading\n```\n\n### Cool down\n\nWait."),
    "docs/long.md": page("Long", "\n\n".join(f"Line {number} of a long page about pottery." for number in range(1000))),
    "docs/parts.md": page("Parts", "\n\n".join(f"## Part {name}\n\nThe firing temperature of {name}." for name in ("one", "two", "three", "four", "five", "six", "seven"))),
    "docs/guides/glaze.md": page("Glaze", "Mix the cobalt.", description="About glaze."),
    "shop.json": json.dumps(SHOP),
    "commands/fire.yaml": "name: pot fire\nsynopsis: Fire the pieces\nusage: pot fire [flags]\noptions:\n  - {name: heat, type: int, usage: Heat of the oven}\n",
    "commands/dry.yaml": "name: pot dry\nsynopsis: Dry the pieces\nusage: pot dry\n",
    "old/kiln.md": page("Kiln", "How it was.\n\n## Fire clay\n\nTurn the brass crank."),
}  # fmt: skip


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("mcp")
    site = SiteFolder(folder / "site", FILES, SETTINGS)
    publish_site(site.root, folder / "out")
    with serve_folder(folder / "out", folder / "server.log") as found:
        yield found


def talk(address: object, conversation: Callable[[Client], Awaitable[T]]) -> T:
    async def limited() -> T:
        with anyio.fail_after(TALK_S):
            async with Client(address) as client:  # type: ignore[arg-type] # an address or a transport
                return await conversation(client)

    return anyio.run(limited)


async def call(client: Client, tool: str, **arguments: object) -> tuple[bool, str]:
    result = await client.call_tool(tool, arguments)
    return bool(result.is_error), result.content[0].text  # type: ignore[union-attr]


def ask(served: Served, tool: str, **arguments: object) -> tuple[bool, str]:
    return talk(f"{served.origin}/mcp", lambda client: call(client, tool, **arguments))


def test_tools_say_what_they_take(served: Served) -> None:
    listed = talk(served.url("/mcp"), lambda client: client.list_tools()).tools
    assert [tool.name for tool in listed] == [
        "search", "read_page", "list_pages", "find_operation", "find_command", "report_problem",
    ]  # fmt: skip
    assert all(tool.description and tool.input_schema["type"] == "object" for tool in listed)
    assert [tool.annotations.read_only_hint for tool in listed if tool.annotations] == [True] * 5 + [False]


def test_search_names_page_heading_version_and_address(served: Served) -> None:
    failed, text = ask(served, "search", query="amber wheel")
    assert not failed
    assert text.startswith(
        "1. Kiln > Fire clay\nhttps://docs.example.org/docs/kiln#fire-clay (version 2.0)\n\nTurn the *amber* wheel."
    )
    assert "crank" not in text
    _, old = ask(served, "search", query="fire clay", version="1.0")
    assert "(version 1.0)" in old
    assert "brass crank" in old
    assert ask(served, "search", query="amber", version="9") == (
        True,
        'There is no version "9"; there are 2.0, 1.0.',
    )


def test_each_result_of_a_search_is_a_page_with_its_best_sections(served: Served) -> None:
    failed, text = ask(served, "search", query="firing temperature", limit=1)
    assert not failed
    assert re.findall(r"^\d+\. .*", text, re.MULTILINE) == ["1. Parts > Part one"]
    places = [line for line in text.splitlines() if "/docs/parts" in line]
    assert places[0] == "https://docs.example.org/docs/parts#part-one (version 2.0)"
    further = re.findall(
        r"^Also: (Part \w+)\n\S*/docs/parts#(part-\w+)\n\nThe firing temperature of (\w+)\.$", text, re.MULTILINE
    )
    assert further == [("Part two", "part-two", "two"), ("Part three", "part-three", "three")]


def test_search_names_further_sections_of_its_pages_once(served: Served) -> None:
    failed, text = ask(served, "search", query="firing temperature")
    assert not failed
    named = [line for line in text.splitlines() if line.startswith("More on this page: ")]
    (line,) = (line for line in named if "Part" in line)
    assert len(re.findall(r"Part \w+ \(#part-\w+\)", line)) == 4
    given = set(re.findall(r"/parts#(part-\w+)", text))
    assert len(given) == 3
    assert given.isdisjoint(re.findall(r"\(#(part-\w+)\)", line))
    failed, text = ask(served, "read_page", page="/docs/parts", heading=re.findall(r"\(#([^)]+)\)", line)[0])
    assert not failed
    assert "temperature" in text


def test_page_is_read_whole_by_heading_and_in_parts(served: Served) -> None:
    for name in ("/kiln", "kiln.md", "https://docs.example.org/docs/kiln", "/docs/kiln"):
        failed, text = ask(served, "read_page", page=name)
        assert not failed
        assert text == (served.out / "kiln.md").read_text()
    for arguments in ({"page": "/kiln#fire-clay"}, {"page": "/kiln", "heading": "fire clay"}):
        _, section = ask(served, "read_page", **arguments)
        assert section == (
            "https://docs.example.org/docs/kiln#fire-clay (version 2.0)\n\n## Fire clay\n\nTurn the *amber* wheel.\n\n"
            "```sh\n# no heading\n```\n\n### Cool down\n\nWait."
        )
    assert ask(served, "read_page", page="/kiln", heading="none")[1].endswith("It has: Kiln; Fire clay; Cool down")
    whole = (served.out / "long.md").read_text()
    read, offset = "", 0
    while True:
        _, text = ask(served, "read_page", page="/long", offset=offset)
        part, _, more = text.partition("\n\n[")
        read += part
        if not more:
            break
        offset = int(more.removesuffix("]").rpartition(" ")[2])
    assert (read, offset > 0) == (whole, True)


def test_pages_are_listed_and_are_resources(served: Served) -> None:
    _, text = ask(served, "list_pages", below="/guides")
    assert text == "- Glaze (/guides/glaze): About glaze."

    async def read(client: Client) -> tuple[set[str], str]:
        with pytest.raises(MCPError, match="no page"):
            await client.read_resource("octavo:///../etc/passwd")
        resources = (await client.list_resources()).resources
        found = next(one for one in resources if one.name == "Glaze")
        content = (await client.read_resource(found.uri)).contents[0]
        return {one.uri for one in resources}, content.text  # type: ignore[union-attr]

    uris, text = talk(served.url("/mcp"), read)
    assert "octavo:///guides/glaze.md" in uris
    assert text == (served.out / "guides/glaze.md").read_text()


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search", {}, "missing required field `query`"),
        ("search", {"query": "a", "limit": 99}, "$.limit"),
        ("search", {"query": "a", "x": 1}, "unknown field `x`"),
        ("read_page", {"page": "/nowhere"}, 'There is no page "/nowhere". Use list_pages or search'),
        ("read_page", {"page": "http://[kiln"}, 'There is no page "http://[kiln". Use list_pages or search'),
        ("search", {"query": " "}, "Expected a word - at `$.query`."),
        ("list_pages", {"offset": 5000}, " such pages; offset must be smaller."),
        ("delete_page", {"page": "/kiln"}, 'There is no tool "delete_page"'),
        ("find_operation", {"query": "amber"}, "No operation was found."),
        ("find_command", {"query": "amber"}, "No command was found."),
    ],
)
def test_what_cannot_be_answered_says_how_to_ask(
    served: Served, tool: str, arguments: dict[str, object], said: str
) -> None:
    assert said in ask(served, tool, **arguments)[1]


def test_operations_and_commands_are_found_once_and_whole(served: Served) -> None:
    _, text = ask(served, "find_operation", query="pieces", limit=5)
    places = re.findall(r"^https://docs\.example\.org/docs/(\S+)", text, re.MULTILINE)
    assert len(places) == len(set(places)) == 3
    _, one = ask(served, "find_operation", query="list bowls", limit=1)
    title, address, *_ = one.split("\n")
    assert (title.rpartition(" > ")[2], "operation/" in address) == ("List bowls", True)
    assert "`GET /bowls`" in one
    assert "- `pieces` (query, integer, optional): Pieces to return." in one
    assert "404" in one
    _, commands = ask(served, "find_command", query="heat of the oven", limit=5)
    assert commands.split("\n")[0] == "pot fire"
    assert commands.count("https://docs.example.org/docs/cli/pot_fire") == 1
    assert "pot fire [flags]" in commands
    assert "Heat of the oven" in commands


def test_official_typescript_client_is_answered_over_http_and_stdio(served: Served, tmp_path: Path) -> None:
    packages = install_packages(HERE, "the TypeScript client of MCP")
    (tmp_path / "node_modules").symlink_to(packages)
    script = tmp_path / "client.mjs"
    script.write_bytes((HERE / "client.mjs").read_bytes())
    command = [find_program("node"), str(script), f"{served.origin}/mcp", sys.executable, "-m", "octavo", "mcp"]
    done = subprocess.run(
        [*command, str(tmp_path), "--out", str(served.out)],
        env=environment(),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=TALK_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    for way in ("http", "stdio"):
        found = answers[way]
        assert found["server"] == "octavo"
        assert found["instructions"].startswith("The documentation of Site.")
        assert {"search", "read_page", "find_operation"} <= set(found["tools"])
        assert found["found"].startswith(
            "1. Kiln > Fire clay\nhttps://docs.example.org/docs/kiln#fire-clay (version 2.0)"
        )
        assert found["refused"] is True
        assert found["templates"] == ["octavo:///{+path}"]
        assert found["page"]["mimeType"] == "text/markdown"
        assert found["page"]["text"] == (served.out / "guides/glaze.md").read_text()


def test_problems_are_kept_once_for_the_authors(served: Served) -> None:
    given = {"page": "/kiln#fire-clay", "problem": "The wheel is green, not amber."}
    for _ in range(2):
        assert ask(served, "report_problem", **given)[1].startswith("Kept for the authors of Kiln.")
    assert ask(served, "report_problem", page="/nowhere", problem="Nothing is there.")[0]
    [kept] = ProblemStore(served.out.parent / "server.home/.octavo/problems.sqlite").report()
    assert (kept.page, kept.text) == ("/kiln#fire-clay", "The wheel is green, not amber.")


def test_only_posts_of_own_pages_and_programs_are_answered(served: Served) -> None:
    address = f"{served.origin}/mcp"
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepted = {"Accept": "application/json, text/event-stream"}
    assert httpx.post(address, json=body, headers=accepted).status_code == 200
    foreign = httpx.post(address, json=body, headers=accepted | {"Origin": "https://evil.example"})
    assert (foreign.status_code, foreign.text[:39]) == (403, 'Pages of "https://evil.example" may not')
    assert httpx.post(address, json=body, headers=accepted | {"Host": "evil.example"}).status_code == 421
    stream = httpx.get(address, headers={"Accept": "text/event-stream"})
    assert (stream.status_code, stream.headers["allow"]) == (405, "POST")
    assert httpx.get(address, headers={"Accept": "text/html"}).status_code == 404  # a page might have this address
    assert httpx.post(address, content=b"x" * 70_000, headers=accepted).status_code == 413


def test_flood_of_one_network_is_refused(served: Served) -> None:
    with httpx.Client() as client:
        answers = [client.delete(f"{served.origin}/mcp").status_code for _ in range(3)]
        codes = set()
        for _ in range(3000):
            codes.add(client.post(f"{served.origin}/mcp", json={}).status_code)
            if 429 in codes:
                break
    assert answers == [405] * 3
    assert 429 in codes


def test_same_is_served_over_stdio(served: Served, tmp_path: Path) -> None:
    command = ["-m", "octavo", "mcp", str(tmp_path), "--out", str(served.out)]
    transport = stdio_client(StdioServerParameters(command=sys.executable, args=command))
    failed, text = talk(transport, lambda client: call(client, "search", query="cobalt"))
    assert (failed, text.split("\n")[0]) == (False, "1. Glaze")
