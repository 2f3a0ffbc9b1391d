"""Where pages and their payloads are published."""

from __future__ import annotations


def html_file(route: str) -> str:
    """Name the HTML file of a route, in the published folder. `/a/b` and `/a/` both become folders with an index."""
    path = route.strip("/")
    if path.endswith(".html"):
        return path
    return f"{path}/index.html" if path else "index.html"


PAYLOAD_FILE_IN_TYPESCRIPT = """
/** Name of the payload file of a route, both without a leading slash. */
export function payloadFile(route: string): string {
  return `_octavo/pages/${route === "" || route.endsWith("/") ? `${route}index` : route}.json`;
}
"""
"""The same as `payload_file`, for readers' browsers: the generator puts it among the theme's types."""


def payload_file(route: str) -> str:
    """Name the payload file of a route."""
    path = route[1:]
    return f"_octavo/pages/{path}index.json" if route.endswith("/") else f"_octavo/pages/{path}.json"
