"""What the pages claim of the released programs: resources that a cluster takes, checks that succeed, no foreign feats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from openapi_schema_validator import OAS31Validator

from site_text.texts import FENCE, FRONT_MATTER, SITE, Fence, fences, sources
from tests.support.each import each

DOCS = SITE / "docs"
SPEC = yaml.safe_load(Path(__file__).with_name("mcpserver_schema.yaml").read_text(encoding="utf-8"))
CLUSTER = ("docs/toolhive/kubernetes/", "docs/toolhive/tutorials/")
SANDBOX = ("docs/codegate/sandbox/", "docs/toolhive/sandbox/")
ONLY_IN_THE_SANDBOX = re.compile(
    r"octavo-sandbox|HTTPS?_PROXY|iptables|packet filter|egress proxy|--cors-origin|--allowed-host|GATEWAY_[A-Z]+"
    r"|TOOLHIVE_SECRET_|\bsimulat|\b(?:413|421)\b|\*\.example\.com",
    re.IGNORECASE,
)
"""What only the servers of this repository do or have."""
SAYS_WHERE = re.compile(r"sandbox server|sandbox/index\.mdx", re.IGNORECASE)
SHOWS_REPLIES = {"codegate/quickstart.mdx", "codegate/integrations/copilot.mdx"}
"""Guides to the only assistant that shows the replies to chat commands in the described version."""
RELEASED = {"gateway": {200, 201, 204, 400, 401, 404, 409, 422}, "tool": {200, 201, 204, 400, 401, 404, 409, 501}}
"""Statuses of the released programs, of CodeGate v0.1.32 and of thv v0.0.42."""
INTRODUCTIONS = {"gateway": "codegate/reference/_api.md", "tool": "toolhive/reference/_api.md"}


def name(path: Path) -> str:
    return path.relative_to(SITE).as_posix()


def resources() -> Iterator[tuple[Fence, dict[str, Any]]]:
    """List the resources of kind MCPServer, and the parts of one, that the pages show."""
    for path in sources():
        for fence in fences(path) if name(path).startswith(CLUSTER) else ():
            for part in yaml.safe_load_all(fence.code) if fence.language == "yaml" else ():
                if isinstance(part, dict) and part.get("kind", "MCPServer") == "MCPServer" and "spec" in part:
                    yield fence, part


RESOURCES = list(resources())


def refusals(part: dict[str, Any]) -> list[str]:
    return [error.message for error in OAS31Validator(SPEC).iter_errors(part["spec"])]


def test_pages_show_resources() -> None:
    assert len(RESOURCES) >= 10
    kinds = {part["spec"]["oidcConfig"]["type"] for _, part in RESOURCES if "oidcConfig" in part["spec"]}
    assert kinds == {"kubernetes", "configmap", "inline"}


@pytest.mark.parametrize(("fence", "part"), RESOURCES, ids=lambda value: getattr(value, "place", ""))
def test_resource_is_one_that_the_cluster_takes(fence: Fence, part: dict[str, Any]) -> None:
    assert refusals(part) == [], fence.place


@pytest.mark.parametrize(
    "spec",
    [
        {"oidcConfig": {"type": "configMap", "configMap": {"name": "a"}}},
        {"oidcConfig": {"type": "inline", "issuer": "https://a.example.com"}},
        {"permissionProfile": {"type": "builtin", "name": "all"}},
        {"transport": "http"},
        {"secrets": [{"name": "a", "token": "b"}]},
    ],
)
def test_refused_resource_is_noticed(spec: dict[str, Any]) -> None:
    assert refusals({"spec": spec})


@each("path", [path for path in sources() if DOCS in path.parents], ids=name)
def test_success_check_is_one_that_succeeds(path: Path) -> None:
    """Only Copilot shows the reply to a chat command in v0.1.32, so no other guide sends one as a check."""
    if path.relative_to(DOCS).as_posix() not in SHOWS_REPLIES:
        sent = [fence.code.strip() for fence in fences(path) if fence.language == "text"]
        assert "codegate version" not in sent
        prose = FENCE.sub("", path.read_text(encoding="utf-8"))
        assert not re.search(r"\bsend `codegate version`", prose)


@each("path", sources(), ids=name)
def test_feats_of_the_sandbox_servers_are_told_as_theirs(path: Path) -> None:
    """Outside of their own pages, each paragraph or row with one of their features says whose it is."""
    if name(path).startswith((*SANDBOX, "docs/theme-preview")):
        return
    text = FENCE.sub(lambda match: match["code"], FRONT_MATTER.sub("", path.read_text(encoding="utf-8")))
    parts = re.split(r"\n\s*\n", text)
    assert [part for part in parts if ONLY_IN_THE_SANDBOX.search(part) and not SAYS_WHERE.search(part)] == []


@pytest.mark.parametrize("api", sorted(INTRODUCTIONS))
def test_statuses_of_the_sandbox_server_are_marked_in_the_reference(api: str) -> None:
    [spec] = SITE.glob(f"openapi/{api}.*")
    document = yaml.safe_load(spec.read_text(encoding="utf-8"))
    found = {
        int(status)
        for item in document["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict)
        for status in operation.get("responses", {})
        if status.isdigit()
    }
    introduction = (DOCS / INTRODUCTIONS[api]).read_text(encoding="utf-8")
    marked = next(part for part in introduction.split("\n\n") if part.startswith("**Sandbox server:**"))
    assert {status for status in found - RELEASED[api] if str(status) not in marked} == set()
