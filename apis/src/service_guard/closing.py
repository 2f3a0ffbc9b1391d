"""Answers to clients of HTTP/1.0, which know no chunks: where no length is given, the end of the connection ends the body."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle


def end_by_closing(cycle: RequestResponseCycle) -> None:
    """Let a request be answered without chunks, which uvicorn would write for these clients as well.

    Args:
        cycle: uvicorn's state of the request, of which nothing has been sent.
    """
    state: Any = cycle  # its methods are replaced for this request alone
    send, has_length = cycle.send, True

    async def send_plainly(message: Any) -> None:
        nonlocal has_length
        if message["type"] == "http.response.start":
            has_length = any(name.lower() == b"content-length" for name, _ in message.get("headers", ()))
            if not has_length:
                cycle.chunked_encoding = False
        elif not has_length:
            # What uvicorn compares it with; it closes the connection behind the last piece.
            cycle.expected_content_length = len(message.get("body", b""))
        await send(message)

    state.send = send_plainly
