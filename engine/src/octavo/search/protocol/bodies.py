"""What requests hold, and how answers are written."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from octavo.search.errors import ProtocolError, bad_parameter
from octavo.search.protocol.secured_keys import Key
from octavo.search.query.filters import All, Filter
from octavo.search.query.parameters import Parameters, decode_params, parse_parameters
from octavo.search.query.values import Raw

MOST_BODY_BYTES = 256 << 10

CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "x-algolia-application-id, x-algolia-api-key, x-algolia-agent, "
    "x-algolia-usertoken, content-type",
    "Access-Control-Max-Age": "86400",
    "Cache-Control": "no-store",
}

_NO_PARAMETERS = ("indexName", "params", "type", "facet", "cursor")
_CREDENTIALS = ("x-algolia-application-id", "x-algolia-api-key", "x-algolia-agent", "x-algolia-usertoken")


async def read_json(request: Request) -> Raw:
    """Read the body.

    Raises:
        ProtocolError: it is too long, or no JSON object.
    """
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > MOST_BODY_BYTES:
            raise ProtocolError(413, f"The body is larger than {MOST_BODY_BYTES} bytes")
        chunks.append(chunk)
    content = b"".join(chunks)
    if not content.strip():
        return {}
    try:
        body = msgspec.json.decode(content)
    except (ValueError, RecursionError) as error:  # bytes that are not UTF-8 are a ValueError of another kind
        raise ProtocolError(400, f"Invalid JSON: {error}") from None
    if not isinstance(body, dict):
        raise ProtocolError(400, "Invalid JSON: expected an object")
    return body


def query_body(request: Request) -> Raw:
    """Take what a GET request has in its query string for its body."""
    return {name: value for name, value in request.query_params.items() if name.lower() not in _CREDENTIALS}


def search_parameters(one: Raw) -> Raw:
    """Gather the parameters of a search: its own fields, those in `params`, encoded or not."""
    raw = {name: value for name, value in one.items() if name not in _NO_PARAMETERS}
    params = one.get("params")
    if isinstance(params, str):
        return decode_params(params) | raw
    if isinstance(params, dict):
        return params | raw
    if params is not None:
        raise bad_parameter("params", "a string")
    return raw


def allowed_parameters(raw: Raw, key: Key) -> Parameters:
    """Read the parameters of a search, with those of the key that it is made with.

    Raises:
        ProtocolError: one of them cannot be used.
    """
    parameters = parse_parameters(key.restrict(raw))
    filters = [item for item in (parameters.filter, key_filter(key)) if item is not None]
    return msgspec.structs.replace(
        parameters, filter=All(filters) if len(filters) > 1 else filters[0] if filters else None
    )


def key_filter(key: Key) -> Filter | None:
    """Give what every record must meet that is shown with a key.

    Raises:
        ProtocolError: a filter of the key cannot be read.
    """
    return parse_parameters(key.filters).filter if key.filters else None


def json_answer(answer: object, status: int = 200) -> Response:
    """Write an answer."""
    return Response(msgspec.json.encode(answer), status, CORS, media_type="application/json")


def list_of_requests(body: dict[str, Any], most: int, what: str) -> list[Raw]:
    """Read `requests`.

    Raises:
        ProtocolError: there are too many, or they are not objects.
    """
    requests = body.get("requests")
    if not isinstance(requests, list) or not all(isinstance(one, dict) for one in requests):
        raise bad_parameter("requests", f"a list of {what}")
    if len(requests) > most:
        raise bad_parameter("requests", f"at most {most} {what}")
    return requests
