"""The tools and pages as a server of the Model Context Protocol, by the protocol's official SDK."""

from __future__ import annotations

import logging
from typing import Any

import anyio.to_thread
import msgspec
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)

from octavo._version import __version__
from octavo.manifest import markdown_file
from octavo.mcp.library import CurrentLibrary, NotAvailableError
from octavo.mcp.tools import TOOLS, Tools
from octavo.page_list import PageEntry
from octavo.search import network_of

_SCHEME = "octavo:///"
"""Of resources: the name of a page's Markdown file follows."""
_MARKDOWN = "text/markdown"
_RESOURCES = 200
"""In one answer."""
_INSTRUCTIONS = (
    "The documentation of {title}. Search first; read a section with read_page when the excerpt is not enough. "
    "Answers name page, heading, address and version: cite them."
)

_log = logging.getLogger(__name__)


def make_server(title: str, tools: Tools, current: CurrentLibrary) -> Server[Any]:
    """Make the server.

    Args:
        title: Title of the site.
        tools: What can be asked.
        current: The published pages, which are its resources.
    """
    handlers = _Handlers(tools, current)
    return Server(
        "octavo",
        version=__version__,
        title=title,
        instructions=_INSTRUCTIONS.format(title=title),
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
    )


class _Handlers:
    def __init__(self, tools: Tools, current: CurrentLibrary) -> None:
        self._tools = tools
        self._current = current

    async def list_tools(
        self, context: ServerRequestContext[Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        del context, params
        return ListToolsResult(tools=[_tool(name) for name in self._tools.names])

    async def call_tool(self, context: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        try:
            text = await self._tools.call(params.name, params.arguments, _address_of(context))
        except NotAvailableError as error:
            # For the model to read and to do better, not an error of the protocol.
            return CallToolResult(content=[TextContent(type="text", text=str(error))], is_error=True)
        except Exception:  # noqa: BLE001 - details go to the log, not to the client
            _log.exception("The tool %s failed", params.name)
            raise MCPError(INTERNAL_ERROR, "The server failed on this call") from None
        return CallToolResult(content=[TextContent(type="text", text=text)])

    async def list_resources(
        self, context: ServerRequestContext[Any], params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        del context
        library = await self._library()
        pages = library.list.pages
        cursor = params.cursor if params is not None else None
        start = int(cursor) if cursor and cursor.isdecimal() and len(cursor) < 10 else 0
        if cursor and not 0 < start < len(pages):
            raise MCPError(INVALID_PARAMS, "This cursor is none that this server has given")
        end = start + _RESOURCES
        return ListResourcesResult(
            resources=[_resource(page) for page in pages[start:end]],
            next_cursor=str(end) if end < len(pages) else None,
        )

    async def list_templates(
        self, context: ServerRequestContext[Any], params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        del context, params
        about = "A page as Markdown; path is its address below the site's, with .md at the end."
        template = ResourceTemplate(
            name="page", uri_template=f"{_SCHEME}{{+path}}", description=about, mime_type=_MARKDOWN
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(
        self, context: ServerRequestContext[Any], params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        del context
        uri = str(params.uri)
        if not uri.startswith(_SCHEME):
            raise MCPError(INVALID_PARAMS, f'There is no resource "{uri[:200]}"')
        library = await self._library()
        try:
            page, _ = library.page(f"/{uri.removeprefix(_SCHEME)}")
            text = await anyio.to_thread.run_sync(library.markdown, page)
        except NotAvailableError as error:
            raise MCPError(INVALID_PARAMS, str(error)) from None
        return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=_MARKDOWN, text=text)])

    async def _library(self) -> Any:
        try:
            return await self._current.get()
        except NotAvailableError as error:
            raise MCPError(INTERNAL_ERROR, str(error)) from None


def _address_of(context: ServerRequestContext[Any]) -> str:
    """Give the network that asks; empty for a program that speaks through pipes."""
    client = getattr(context.request, "client", None)
    return network_of(client.host) if client is not None else ""


def _tool(name: str) -> Tool:
    arguments = TOOLS[name]
    # The schema of one type is among the definitions and is referred to.
    schema = msgspec.json.schema(arguments)["$defs"][arguments.__name__]
    is_report = name == "report_problem"
    return Tool(
        name=name,
        description=schema.pop("description"),
        input_schema=schema,
        annotations=ToolAnnotations(read_only_hint=not is_report, destructive_hint=False, open_world_hint=False),
    )


def _resource(page: PageEntry) -> Resource:
    return Resource(
        name=page.title,
        uri=f"{_SCHEME}{markdown_file(page.route)}",
        description=page.description or None,
        mime_type=_MARKDOWN,
    )
