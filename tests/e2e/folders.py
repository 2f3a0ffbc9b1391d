"""Folders on servers that know nothing of the site."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and writes no line for each."""

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@contextmanager
def serve_folder(folder: Path, handler: type[SimpleHTTPRequestHandler] = Quiet, port: int = 0) -> Iterator[str]:
    """Serve a folder, at a free port if none is given; gives scheme, host and port."""
    server = ThreadingHTTPServer(("127.0.0.1", port), partial(handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
