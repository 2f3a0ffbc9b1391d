"""The route under which search is asked: each request is handed to the process that holds the index."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from octavo.dev.search_process import SearchProcess

_MOST_BODY_BYTES = 1 << 20


def search_route(process: SearchProcess) -> Route:
    """Give the route."""

    async def answer(request: Request) -> Response:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > _MOST_BODY_BYTES:
                return JSONResponse({"message": "This request is too large", "status": 413}, 413)
        path, query = request.scope["path"], request.scope["query_string"]
        reply = await process.ask(request.method, path, query, list(request.headers.raw), body)
        response = Response(reply.body, reply.status)
        response.raw_headers = reply.headers
        return response

    return Route("/1/{rest:path}", answer, methods=["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
