"""An HTTP server that says who it is; it starts in a moment, which the SDK's do not."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Named(BaseHTTPRequestHandler):
    """Answers everything with its name."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = os.environ["NAME"].encode()
        self.send_response(200)
        self.send_header("content-length", str(len(name)))
        self.end_headers()
        self.wfile.write(name)


def run() -> None:
    ThreadingHTTPServer(("0.0.0.0", int(os.environ["MCP_PORT"])), Named).serve_forever()
