"""The route that takes answers: forms of this site's own pages, with script or without."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qs, quote, urlsplit

import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from octavo.feedback.store import Answer, FeedbackStore
from octavo.manifest import FEEDBACK_ADDRESS, Manifest
from octavo.search import RateLimit, TooManyRequestsError, network_of

_MOST_BYTES = 4096
"""Of a form: a path and a word."""
_PER_SECOND = 2
"""Answers that one network may send, with bursts of twice as many."""
_HEADERS = {"Cache-Control": "no-store"}
_ANSWERS: dict[str, Answer] = {"yes": "yes", "no": "no"}
_log = logging.getLogger(__name__)


class _RefusedError(Exception):
    """An answer that is not counted."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def feedback_route(store: FeedbackStore, manifest: Callable[[], Awaitable[Manifest | None]]) -> Route:
    """Make the route.

    Args:
        store: Counts.
        manifest: Gives what is published now: answers about other pages are not counted.
    """
    limit = RateLimit()

    async def endpoint(request: Request) -> Response:
        try:
            _check_origin(request)
            if request.client is not None:
                limit.take(network_of(request.client.host), 1, per_second=_PER_SECOND)
            form = parse_qs((await _read(request)).decode("utf-8", "replace"), max_num_fields=8)
            published = await manifest()
            path, route = _page(form, published)
            await anyio.to_thread.run_sync(store.count, route, _answer(form))
        except _RefusedError as error:
            return PlainTextResponse(f"{error}\n", error.status, _HEADERS)
        except TooManyRequestsError as error:
            return PlainTextResponse(
                "Too many answers.\n", 429, {**_HEADERS, "Retry-After": str(int(error.wait_s) + 1)}
            )
        except ValueError:
            return PlainTextResponse("The form cannot be read.\n", 400, _HEADERS)
        except ClientDisconnect:
            return Response(status_code=400)
        except (sqlite3.Error, OSError) as error:
            _log.warning("An answer of a reader cannot be stored: %s.", error)
            return PlainTextResponse("The answer could not be stored. Try again later.\n", 503, _HEADERS)
        if "text/html" in request.headers.get("accept", ""):
            # A form of a page without script: back to where the reader was.
            return RedirectResponse(f"{quote(path)}#feedback-thanks", 303, _HEADERS)
        return Response(status_code=204, headers=_HEADERS)

    return Route(f"/{{base:path}}{FEEDBACK_ADDRESS}", endpoint, methods=["POST"])


def _check_origin(request: Request) -> None:
    """Refuse forms of other sites: browsers say where a form comes from."""
    origin = request.headers.get("origin")
    is_foreign = origin is not None and urlsplit(origin).netloc != request.headers.get("host")
    if is_foreign or request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise _RefusedError(403, "Answers come from pages of this site.")


async def _read(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise _RefusedError(415, "Send a form: application/x-www-form-urlencoded.")
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > _MOST_BYTES:
            raise _RefusedError(413, "The form is too long.")
    return content


def _answer(form: dict[str, list[str]]) -> Answer:
    answer = _ANSWERS.get(form.get("answer", [""])[0])
    if answer is None:
        raise _RefusedError(400, 'answer must be "yes" or "no".')
    return answer


def _page(form: dict[str, list[str]], published: Manifest | None) -> tuple[str, str]:
    """Find the page that an answer is about.

    Returns:
        (its path from the host's root, its route).
    """
    path = form.get("page", [""])[0]
    if published is None:
        raise _RefusedError(503, "Nothing is published.")
    if not published.counts_answers:
        raise _RefusedError(404, "Pages of this site ask no question.")
    route = f"/{path.removeprefix(published.base_url)}"
    if not path.startswith(published.base_url) or route not in published.routes:
        raise _RefusedError(404, "page names no page of this site.")
    return path, route
