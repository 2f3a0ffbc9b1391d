"""Which runtime a program uses."""

from __future__ import annotations

from tool_api.errors import StartError
from tool_api.logs import log
from tool_api.registries import Registries
from tool_api.runtime.base import Runtime
from tool_api.runtime.simulated import SimulatedRuntime


async def choose_runtime(
    name: str, registries: Registries, instance: str, *, context: str = "", namespace: str = ""
) -> Runtime:
    """The runtime of this name; `auto` is a container engine where one answers.

    Args:
        name: auto, docker, kubernetes or simulated.
        registries: What simulated servers know their tools from.
        instance: What tells this API's containers from those of others.
        context: Of the cluster; empty is the current one.
        namespace: In the cluster; empty is that of the context.

    Raises:
        StartError: A runtime was requested and does not answer, or its client is not installed.
    """
    if name == "kubernetes":
        return await _connect_cluster(instance, context, namespace)
    if name != "simulated":
        # Imported where it is used: the SDK is slow to import.
        from tool_api.runtime.docker import connect_engine

        runtime = await connect_engine(instance)
        if runtime is not None:
            return runtime
        if name == "docker":
            raise StartError("no container engine answers; start Docker or Podman, or use --runtime simulated.")
        log("no_engine", level="warning", effect="servers are simulated; nothing is executed")
    return SimulatedRuntime(registries.tools_of)


async def _connect_cluster(instance: str, context: str, namespace: str) -> Runtime:
    try:
        # Imported where it is used: few need it, and it is an extra.
        from tool_api.runtime.kubernetes import ClusterSettings, connect_cluster
    except ModuleNotFoundError as error:
        raise StartError(
            f"Kubernetes needs its client ({error.name} is missing); install octavo-sandbox[kubernetes]."
        ) from error
    return await connect_cluster(ClusterSettings(context, namespace), instance)
