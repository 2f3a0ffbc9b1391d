"""The way to servers in a cluster: the attach stream of a pod, its service, or a tunnel to its port."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from kubernetes.stream import portforward, stream
from websocket import ABNF, WebSocketException

from tool_api.errors import EngineError
from tool_api.runtime.base import Wire
from tool_api.runtime.kubernetes.cluster import Cluster, ClusterSettings, ObjectGoneError, call_cluster
from tool_api.runtime.kubernetes.manifests import CONTAINER, object_name
from tool_api.runtime.place import LastingPlace, Place
from tool_api.runtime.stdio import STDOUT, talk
from tool_api.runtime.writing import PIECE_BYTES, pipe
from tool_api.store import ServerRow

_STDIN = b"\0"
_FRAME = struct.Struct(">B3xI")
"""Head of a piece of output as Docker writes it, which `talk` reads."""


class KubernetesLink:
    """Reaches the servers in one namespace."""

    def __init__(self, settings: ClusterSettings, max_message_bytes: int) -> None:
        self._settings = settings
        self._max_message_bytes = max_message_bytes
        self._cluster: Cluster | None = None
        self._tunnel: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def connect(self, row: ServerRow) -> AsyncIterator[Wire]:
        attached = await call_cluster(lambda: self._attach(row))
        async with talk(attached, self._max_message_bytes) as wire:
            yield wire

    async def address(self, row: ServerRow) -> Place | None:
        port = row.spec.target_port
        if row.spec.transport == "stdio":
            return None
        cluster = await call_cluster(self._connected)
        if cluster.is_inside:
            return LastingPlace(f"http://{object_name(row.name)}.{cluster.namespace}.svc:{port}")
        await call_cluster(lambda: self._pod(row))
        if self._tunnel is None:
            self._tunnel = await asyncio.start_server(
                lambda reader, writer: self._accept(row, reader, writer), "127.0.0.1", 0
            )
        return LastingPlace(f"http://127.0.0.1:{self._tunnel.sockets[0].getsockname()[1]}")

    async def aclose(self) -> None:
        if self._tunnel is not None:
            self._tunnel.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._cluster is not None:
            self._cluster.close()

    def _connected(self) -> Cluster:
        if self._cluster is None:
            self._cluster = Cluster(self._settings)
        return self._cluster

    def _pod(self, row: ServerRow) -> str:
        """Name of the server's pod.

        Raises:
            EngineError: Its container does not run.
        """
        cluster = self._connected()
        pod = cluster.get("Pod", f"{object_name(row.name)}-0")
        metadata = pod["metadata"]
        owners = [owner["uid"] for owner in metadata.get("ownerReferences") or []]
        if row.container_id not in owners:
            raise ObjectGoneError("The server is gone from the cluster")
        if metadata.get("deletionTimestamp") or not _is_running(pod):
            raise EngineError("The container does not run")
        return str(metadata["name"])

    def _attach(self, row: ServerRow) -> socket.socket:
        """A socket that has a pod's standard output in Docker's frames, and takes its input."""
        pods = self._connected().pods_api()
        found: Any = stream(
            pods.connect_get_namespaced_pod_attach,
            self._pod(row),
            self._connected().namespace,
            container=CONTAINER,
            stdin=True,
            stdout=True,
            stderr=False,
            tty=False,
            binary=True,
            _preload_content=False,
        )
        ours, theirs = socket.socketpair()
        threading.Thread(target=_carry, args=(found.sock, theirs), name=f"attach {row.name}", daemon=True).start()
        return ours

    async def _accept(self, row: ServerRow, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        try:
            opened = await call_cluster(lambda: self._open_tunnel(row))
            inner_reader, inner_writer = await asyncio.open_connection(sock=opened)
            try:
                await asyncio.gather(pipe(reader, inner_writer), pipe(inner_reader, writer))
            finally:
                inner_writer.close()
        except (OSError, EngineError):
            pass  # the connection is closed, which its other end takes for a server that is not ready
        finally:
            writer.close()

    def _open_tunnel(self, row: ServerRow) -> socket.socket:
        cluster, port = self._connected(), row.spec.target_port
        found: Any = portforward(
            cluster.pods_api().connect_get_namespaced_pod_portforward,
            self._pod(row),
            cluster.namespace,
            ports=str(port),
        )
        inner = found.socket(port)
        # The client hands out a wrapper; ours is a duplicate, so closing theirs does not close it.
        duplicate = socket.socket(fileno=os.dup(inner.fileno()))
        inner.close()
        duplicate.setblocking(False)
        return duplicate


def _is_running(pod: Mapping[str, Any]) -> bool:
    containers = (pod.get("status") or {}).get("containerStatuses") or []
    return bool(containers) and (containers[0].get("state") or {}).get("running") is not None


def _carry(web: Any, end: socket.socket) -> None:
    """Carry both directions between a pod and a socket, until one of both ends; then both are closed."""
    reader = threading.Thread(target=_read_output, args=(web, end), daemon=True)
    reader.start()
    _write_input(web, end)
    reader.join()
    end.close()
    with suppress(OSError, WebSocketException):
        web.shutdown()


def _read_output(web: Any, target: socket.socket) -> None:
    """Write what a pod says into a socket, until one of both ends."""
    try:
        while True:
            code, data = web.recv_data()
            if code == ABNF.OPCODE_CLOSE:
                return
            if len(data) > 1 and data[0] == STDOUT:
                target.sendall(_FRAME.pack(STDOUT, len(data) - 1) + data[1:])
    except (OSError, WebSocketException):
        pass  # either end has gone; `talk` sees the end of the socket
    finally:
        _shut(target)


def _write_input(web: Any, source: socket.socket) -> None:
    """Send what comes out of a socket to a pod, until one of both ends; then the connection is closed."""
    try:
        while data := source.recv(PIECE_BYTES):
            web.send(_STDIN + data, opcode=ABNF.OPCODE_BINARY)
    except (OSError, WebSocketException):
        pass
    finally:
        _shut(source)
        with suppress(OSError, WebSocketException):
            web.close(timeout=0)


def _shut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
