"""The documentation for programs that speak the Model Context Protocol: search, pages, operations, commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.lazy import export_lazily

if TYPE_CHECKING:
    from octavo.mcp.endpoint import McpEndpoint, has_sdk, is_of_protocol
    from octavo.mcp.problems import ProblemStore
    from octavo.mcp.stdio import serve_stdio
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "endpoint": ("McpEndpoint", "has_sdk", "is_of_protocol"),
            "problems": ("ProblemStore",),
            "stdio": ("serve_stdio",),
        },
    )

__all__ = ["McpEndpoint", "ProblemStore", "has_sdk", "is_of_protocol", "serve_stdio"]
