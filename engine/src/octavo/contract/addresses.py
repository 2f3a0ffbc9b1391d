"""Where pages and their payloads are published."""

from __future__ import annotations

from octavo.manifest import html_file, payload_file

__all__ = ["PAYLOAD_FILE_IN_TYPESCRIPT", "html_file", "payload_file"]

PAYLOAD_FILE_IN_TYPESCRIPT = """
/** Name of the payload file of a route, both without a leading slash. */
export function payloadFile(route: string): string {
  const path = route.endsWith(".html") ? route.slice(0, -".html".length) : route;
  return `_octavo/pages/${path === "" || path.endsWith("/") ? `${path}index` : path}.json`;
}
"""
"""The same as `payload_file`, for readers' browsers: the generator puts it among the theme's types."""
