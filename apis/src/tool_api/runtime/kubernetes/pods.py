"""What a pod's status says about its server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_IMAGE = frozenset(("ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError"))
_START = frozenset(("CreateContainerConfigError", "CreateContainerError", "RunContainerError"))
_CRASHED = "CrashLoopBackOff"


@dataclass(frozen=True, slots=True)
class PodState:
    """A server's state in the words of the contract."""

    state: str
    """created, running, restarting or exited."""

    status: str
    """The same as people read it."""

    trouble: str = ""
    """image or start, where the server will not run without a change."""


EXITED = PodState("exited", "Stopped")
WAITING = PodState("created", "Waiting for its pod")


def state_of(replicas: int, pods: Sequence[Mapping[str, Any]]) -> PodState:
    """Tell the state of a server.

    Args:
        replicas: How many pods are wanted: none of a server that is stopped.
        pods: Its pods as the cluster describes them; one that is about to end may be beside its successor.
    """
    live = [pod for pod in pods if not pod["metadata"].get("deletionTimestamp")]
    if live:
        return _of_pod(live[0].get("status") or {})
    return WAITING if replicas else EXITED


def has_ended(pod: Mapping[str, Any]) -> bool:
    """Return whether nothing of a pod that is being deleted runs any more.

    The object itself stays for longer: a kubelet looks every ten seconds for what it may remove. Some kubelets forget a
    container that has ended meanwhile, and then say that it waits, and that the one before it has ended.
    """
    containers = (pod.get("status") or {}).get("containerStatuses") or []
    is_deleted = bool(pod["metadata"].get("deletionTimestamp"))
    return is_deleted and bool(containers) and all(map(_container_has_ended, containers))


def _container_has_ended(container: Mapping[str, Any]) -> bool:
    state, former = container.get("state") or {}, container.get("lastState") or {}
    is_over = state.get("waiting") is not None and former.get("terminated") is not None
    return state.get("terminated") is not None or is_over


def _of_pod(status: Mapping[str, Any]) -> PodState:
    containers = status.get("containerStatuses") or []
    if not containers:
        return PodState("created", _why_not_placed(status))
    container = containers[0]
    state, restarts = container.get("state") or {}, container.get("restartCount", 0)
    if (running := state.get("running")) is not None:
        since = f" since {running['startedAt']}" if running.get("startedAt") else ""
        return PodState("running", f"Up{since}" + (f", restarted {restarts} times" if restarts else ""))
    if (ended := state.get("terminated")) is not None:
        return PodState("restarting", f"Ended with {ended.get('exitCode')}; it is started again")
    waiting = state.get("waiting") or {}
    reason, message = waiting.get("reason", ""), waiting.get("message", "")
    if reason == _CRASHED:
        return PodState("restarting", f"Ended {restarts} times; it is started again")
    trouble = "image" if reason in _IMAGE else "start" if reason in _START else ""
    return PodState("created", ": ".join(filter(None, (reason, message))) or "Waiting", trouble)


def _why_not_placed(status: Mapping[str, Any]) -> str:
    for condition in status.get("conditions") or []:
        if condition.get("type") == "PodScheduled" and condition.get("status") == "False":
            return condition.get("message") or condition.get("reason") or "No node takes it"
    return "Waiting for its container"
