"""The life of two servers in a real cluster, for runs by hand: no cluster comes with the packages that the tests have.

`KUBECONFIG=FILE python -m apis.tests.contract.tool.cluster` creates a stdio and an HTTP server from the test image, uses
them with the official client, stops, starts and deletes them, and looks whether anything is left. The cluster must have
the image already: `docker load` of what `engine.make_image` makes, or `--image`.

It passed on one node of Kubernetes 1.20.2: API server, controllers, scheduler and kubelet built from Debian's source package
`kubernetes` with `golang-1.19`, after its vendored `reflect2` had been replaced by that of
`golang-github-modern-go-reflect2-dev`; `etcd-server`, and Docker 20.10 for the kubelet. There is no network in such a
cluster that enforces policies.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from apis.tests.contract.tool import engine
from apis.tests.contract.tool.serving import ToolServer

ANSWER_S = 200.0
USE_S = 60.0
SERVERS: dict[str, dict[str, Any]] = {
    "by-stdio": {},
    "by-http": {"transport": "streamable-http", "target_port": 8000, "cmd_arguments": ["streamable-http"]},
}


class Life:
    """One server from its creation to its end.

    Args:
        client: Of the API.
        name: The server's.
    """

    def __init__(self, client: httpx.Client, name: str) -> None:
        self._client = client
        self._name = name

    def run(self, request: dict[str, Any]) -> None:
        """Live it.

        Raises:
            AssertionError: Something was not as it should be.
        """
        made = self._ask("POST", "", 201, json=request | {"name": self._name})
        url = f"http://127.0.0.1:{made.json()['port']}/mcp"
        self._use(url)
        for step in ("stop", "restart"):
            self._ask("POST", f"/{self._name}/{step}", 204)
            assert self._state() == ("exited" if step == "stop" else "running"), self._state()
        self._use(url)
        self._ask("DELETE", f"/{self._name}", 204)
        assert self._state() == ""

    def _ask(self, method: str, path: str, status: int, **values: Any) -> httpx.Response:
        started = time.monotonic()
        answer = self._client.request(method, f"/api/v1beta/servers{path}", **values)
        print(f"{method} {path or '/'}: {answer.status_code} after {time.monotonic() - started:.1f} s", flush=True)
        assert answer.status_code == status, answer.text
        return answer

    def _state(self) -> str:
        listed = self._client.get("/api/v1beta/servers", params={"all": "true"}).json()["servers"]
        return "".join(str(one["state"]) for one in listed if one["name"] == self._name)

    def _use(self, url: str) -> None:
        async def use() -> None:
            async with (
                asyncio.timeout(USE_S),
                streamable_http_client(url) as streams,
                ClientSession(streams[0], streams[1]) as session,
            ):
                await session.initialize()
                answer = await session.call_tool("variable", {"name": "HOME"})
                assert not answer.is_error, answer

        asyncio.run(use())


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Servers in the cluster that KUBECONFIG names.")
    parser.add_argument("--image", default=engine.IMAGE)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cluster-") as folder:
        server = ToolServer(Path(folder), "--runtime", "kubernetes")
        try:
            with httpx.Client(base_url=server.address, timeout=ANSWER_S, trust_env=False) as client:
                for name, request in SERVERS.items():
                    Life(client, name).run({"image": given.image} | request)
        finally:
            server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
