"""Each page that the specification lists says what a reader comes to it for; commands show all that they take."""

from __future__ import annotations

import re
from html import unescape

import pytest

from octavo.reference.command_line import Command, read_commands
from site_contract.shipped.conftest import SITE, Published

SUBJECTS = {
    "/codegate/": "CodeGate | secrets | privacy | workspace | muxing | dashboard",
    "/codegate/about/": "Stacklok | open source | Apache | GitHub",
    "/codegate/about/changelog": "Changelog | v0.1.32 | January 2025 | May 2025",
    "/codegate/about/contributing": "Contributing | GitHub | pull request | vulnerability",
    "/codegate/about/faq": "Frequently asked questions | Docker | privacy | model",
    "/codegate/development/": "Developer reference | Python | Poetry | 8989 | environment",
    "/codegate/features/": "secrets | package | workspaces | muxing | reviews",
    "/codegate/features/dependency-risk": "malicious | deprecated | archived | Stacklok Insight",
    "/codegate/features/muxing": "muxing | rule | provider | file | model | /v1/mux",
    "/codegate/features/secrets-redaction": "secret | REDACTED | email | personal data | alert",
    "/codegate/features/security-reviews": "security | review | instructions | workspace",
    "/codegate/features/workspaces": "workspace list | workspace add | workspace activate | custom instructions | archive",
    "/codegate/how-to/": "install | settings | dashboard | docker",
    "/codegate/how-to/configure": "CODEGATE_ | docker run | restart | volume | database",
    "/codegate/how-to/dashboard": "http://localhost:9090 | alert | token | workspace",
    "/codegate/how-to/install": "docker run | ghcr.io/stacklok/codegate | 8989 | 9090 | 8990 | codegate_volume",
    "/codegate/how-to/troubleshooting": "docker logs codegate | certificate | Ollama",
    "/codegate/integrations/": "aider | avante.nvim | Cline | Continue | GitHub Copilot | Claude Coder | Open Interpreter",
    "/codegate/integrations/aider": "aider | 8989 | OPENAI_API_BASE | OLLAMA_API_BASE | --model",
    "/codegate/integrations/avante": "avante.nvim | Neovim | 8989 | endpoint",
    "/codegate/integrations/cline": "Cline | VS Code | Base URL | 8989",
    "/codegate/integrations/continue": "Continue | apiBase | 8989 | config",
    "/codegate/integrations/copilot": "GitHub Copilot | certificate | http.proxy | 8990",
    "/codegate/integrations/kodu": "Claude Coder | Kodu | 8989",
    "/codegate/integrations/open-interpreter": "interpreter | --api_base | 8989",
    "/codegate/quickstart": "docker run | GitHub Copilot | certificate | settings | CodeGate",
    "/codegate/quickstart-continue": "Continue | Ollama | docker run | ollama pull",
    "/theme-preview": "Admonitions | Details | Code | Tabs | Table",
    "/toolhive/": "ToolHive | MCP | container | registry | Kubernetes | thv",
    "/toolhive/quickstart": "thv config auto-discovery | thv run fetch | thv list | thv stop",
    "/toolhive/concepts/mcp-primer": "Model Context Protocol | host | client | server | tools | JSON-RPC | stdio | SSE",
    "/toolhive/concepts/registry-criteria": "open source | license | provenance | maintain | security",
    "/toolhive/how-to/": "thv run | thv list | thv search | thv secret | thv config",
    "/toolhive/how-to/api-server": "thv serve | 8080 | /api/v1beta | curl",
    "/toolhive/how-to/client-configuration": "auto-discovery | register-client | Cursor | VS Code | Claude Code",
    "/toolhive/how-to/custom-permissions": "--permission-profile | network | read | write | outbound | allow_host",
    "/toolhive/how-to/install": "Homebrew | thv version | Docker | Podman | macOS | Linux",
    "/toolhive/how-to/manage-mcp-servers": "thv list | thv logs | thv stop | thv restart | thv rm",
    "/toolhive/how-to/registry": "thv search | thv registry info | thv registry list | set-registry-url",
    "/toolhive/how-to/run-mcp-servers": "thv run | --transport | uvx:// | npx:// | --secret | --port",
    "/toolhive/how-to/secrets-management": "thv secret set | thv secret provider | encrypted | 1password | --secret | TOOLHIVE_SECRETS_PASSWORD",
    "/toolhive/kubernetes/intro": "operator | MCPServer | StatefulSet | Service | namespace",
    "/toolhive/kubernetes/deploy-operator-helm": "helm upgrade | toolhive-operator-crds | toolhive-operator | toolhive-system",
    "/toolhive/kubernetes/run-mcp-k8s": "kind: MCPServer | image | transport | kubectl apply | podTemplateSpec | secrets",
    "/toolhive/tutorials/toolhive-operator": "kind create cluster | helm | kubectl | MCPServer | port-forward",
    "/toolhive/reference/client-compatibility": "Copilot | Cursor | Cline | Roo Code | Claude Code | .json",
}
"""Route → words of its article without which a reader would not find there what its name promises."""


def article(site: Published, route: str) -> str:
    """Give the text of a page's main part, in one line, without the meanings of terms that open beside them."""
    shown = site.get(route).text.partition("<main")[2].partition("</main>")[0]
    shown = re.sub(r'<span popover class="term-meaning".*?</span>', "", shown, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", shown)))


@pytest.mark.parametrize("route", SUBJECTS)
def test_page_is_about_what_its_route_promises(site: Published, route: str) -> None:
    text = article(site, route).lower()
    assert [word for word in SUBJECTS[route].split(" | ") if word.lower() not in text] == []


def commands() -> list[Command]:
    entries, _ = read_commands([("thv.yaml", (SITE / "commands" / "thv.yaml").read_text(encoding="utf-8"))])
    return [entry.command for entry in entries]


@pytest.mark.parametrize("command", commands(), ids=lambda command: f"/toolhive/reference/cli/{command.file_name}")
def test_page_of_a_command_shows_all_that_the_command_takes(site: Published, command: Command) -> None:
    text = article(site, f"/toolhive/reference/cli/{command.file_name}")
    options = [f"--{option.name}" for option in (*command.options, *command.inherited_options)]
    below = [other.name for other in commands() if other.name.rpartition(" ")[0] == command.name]
    wanted = [command.name, command.usage, *options, *(argument.name for argument in command.arguments), *below]
    assert [part for part in wanted if re.sub(r"\s+", " ", part) not in text] == []
    explained = [_plain(option.usage).split(". ")[0].rstrip(".") for option in command.options]
    assert [usage for usage in explained if usage not in _plain(text)] == []


def _plain(text: str) -> str:
    """Leave out the marks of Markdown and the addresses of links."""
    return re.sub(r"[`*\[\]]|\]\([^)]*\)", "", text)
