"""What is made in a cluster for one server: a pure mapping, whose results are objects of Kubernetes' own API."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import re
from collections.abc import Mapping
from typing import Any

from tool_api.creation import PROFILE_FIELD
from tool_api.errors import FieldError
from tool_api.runtime.base import INSTANCE, labels_of
from tool_api.store import Network, ServerRow, ServerSpec

Manifest = dict[str, Any]

NAME = "toolhive-name"
"""Label and annotation with the server's name; the label has another form of it where labels may not hold it."""

TOKEN = "toolhive-token"  # noqa: S105 - the label's name
"""Label that tells the objects of one create request from all others."""

API = {"toolhive-api": "true"}
"""Label of the pod of this API, which its servers let in."""

CONTAINER = "mcp"
STOP_S = 10
"""Seconds between SIGTERM and SIGKILL."""

MEMORY = "2Gi"
REQUESTED = {"cpu": "10m", "memory": "64Mi"}
"""What is set aside for a server. Without it, all of the limit would be."""

LONGEST_NAME = 39
"""Characters of an object's name, beside prefix and hash: pods and revisions append to it, and labels end at 63."""

TOKEN_DIGITS = 32

_LABEL_VALUE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")
_VARIABLE = re.compile(r"[-._a-zA-Z][-._a-zA-Z0-9]*")
_UNSAFE = re.compile(r"[^a-z0-9]+")
_ANY = "*"

# Addresses that are not of the public network, by the registries of IANA; `ipaddress` calls them not global.
_PRIVATE_4 = (
    *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"),
    *("192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4"),
    "240.0.0.0/4",
)
# Also what leads to addresses of version 4: 64:ff9b::/96 and its like, where a private one may be behind it. Mapped
# addresses (::ffff:0:0/96) go out as version 4, and an API server reads their network as one of that.
_PRIVATE_6 = (
    *("::/127", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001:db8::/32", "2002::/16"),
    *("fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"),
)


def object_name(server: str) -> str:
    """Name of a server's objects: a DNS label (RFC 1035), different for servers of different names."""
    plain = _UNSAFE.sub("-", server.lower()).strip("-")
    if plain == server and len(plain) <= LONGEST_NAME:
        return f"mcp-{plain}"
    return f"mcp-{plain[:LONGEST_NAME].rstrip('-')}-{hashlib.sha256(server.encode()).hexdigest()[:8]}"


def token_of(identifier: str) -> str:
    """Label of the objects of a create request, whose row has this identifier until it has that of a StatefulSet."""
    return identifier[:TOKEN_DIGITS]


def check(spec: ServerSpec, secrets: Mapping[str, str]) -> None:
    """Refuse what a cluster cannot do for a server.

    Raises:
        FieldError: It is refused; the text says which field and why.
    """
    if spec.mounts:
        raise FieldError(
            "volumes",
            "folders of this machine are not in the cluster, nor are those of a profile (read, write); put the files into the image",
        )
    for name in (*dict(spec.env), *secrets):
        if not _VARIABLE.fullmatch(name):
            raise FieldError("env_vars", f'"{name}" is not a name of a variable in Kubernetes')
    _egress(spec.network)


def manifests(row: ServerRow, secrets: Mapping[str, str], instance: str) -> list[Manifest]:
    """Describe the objects of a server, in the order in which they are made: nothing runs before it is confined.

    Args:
        row: The server; its identifier is that of the create request.
        secrets: Values by variable.
        instance: What tells this API's servers from those of others.

    Raises:
        FieldError: The cluster cannot do what is asked.
    """
    check(row.spec, secrets)
    found = [_network_policy(row, instance)]
    if secrets:
        found.append(_secret(row, secrets, instance))
    if row.spec.transport != "stdio":
        found.append(_service(row, instance))
    return [*found, _stateful_set(row, secrets, instance)]


def selector_of(row: ServerRow) -> dict[str, str]:
    """Labels that the pods of a server have, and no others."""
    return {TOKEN: token_of(row.container_id)}


def _object(api_version: str, kind: str, row: ServerRow, instance: str, **parts: Any) -> Manifest:
    metadata = {
        "name": object_name(row.name),
        "labels": _labels(row, instance),
        "annotations": {NAME: row.name},
    }
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **parts}


def _labels(row: ServerRow, instance: str) -> dict[str, str]:
    shown = row.name if _LABEL_VALUE.fullmatch(row.name) else object_name(row.name)
    names = {NAME: shown, "toolhive-basename": shown}
    return {**labels_of(row.spec, row.port, "kubernetes"), **names, INSTANCE: instance, **selector_of(row)}


def _secret(row: ServerRow, secrets: Mapping[str, str], instance: str) -> Manifest:
    data = {name: base64.b64encode(value.encode()).decode() for name, value in secrets.items()}
    return _object("v1", "Secret", row, instance, type="Opaque", data=data)


def _service(row: ServerRow, instance: str) -> Manifest:
    port = row.spec.target_port
    ports = [{"name": "mcp", "protocol": "TCP", "port": port, "targetPort": port}]
    return _object("v1", "Service", row, instance, spec={"selector": selector_of(row), "ports": ports})


def _network_policy(row: ServerRow, instance: str) -> Manifest:
    ingress = []
    if row.spec.transport != "stdio":
        ports = [{"protocol": "TCP", "port": row.spec.target_port}]
        ingress.append({"from": [{"podSelector": {"matchLabels": API}}], "ports": ports})
    spec = {
        "podSelector": {"matchLabels": selector_of(row)},
        # Named, both: a direction that is not named is open.
        "policyTypes": ["Ingress", "Egress"],
        "ingress": ingress,
        "egress": _egress(row.spec.network),
    }
    return _object("networking.k8s.io/v1", "NetworkPolicy", row, instance, spec=spec)


def _egress(network: Network) -> list[Manifest]:
    if network.mode == "none":
        return []
    if network.mode == "open":
        return [{}]
    ports = [{"protocol": "TCP", "port": port} for port in network.ports] or [{"protocol": "TCP"}]
    hosts = network.hosts or (_ANY,)
    rules = [{"to": [block for host in hosts for block in _blocks(host)], "ports": ports}]
    if _ANY in hosts:
        rules.append(_NAMES)
    return rules


def _blocks(host: str) -> list[Manifest]:
    """Addresses of a host of the rules; `*` is the public network, as in the rules of a container's proxy."""
    if host == _ANY:
        return [
            {"ipBlock": {"cidr": "0.0.0.0/0", "except": list(_PRIVATE_4)}},
            {"ipBlock": {"cidr": "::/0", "except": list(_PRIVATE_6)}},
        ]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise FieldError(
            f"{PROFILE_FIELD}.network.outbound.allow_host",
            f'"{host}" can\'t be enforced: a NetworkPolicy knows addresses, not names; give its address or *',
        ) from None
    # A cluster takes a mapped address for one of version 4, whose network it is not.
    address = (address.version == 6 and address.ipv4_mapped) or address
    return [{"ipBlock": {"cidr": f"{address}/{address.max_prefixlen}"}}]


_NAMES: Manifest = {
    "to": [{"namespaceSelector": {}, "podSelector": {"matchLabels": {"k8s-app": "kube-dns"}}}],
    "ports": [{"protocol": "UDP", "port": 53}, {"protocol": "TCP", "port": 53}],
}
"""To the cluster's own resolver, without which a server that may reach the public network finds nothing there."""


def _stateful_set(row: ServerRow, secrets: Mapping[str, str], instance: str) -> Manifest:
    spec = {
        # `start` raises the number: creating a server does not run it.
        "replicas": 0,
        "serviceName": object_name(row.name),
        "podManagementPolicy": "Parallel",
        "selector": {"matchLabels": selector_of(row)},
        "template": {
            "metadata": {"labels": _labels(row, instance), "annotations": {NAME: row.name}},
            "spec": _pod(row, secrets),
        },
    }
    return _object("apps/v1", "StatefulSet", row, instance, spec=spec)


def _pod(row: ServerRow, secrets: Mapping[str, str]) -> Manifest:
    return {
        "containers": [_container(row, secrets)],
        "restartPolicy": "Always",
        "terminationGracePeriodSeconds": STOP_S,
        # The server is not the first process then, which would ignore SIGTERM, and its orphans are reaped.
        "shareProcessNamespace": True,
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
    }


def _container(row: ServerRow, secrets: Mapping[str, str]) -> Manifest:
    spec = row.spec
    is_stdio = spec.transport == "stdio"
    own = {} if is_stdio else {"MCP_TRANSPORT": spec.transport, "MCP_PORT": str(spec.target_port)}
    plain = {name: value for name, value in {**own, **dict(spec.env)}.items() if name not in secrets}
    found: Manifest = {
        "name": CONTAINER,
        "image": spec.image,
        "imagePullPolicy": "IfNotPresent",
        "env": [
            *({"name": name, "value": _literal(value)} for name, value in plain.items()),
            *(
                {"name": name, "valueFrom": {"secretKeyRef": {"name": object_name(row.name), "key": name}}}
                for name in secrets
            ),
        ],
        # Not closed when the first client of it goes.
        "stdin": is_stdio,
        "stdinOnce": False,
        "resources": {"limits": {"memory": MEMORY}, "requests": dict(REQUESTED)},
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
    }
    if spec.arguments:
        found["args"] = [_literal(argument) for argument in spec.arguments]
    if not is_stdio:
        found["ports"] = [{"name": "mcp", "containerPort": spec.target_port, "protocol": "TCP"}]
    return found


def _literal(text: str) -> str:
    """Write a text that Kubernetes does not expand: it replaces `$(NAME)` in values and arguments."""
    return text.replace("$", "$$")
