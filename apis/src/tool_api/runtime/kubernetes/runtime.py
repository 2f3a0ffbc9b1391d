"""The life of servers in a cluster."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from kubernetes.config.config_exception import ConfigException

from tool_api.errors import EngineError, FieldError, StartError, ToolError
from tool_api.logs import log
from tool_api.runtime.base import INSTANCE, ContainerState, LinkSpec
from tool_api.runtime.kubernetes.cluster import Cluster, ClusterSettings, ObjectGoneError, call_cluster
from tool_api.runtime.kubernetes.manifests import NAME, TOKEN, manifests, object_name, token_of
from tool_api.runtime.kubernetes.pods import WAITING, PodState, has_ended, state_of
from tool_api.store import ServerRow

START_S = 120.0
"""How long a pod may take until its container runs: a node may have to be found, and the image to be pulled."""

KILL_S = 10.0
"""How long a pod may take beyond its time to stop; its node may be gone."""

POLL_S = 0.25

_OURS = {"toolhive": "true"}
_MADE = ("StatefulSet", "Service", "Secret", "NetworkPolicy")
"""Kinds of objects that a server has; pods go with the first."""


async def connect_cluster(settings: ClusterSettings, instance: str) -> KubernetesRuntime:
    """A runtime on a cluster that answers.

    Args:
        settings: Which cluster.
        instance: What tells this API's servers from those of others.

    Raises:
        StartError: There is no configuration, or the cluster does not answer, or does not let this program read.
    """
    try:
        cluster = await asyncio.to_thread(Cluster, settings)
    except (ConfigException, OSError) as error:
        raise StartError(f"no cluster is configured: {error}; set KUBECONFIG, or run in a pod.") from error
    try:
        await call_cluster(lambda: [cluster.list(kind, _OURS) for kind in ("StatefulSet", "Pod")])
    except ToolError as error:
        cluster.close()
        raise StartError(f"the cluster at {cluster.address} cannot be used: {error.text}.") from error
    # Whether they are is not to be found out by asking.
    log("network_policies", level="warning", effect="rules count only where the cluster's network enforces them")
    return KubernetesRuntime(cluster, instance)


class KubernetesRuntime:
    """Drives one namespace. Servers outlive this process; they bear labels to be found by."""

    name = "kubernetes"
    outlives = True

    def __init__(self, cluster: Cluster, instance: str) -> None:
        self._cluster = cluster
        self._instance = instance
        self.place = f"{cluster.address} {cluster.namespace}"

    async def create(self, row: ServerRow, secrets: Mapping[str, str]) -> ServerRow:
        uid = ""
        for manifest in manifests(row, secrets, self._instance):
            made = await call_cluster(partial(self._cluster.create, manifest))
            uid = made["metadata"]["uid"]
        return replace(row, container_id=uid)

    async def start(self, row: ServerRow) -> None:
        found = await self._set(row)
        await call_cluster(lambda: self._cluster.scale(found["metadata"]["name"], 1))
        state = PodState("created", "")
        try:
            async with asyncio.timeout(START_S):
                while (state := await self._state(row)).state == "created":
                    _refuse(state)
                    await asyncio.sleep(POLL_S)
        except TimeoutError:
            reason = await call_cluster(lambda: self._cluster.why_no_pod(found)) if state == WAITING else ""
            raise EngineError(f"Failed to start server: {reason or state.status}") from None

    async def adopt(self, row: ServerRow) -> None:
        del row  # its rules are objects of the cluster, and still there

    async def stop(self, row: ServerRow, timeout_s: int) -> None:
        try:
            found = await self._set(row)
            await call_cluster(lambda: self._cluster.scale(found["metadata"]["name"], 0))
        except ObjectGoneError:
            return
        for pod in await self._wait_for_end(found, timeout_s + KILL_S):
            if not has_ended(pod):
                log("pod_killed", level="warning", server=row.name)
            # Its successor waits until the object is gone, too.
            await call_cluster(partial(self._cluster.delete, "Pod", pod, grace_s=0))

    async def remove(self, row: ServerRow, *, force: bool) -> None:
        token, grace_s = token_of(row.container_id), 0 if force else None
        try:
            found = await self._set(row)
        except ObjectGoneError:
            pass  # the identifier may be that of the create request
        else:
            token = found["metadata"]["labels"].get(TOKEN, token)
        labels = {**_OURS, TOKEN: token}
        for kind in _MADE:
            for item in await call_cluster(partial(self._cluster.list, kind, labels)):
                await call_cluster(partial(self._cluster.delete, kind, item))
        for pod in await call_cluster(lambda: self._cluster.list("Pod", labels)):
            await call_cluster(partial(self._cluster.delete, "Pod", pod, grace_s=grace_s))

    async def states(self) -> dict[str, ContainerState] | None:
        sets = await call_cluster(lambda: self._cluster.list("StatefulSet", _OURS))
        pods = await call_cluster(lambda: self._cluster.list("Pod", _OURS))
        return {found["metadata"]["uid"]: _described(found, _owned(found, pods)) for found in sets}

    async def egress(self, row: ServerRow) -> socket.socket | None:
        del row  # the cluster's network enforces the rules
        return None

    def link(self, row: ServerRow) -> LinkSpec:
        del row
        chosen = replace(self._cluster.settings, namespace=self._cluster.namespace)
        return {"kind": self.name, **asdict(chosen)}

    async def aclose(self) -> None:
        self._cluster.close()

    async def _set(self, row: ServerRow) -> dict[str, Any]:
        """The StatefulSet of a server.

        Raises:
            GoneError: It is gone; there may be another of its name.
        """
        found = await call_cluster(lambda: self._cluster.get("StatefulSet", object_name(row.name)))
        if found["metadata"]["uid"] != row.container_id:
            raise ObjectGoneError("The server is gone from the cluster")
        return found

    async def _pods(self, found: Mapping[str, Any]) -> list[dict[str, Any]]:
        labels = {TOKEN: found["metadata"]["labels"][TOKEN]}
        return _owned(found, await call_cluster(lambda: self._cluster.list("Pod", labels)))

    async def _state(self, row: ServerRow) -> PodState:
        found = await self._set(row)
        return state_of(_replicas(found), await self._pods(found))

    async def _wait_for_end(self, found: Mapping[str, Any], timeout_s: float) -> list[dict[str, Any]]:
        """Wait until no container runs any more, but not longer than the time-out; returns the pods that are left."""
        deadline = asyncio.get_running_loop().time() + timeout_s
        pods = await self._pods(found)
        while not all(map(has_ended, pods)) and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(POLL_S)
            pods = await self._pods(found)
        return pods


def _refuse(state: PodState) -> None:
    if state.trouble == "image":
        raise FieldError("image", f"the cluster cannot pull it ({state.status})")
    if state.trouble == "start":
        raise EngineError(f"Failed to start server: {state.status}")


def _replicas(found: Mapping[str, Any]) -> int:
    wanted: int = found["spec"].get("replicas", 1)
    return wanted


def _owned(found: Mapping[str, Any], pods: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The pods of a StatefulSet: not those of one of its name that is gone."""
    uid = found["metadata"]["uid"]
    return [pod for pod in pods if any(owner["uid"] == uid for owner in pod["metadata"].get("ownerReferences") or [])]


def _described(found: Mapping[str, Any], pods: list[dict[str, Any]]) -> ContainerState:
    metadata = found["metadata"]
    state = state_of(_replicas(found), pods)
    labels = {name: value for name, value in metadata["labels"].items() if name != TOKEN}
    return ContainerState(
        container_id=metadata["uid"],
        name=(metadata.get("annotations") or {}).get(NAME, metadata["name"]),
        state=state.state,
        status=state.status,
        image=found["spec"]["template"]["spec"]["containers"][0]["image"],
        created=metadata.get("creationTimestamp") or "",
        labels={INSTANCE: "", **labels},
    )
