"""The report as a page, for those who know the secret."""

from __future__ import annotations

import base64
import binascii
import functools
import hmac
from collections.abc import Sequence
from html import escape
from pathlib import Path

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from octavo.errors import ServeError
from octavo.search.errors import ProtocolError
from octavo.search.insights.report import QueryLine, Week, make_report
from octavo.search.service import SearchService

ADDRESS = "/_octavo/search-report"
LEAST_SECRET = 16
"""Characters: a shorter secret could be guessed."""

_HEADERS = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
}
_STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
table { border-collapse: collapse; margin: 0 0 1.5rem; min-width: 24rem }
caption { text-align: start; font-weight: 600 } th, td { text-align: start; padding: .2rem 1rem .2rem 0 }
td + td { font-variant-numeric: tabular-nums }
"""


def report_route(path: Path, secret: str, service: SearchService) -> Route:
    """Make the route of the report.

    Args:
        path: The database.
        secret: The password; any user name goes with it. `Authorization: Bearer …` works as well.
        service: Knows the settings of the published index.

    Raises:
        ServeError: the secret is too short.
    """
    if len(secret) < LEAST_SECRET:
        raise ServeError(
            f"The secret of the search report has fewer than {LEAST_SECRET} characters; take a longer one."
        )

    async def endpoint(request: Request) -> Response:
        if not hmac.compare_digest(_given(request).encode(), secret.encode()):
            headers = _HEADERS | {"WWW-Authenticate": 'Basic realm="Search report", charset="UTF-8"'}
            return PlainTextResponse("This report needs a password.\n", 401, headers)
        try:
            _, settings = await service.engine()
        except ProtocolError as error:
            return PlainTextResponse(f"{error.message}.\n", error.status, _HEADERS)
        make = functools.partial(make_report, path, least_count=settings.least_count)
        weeks = await anyio.to_thread.run_sync(make)
        return HTMLResponse(render_report(weeks), headers=_HEADERS)

    return Route(ADDRESS, endpoint, methods=["GET"])


def _given(request: Request) -> str:
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    if scheme.lower() == "basic":
        try:
            return base64.b64decode(value, validate=True).decode().partition(":")[2]
        except (binascii.Error, ValueError):
            return ""
    return ""


def render_report(weeks: Sequence[Week]) -> str:
    """Write the report as a page of its own."""
    body = "".join(map(_week, weeks)) or "<p>No searches are kept yet.</p>"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Search report</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">'
        f"<style>{_STYLE}</style></head><body><h1>Search report</h1>{body}</body></html>"
    )


def _week(week: Week) -> str:
    facts = ", ".join(summary(week))
    lists = "".join(
        _table(caption, lines)
        for caption, lines in (
            ("Top queries", week.top),
            ("Without results", week.no_hits),
            ("Searched but not clicked", week.not_clicked),
        )
    )
    return f"<section><h2>Week of {escape(week.begins)}</h2><p>{escape(facts)}</p>{lists}</section>"


def summary(week: Week) -> list[str]:
    """Say a week in a few words."""
    facts = [f"{week.searches} searches", f"{week.without_hits} without results"]
    if week.click_through is not None:
        facts.append(f"{week.click_through:.0%} clicked")
    if week.mean_position is not None:
        facts.append(f"mean position {week.mean_position:.1f}")
    return facts


def _table(caption: str, lines: Sequence[QueryLine]) -> str:
    if not lines:
        return ""
    rows = "".join(
        f"<tr><td>{escape(line.query)}</td><td>{line.searches}</td><td>{line.hits}</td><td>{line.clicks}</td></tr>"
        for line in lines
    )
    head = "<tr><th>Query</th><th>Searches</th><th>Results</th><th>Clicked</th></tr>"
    return f"<table><caption>{caption}</caption><thead>{head}</thead><tbody>{rows}</tbody></table>"
