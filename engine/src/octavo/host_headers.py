"""The headers of a published site: for our own server, and written as other hosts read them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

from octavo.lazy import regex as re
from octavo.manifest import Manifest

SECURITY_HEADERS: dict[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Frame-Options": "SAMEORIGIN",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Sent on every answer of the application. Pages get the content security policy of their build besides."""

_POLICY = "Content-Security-Policy"
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
    site = _Site(manifest.base_url, any(map(DIAGRAM_FRAMES.fullmatch, manifest.files)), manifest.content_policy)
    headers = dict(SECURITY_HEADERS)
    if manifest.content_policy:
        headers[_POLICY] = manifest.content_policy
    return _WRITERS[host](site, headers)


class _Site(NamedTuple):
    base: str
    has_frames: bool
    """Mermaid draws some of its diagrams in the browser, in frames with a policy of their own."""
    policy: str

    @property
    def frames(self) -> str:
        """Start of the paths of the frames."""
        return f"{self.base}_octavo/assets/diagram-frame-"


def _with_inline_styles(policy: str) -> str:
    """Allow the styles that Mermaid writes, on hosts that cannot give a frame another policy than the pages around it.

    With hashes browsers would ignore the word that allows them, so these go.
    """
    directives = []
    for directive in policy.split("; "):
        name, *sources = directive.split(" ")
        if name == "style-src":
            sources = [source for source in sources if not source.startswith(("'sha256-", "'unsafe-hashes"))]
            sources.append("'unsafe-inline'")
        directives.append(" ".join([name, *sources]))
    return "; ".join(directives)


def _netlify(site: _Site, headers: Mapping[str, str]) -> str:
    lines = []
    if site.has_frames and site.policy:
        headers = {**headers, _POLICY: _with_inline_styles(site.policy)}
        lines.append(
            "# Diagrams are drawn in frames with inline styles, and a path takes the headers of all rules that match."
        )
    lines += [f"{site.base}*", *(f"  {name}: {value}" for name, value in headers.items())]
    for folder in _FOLDERS:
        lines += [f"{site.base}_octavo/{folder}/*", f"  Cache-Control: {IMMUTABLE}"]
    if site.has_frames:
        lines += [f"{site.frames}*", f"  {_POLICY}: {FRAME_POLICY}"]
    return "\n".join(lines) + "\n"


def _nginx(site: _Site, headers: Mapping[str, str]) -> str:
    folders = "|".join(_FOLDERS)
    lines = [
        "# A level below that has an add_header of its own takes none of these over.",
        "map $uri $octavo_cache_control {",
        f'    default "{REVALIDATE}";',
        f'    "~^{site.base}_octavo/({folders})/" "{IMMUTABLE}";',
        "}",
    ]
    values = {name: _quote_nginx(value) for name, value in headers.items()}
    if site.has_frames:
        lines += [
            "map $uri $octavo_policy {",
            f"    default {values.get(_POLICY, _quote_nginx(''))};",
            f'    "~^{site.frames}" {_quote_nginx(FRAME_POLICY)};',
            "}",
        ]
        values[_POLICY] = "$octavo_policy"
    lines.append("add_header Cache-Control $octavo_cache_control;")
    lines += [f"add_header {name} {value} always;" for name, value in values.items()]
    return "\n".join(lines) + "\n"


def _quote_nginx(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _caddy(site: _Site, headers: Mapping[str, str]) -> str:
    paths = " ".join(f"{site.base}_octavo/{folder}/*" for folder in _FOLDERS)
    rest = {name: value for name, value in headers.items() if not (site.has_frames and name == _POLICY)}
    lines = ["header {", *(f'\t{name} "{value}"' for name, value in rest.items()), "}"]
    if site.has_frames:
        lines += [f"@octavo_frames path {site.frames}*", f'header @octavo_frames {_POLICY} "{FRAME_POLICY}"']
        if site.policy:
            lines += ["@octavo_pages {", f"\tnot path {site.frames}*", "}"]
            lines.append(f'header @octavo_pages {_POLICY} "{site.policy}"')
    lines += [f"@octavo_hashed path {paths}", f'header Cache-Control "{REVALIDATE}"']
    lines += [f'header @octavo_hashed Cache-Control "{IMMUTABLE}"']
    return "\n".join(lines) + "\n"


def _cloudfront(site: _Site, headers: Mapping[str, str]) -> str:
    rest = dict(headers)
    security = {
        "ContentTypeOptions": {"Override": True},
        "FrameOptions": {"Override": True, "FrameOption": rest.pop("X-Frame-Options")},
        "ReferrerPolicy": {"Override": True, "ReferrerPolicy": rest.pop("Referrer-Policy")},
    }
    rest.pop("X-Content-Type-Options")
    if policy := rest.pop(_POLICY, None):
        # One policy for all paths; the frames are sandboxed by the pages that show them.
        policy = _with_inline_styles(policy) if site.has_frames else policy
        security["ContentSecurityPolicy"] = {"Override": True, "ContentSecurityPolicy": policy}
    items = [{"Header": name, "Value": value, "Override": True} for name, value in rest.items()]
    config = {
        "Name": "octavo" + site.base.rstrip("/").replace("/", "-"),
        "Comment": "Headers of a documentation site; made by octavo headers",
        "SecurityHeadersConfig": security,
        "CustomHeadersConfig": {"Quantity": len(items), "Items": items},
    }
    return json.dumps(config, indent=2) + "\n"


_WRITERS: dict[str, Callable[[_Site, Mapping[str, str]], str]] = {
    "netlify": _netlify,
    "nginx": _nginx,
    "caddy": _caddy,
    "cloudfront": _cloudfront,
}
