"""The headers of a published site: for our own server, and written as other hosts read them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from octavo.manifest import Manifest

SECURITY_HEADERS: dict[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Frame-Options": "SAMEORIGIN",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Sent on every answer of the application. Pages get the content security policy of their build besides."""

IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"

DIAGRAM_FRAMES = re.compile(r"_octavo/assets/diagram-frame-[\w-]+\.html")
FRAME_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:;"
    " font-src data:; frame-ancestors 'self'"
)
"""Of the frame in which Mermaid draws what the build could not: it writes inline styles, and loads and reaches nothing."""

HOST_HEADERS_FILE = "_headers"
"""Read by Netlify and Cloudflare Pages; no server of ours answers with it."""

_FOLDERS = ("assets", "files")
"""Folders under `_octavo/` whose files bear the hash of their content in their names."""


def write_headers(manifest: Manifest, host: str) -> str:
    """Write the headers of a build.

    Args:
        manifest: The build; its content security policy is among them.
        host: `netlify`, `nginx`, `caddy` or `cloudfront`.
    """
    headers = dict(SECURITY_HEADERS)
    if manifest.content_policy:
        headers["Content-Security-Policy"] = manifest.content_policy
    return _WRITERS[host](manifest.base_url, headers)


def _netlify(base: str, headers: Mapping[str, str]) -> str:
    lines = [f"{base}*", *(f"  {name}: {value}" for name, value in headers.items())]
    for folder in _FOLDERS:
        lines += [f"{base}_octavo/{folder}/*", f"  Cache-Control: {IMMUTABLE}"]
    return "\n".join(lines) + "\n"


def _nginx(base: str, headers: Mapping[str, str]) -> str:
    folders = "|".join(_FOLDERS)
    lines = [
        "# A level below that has an add_header of its own takes none of these over.",
        "map $uri $octavo_cache_control {",
        f'    default "{REVALIDATE}";',
        f'    "~^{base}_octavo/({folders})/" "{IMMUTABLE}";',
        "}",
        "add_header Cache-Control $octavo_cache_control;",
        *(f"add_header {name} {_quote_nginx(value)} always;" for name, value in headers.items()),
    ]
    return "\n".join(lines) + "\n"


def _quote_nginx(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _caddy(base: str, headers: Mapping[str, str]) -> str:
    paths = " ".join(f"{base}_octavo/{folder}/*" for folder in _FOLDERS)
    lines = ["header {", *(f'\t{name} "{value}"' for name, value in headers.items()), "}"]
    lines += [f"@octavo_hashed path {paths}", f'header Cache-Control "{REVALIDATE}"']
    lines += [f'header @octavo_hashed Cache-Control "{IMMUTABLE}"']
    return "\n".join(lines) + "\n"


def _cloudfront(base: str, headers: Mapping[str, str]) -> str:
    rest = dict(headers)
    security = {
        "ContentTypeOptions": {"Override": True},
        "FrameOptions": {"Override": True, "FrameOption": rest.pop("X-Frame-Options")},
        "ReferrerPolicy": {"Override": True, "ReferrerPolicy": rest.pop("Referrer-Policy")},
    }
    rest.pop("X-Content-Type-Options")
    if policy := rest.pop("Content-Security-Policy", None):
        security["ContentSecurityPolicy"] = {"Override": True, "ContentSecurityPolicy": policy}
    items = [{"Header": name, "Value": value, "Override": True} for name, value in rest.items()]
    config = {
        "Name": "octavo" + base.rstrip("/").replace("/", "-"),
        "Comment": "Headers of a documentation site; made by octavo headers",
        "SecurityHeadersConfig": security,
        "CustomHeadersConfig": {"Quantity": len(items), "Items": items},
    }
    return json.dumps(config, indent=2) + "\n"


_WRITERS: dict[str, Callable[[str, Mapping[str, str]], str]] = {
    "netlify": _netlify,
    "nginx": _nginx,
    "caddy": _caddy,
    "cloudfront": _cloudfront,
}
