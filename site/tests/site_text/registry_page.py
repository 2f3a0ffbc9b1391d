"""The reference page of the registry's servers, made from the registry that the sandbox server ships.

`python -m site_text.registry_page` writes it anew; a test compares the page with the data.
"""

from __future__ import annotations

import json
from typing import Any

from site_text.texts import SITE

REGISTRY = SITE.parent / "apis" / "src" / "tool_api" / "registry.json"
PAGE = SITE / "docs" / "toolhive" / "reference" / "registry-servers.mdx"
LONGEST_LINE = 90
FEW_TOOLS = 4
"""Tools of a server in the overview; its section lists all."""
HEAD = """---
title: Servers in the registry
sidebar_label: Registry servers
sidebar_position: 25
description: Each server in ToolHive's registry with the command that runs it, its tools, variables, secrets, network access, and image.
---

{/* Made by site_text/registry_page.py; change it there. */}

<ToolHiveVersion />

This reference lists NUMBER of the 31 servers in ToolHive's [registry](../how-to/registry.mdx) as of 5 June 2025. For each
server it shows the command that runs it, what it needs, and its tools. "Mounts" are folders of your machine that the entry shares with the
server, and "Arguments" come before those that you add after `--`.

"Network" lists the hosts that an entry names. `thv` v0.0.42 switches the network on for such an entry and does not filter
by host; see [Permission profiles](../how-to/custom-permissions.mdx). Store each secret with
[`thv secret set NAME`](./cli/thv_secret_set.md) before you run the command. Replace other words in capitals with your
values.

"""
OVERVIEW = """## All servers {#overview}

The field above the table filters it by the words that you type, such as `database` or `github.com`. To find a tool, search the
site for its name.

<div className="filter-rows">

| Server | What it does | Secrets | Network | Tools |
| --- | --- | --- | --- | --- |
ROWS
</div>

"""
TAIL = """## What to read next

- [Find servers in the registry](../how-to/registry.mdx): search the registry and read an entry.
- [Run MCP servers](../how-to/run-mcp-servers.mdx): all options of [`thv run`](./cli/thv_run.md).
- [Registry criteria](../concepts/registry-criteria.mdx): what an entry means.
"""


def servers() -> dict[str, dict[str, Any]]:
    """Read the registry: name → entry."""
    found: dict[str, dict[str, Any]] = json.loads(REGISTRY.read_bytes())["servers"]
    return found


def command(name: str, entry: dict[str, Any]) -> str:
    """Make the command that runs a server with what it requires."""
    words = ["thv run"]
    for variable in entry["env_vars"]:
        if variable["required"] and variable.get("secret"):
            words.append(f"--secret {variable['name'].lower().replace('_', '-')},target={variable['name']}")
        elif variable["required"]:
            words.append(f"-e {variable['name']}=VALUE")
    words += ["-v FOLDER:/projects"] if name == "filesystem" else []
    line = " ".join([*words, name])
    return line if len(line) <= LONGEST_LINE else " \\\n  ".join([*words, name])


def network(entry: dict[str, Any]) -> str:
    """Say in a few words what the entry lets a server reach."""
    outbound = (entry["permissions"].get("network") or {}).get("outbound") or {}
    hosts = [f"`{host}`" for host in outbound.get("allow_host", [])]
    ports = [str(port) for port in outbound.get("allow_port", [])]
    if outbound.get("insecure_allow_all"):
        return "any host"
    return f"{', '.join(hosts) or 'any host'}{', port ' + ' or '.join(ports) if ports else ''}"


def rows(entry: dict[str, Any]) -> list[tuple[str, str]]:
    """List what a reader looks up: label and value."""
    required = [f"`{item['name']}`" for item in entry["env_vars"] if item["required"]]
    optional = [f"`{item['name']}`" for item in entry["env_vars"] if not item["required"]]
    repository = entry.get("repository_url")
    mounts = sorted({*entry["permissions"].get("read", []), *entry["permissions"].get("write", [])})
    return [
        ("Image", f"`{entry['image']}`" + (f", [source]({repository})" if repository else "")),
        ("Transport", f"`{entry['transport']}`"),
        ("Required variables", ", ".join(required) or "none"),
        *([("Optional variables", ", ".join(optional))] if optional else []),
        ("Network", network(entry)),
        *([("Mounts", ", ".join(f"`{path}`" for path in mounts))] if mounts else []),
        *([("Arguments", " ".join(f"<code>{word}</code>" for word in entry["args"]))] if entry["args"] else []),
        ("Provenance", "signed" if entry.get("provenance") else "none"),
        (f"Tools ({len(entry['tools'])})", ", ".join(f"`{tool}`" for tool in entry["tools"])),
    ]


def overview_row(name: str, entry: dict[str, Any]) -> str:
    """Make a server's row of the table that readers filter."""
    secrets = [f"`{item['name']}`" for item in entry["env_vars"] if item["required"] and item.get("secret")]
    tools = ", ".join(f"`{tool}`" for tool in entry["tools"][:FEW_TOOLS])
    more = len(entry["tools"]) - FEW_TOOLS
    tools += f", and {more} more" if more > 0 else ""
    return f"| [{name}](#{name}) | {entry['description']} | {', '.join(secrets) or 'none'} | {network(entry)} | {tools} |\n"


def page() -> str:
    """Make the page."""
    entries = servers()
    rows_of_all = "".join(overview_row(name, entry) for name, entry in sorted(entries.items()))
    parts = [HEAD.replace("NUMBER", str(len(entries))), OVERVIEW.replace("ROWS\n", rows_of_all + "\n")]
    for name, entry in sorted(entries.items()):
        table = "\n".join(f"| {label} | {value} |" for label, value in rows(entry))
        parts.append(
            f"## {name}\n\n{entry['description']}.\n\n```bash\n{command(name, entry)}\n```\n\n"
            f"| Property | Value |\n| --- | --- |\n{table}\n\n"
        )
    return "".join(parts) + TAIL


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
