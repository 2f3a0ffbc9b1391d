"""Calls of a cluster's API, by the official client."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from kubernetes import client, config
from kubernetes.client.exceptions import ApiException
from kubernetes.config.config_exception import ConfigException
from kubernetes.config.incluster_config import InClusterConfigLoader
from kubernetes.dynamic import DynamicClient
from kubernetes.dynamic.exceptions import DynamicApiError
from urllib3.exceptions import HTTPError

from tool_api.errors import BadRequestError, ConflictError, EngineError
from tool_api.logs import log

T = TypeVar("T")

TIMEOUT_S = 30
"""Longest wait for an answer of the cluster's API."""

DEFAULT_NAMESPACE = "default"
_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")

KINDS = {
    "StatefulSet": "apps/v1",
    "Service": "v1",
    "Secret": "v1",
    "NetworkPolicy": "networking.k8s.io/v1",
    "Pod": "v1",
    "Event": "v1",
}
"""Kinds of objects that are made or read, and the versions of their APIs."""


class ObjectGoneError(EngineError):
    """What was asked about is not there."""


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """Which cluster."""

    context: str = ""
    """Of the kubeconfig file; empty is its current one, or that of the pod this program runs in."""

    namespace: str = ""
    """Empty is that of the context or pod."""


class Cluster:
    """One namespace of a cluster. Calls block; `call_cluster` runs them in a thread.

    Raises:
        ConfigException: There is no configuration of a cluster.
    """

    def __init__(self, settings: ClusterSettings) -> None:
        self.settings = settings
        self.is_inside = not settings.context and _ACCOUNT.joinpath("token").is_file()
        """Whether this program runs in the cluster, where services have names."""
        self.api, own = _inside() if self.is_inside else _outside(settings.context)
        self.namespace = settings.namespace or own or DEFAULT_NAMESPACE
        self.address = str(self.api.configuration.host)
        self._dynamic: Any = None
        # The client keeps what it has found out in a file. Its own choice is a known name in a folder of everybody,
        # where others could put another one before.
        self._folder = tempfile.TemporaryDirectory(prefix="octavo-cluster-")

    def create(self, manifest: Mapping[str, Any]) -> dict[str, Any]:
        """Make an object; returns it as the cluster has it."""
        made = self._kind(manifest["kind"]).create(
            body=dict(manifest), namespace=self.namespace, field_validation="Strict", _request_timeout=TIMEOUT_S
        )
        return _plain(made)

    def get(self, kind: str, name: str) -> dict[str, Any]:
        return _plain(self._kind(kind).get(name=name, namespace=self.namespace, _request_timeout=TIMEOUT_S))

    def list(self, kind: str, labels: Mapping[str, str]) -> list[dict[str, Any]]:
        """Objects that have all these labels."""
        found = self._kind(kind).get(
            namespace=self.namespace, label_selector=_selector(labels), _request_timeout=TIMEOUT_S
        )
        items: list[dict[str, Any]] = _plain(found)["items"]
        return items

    def scale(self, name: str, replicas: int) -> None:
        """Change how many pods a StatefulSet has."""
        self._kind("StatefulSet").patch(
            name=name,
            namespace=self.namespace,
            body={"spec": {"replicas": replicas}},
            content_type="application/merge-patch+json",
            _request_timeout=TIMEOUT_S,
        )

    def delete(self, kind: str, item: Mapping[str, Any], *, grace_s: int | None = None) -> None:
        """Delete just this object: not one of its name that was made later. One that is gone is not a failure."""
        metadata = item["metadata"]
        options: dict[str, Any] = {
            "apiVersion": "v1",
            "kind": "DeleteOptions",
            "preconditions": {"uid": metadata["uid"]},
            "propagationPolicy": "Background",
        }
        if grace_s is not None:
            options["gracePeriodSeconds"] = grace_s
        try:
            self._kind(kind).delete(
                name=metadata["name"], namespace=self.namespace, body=options, _request_timeout=TIMEOUT_S
            )
        except DynamicApiError as error:
            if error.status not in {404, 409}:
                raise

    def why_no_pod(self, item: Mapping[str, Any]) -> str:
        """What was said last against making a pod of a StatefulSet, e.g. a quota or the level of Pod Security."""
        found = self._kind("Event").get(
            namespace=self.namespace,
            field_selector=f"involvedObject.uid={item['metadata']['uid']},reason=FailedCreate",
            _request_timeout=TIMEOUT_S,
        )
        events = sorted(_plain(found)["items"], key=lambda one: one.get("lastTimestamp") or "")
        return str(events[-1].get("message", "")) if events else ""

    def pods_api(self) -> client.CoreV1Api:
        """For streams of pods, which the other client does not have."""
        return client.CoreV1Api(self.api)

    def close(self) -> None:
        """Close the connections."""
        _untyped(self.api).close()
        self._folder.cleanup()

    def _kind(self, kind: str) -> Any:
        if self._dynamic is None:
            self._dynamic = _untyped(DynamicClient)(self.api, cache_file=f"{self._folder.name}/cache.json")
        return self._dynamic.resources.get(api_version=KINDS[kind], kind=kind)


async def call_cluster(work: Callable[[], T]) -> T:
    """Do blocking work in a thread; what the cluster says against it becomes an error of ours."""
    try:
        return await asyncio.to_thread(work)
    except (ApiException, DynamicApiError) as error:
        raise translate(error.status, error.body) from error
    except (HTTPError, OSError) as error:
        raise EngineError("The cluster does not answer") from error


def translate(status: int | None, body: Any) -> Exception:
    """Make an error of ours of what the cluster answered.

    Args:
        status: Of HTTP.
        body: A `Status` object as JSON, if it is one.
    """
    said = _message(body)
    match status:
        case 404:
            return ObjectGoneError("The server is gone from the cluster")
        case 409:
            return ConflictError("The cluster has this name already")
        case 400 | 422:
            return BadRequestError(f"The cluster refused: {said}")
        case 401 | 403:
            log("cluster_refused", level="error", status=status, reason=said)
            return EngineError(f"The cluster does not let this program do that: {said}")
        case _:
            log("cluster_refused", level="error", status=status, reason=said)
            return EngineError("The cluster refused")


def _message(body: Any) -> str:
    text = body.decode(errors="replace") if isinstance(body, bytes) else str(body or "")
    try:
        found = json.loads(text)
    except ValueError:
        return text.strip()
    return str(found.get("message", "")) if isinstance(found, dict) else text


def _inside() -> tuple[client.ApiClient, str]:
    settings = client.Configuration()
    _untyped(InClusterConfigLoader)(
        token_filename=str(_ACCOUNT / "token"), cert_filename=str(_ACCOUNT / "ca.crt")
    ).load_and_set(settings)
    return client.ApiClient(settings), (_ACCOUNT / "namespace").read_text(encoding="utf-8").strip()


def _outside(context: str) -> tuple[client.ApiClient, str]:
    contexts, current = _untyped(config).list_kube_config_contexts()
    named = [one for one in contexts if one["name"] == context] if context else [current]
    if not named:
        raise ConfigException(f"there is no context {context}")
    settings = client.Configuration()
    _untyped(config).load_kube_config(context=context or None, client_configuration=settings)
    return client.ApiClient(settings), named[0]["context"].get("namespace", "")


def _untyped(part: Any) -> Any:
    """The client has types, but not for these parts of it."""
    return part


def _selector(labels: Mapping[str, str]) -> str:
    return ",".join(f"{name}={value}" for name, value in labels.items())


def _plain(found: Any) -> dict[str, Any]:
    plain: dict[str, Any] = found.to_dict()
    return plain
