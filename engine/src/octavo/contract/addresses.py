"""Where pages and their payloads are published."""

from __future__ import annotations


def html_file(route: str) -> str:
    """Name the HTML file of a route, in the published folder. `/a/b` and `/a/` both become folders with an index."""
    path = route.strip("/")
    if path.endswith(".html"):
        return path
    return f"{path}/index.html" if path else "index.html"


def payload_file(route: str) -> str:
    """Name the payload file of a route."""
    path = route[1:]
    return f"_octavo/pages/{path}index.json" if route.endswith("/") else f"_octavo/pages/{path}.json"
