"""What is made in a cluster for a server, against the official client's models of the published API."""

from __future__ import annotations

import base64
import ipaddress
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from kubernetes import client

from tool_api.creation.permissions import enforceable
from tool_api.errors import BadRequestError, ConflictError, EngineError, FieldError
from tool_api.models import Profile
from tool_api.runtime.base import INSTANCE
from tool_api.runtime.kubernetes.cluster import ObjectGoneError, translate
from tool_api.runtime.kubernetes.manifests import API, NAME, TOKEN, Manifest, manifests, object_name
from tool_api.runtime.kubernetes.pods import has_ended, state_of
from tool_api.store import Mount, Network, ServerRow, ServerSpec

INSTANCE_ID = "5f" * 16
REQUEST = "9a" * 32
DNS_LABEL = re.compile(r"[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?")
LABEL_VALUE = re.compile(r"(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?")
MODELS: dict[str, Any] = {
    "StatefulSet": client.V1StatefulSet,
    "Service": client.V1Service,
    "Secret": client.V1Secret,
    "NetworkPolicy": client.V1NetworkPolicy,
}


def row_of(name: str = "time", **fields: Any) -> ServerRow:
    spec = ServerSpec(name, "example.com/mcp/time:1", **fields)
    return ServerRow(spec, REQUEST, 40001, "creating", "running", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z")


def made(row: ServerRow, secrets: dict[str, str] | None = None) -> dict[str, Manifest]:
    return {found["kind"]: found for found in manifests(row, secrets or {}, INSTANCE_ID)}


def container_of(found: dict[str, Manifest]) -> Manifest:
    (container,) = found["StatefulSet"]["spec"]["template"]["spec"]["containers"]
    return dict(container)


def network(**outbound: Any) -> Network:
    profile = {"read": [], "write": [], "network": {"outbound": outbound}}
    return enforceable(Profile.model_validate(profile)).network


NETWORKS = {
    "none": Network("none"),
    "open": Network("open"),
    "public": network(allow_host=["*"], allow_port=[443]),
    "tcp": network(allow_transport=["tcp"]),
    "addresses": network(allow_host=["192.0.2.7", "2001:db8::7"], allow_port=[80, 443]),
}
SERVERS = {
    "stdio": row_of(),
    "http": row_of(transport="streamable-http", target_port=8000),
    "much": row_of("A.b_c-", transport="sse", target_port=80, arguments=("--zone", "$(X)"), env=(("A.B", "c"),)),
    **{f"network {name}": row_of(network=found) for name, found in NETWORKS.items()},
}


@pytest.mark.parametrize("row", SERVERS.values(), ids=SERVERS)
@pytest.mark.parametrize("secrets", [{}, {"API_KEY": "kiln=glaze\n"}], ids=["plain", "secret"])
def test_objects_are_those_of_the_published_api(row: ServerRow, secrets: dict[str, str]) -> None:
    """The models are generated from it: types are checked, and what they do not know would be lost."""
    found = made(row, secrets)
    for kind, manifest in found.items():
        model = MODELS[kind].from_dict(manifest)
        assert client.ApiClient().sanitize_for_serialization(model) == manifest
    is_http = row.spec.transport != "stdio"
    assert list(found) == [
        "NetworkPolicy",
        *(["Secret"] if secrets else []),
        *(["Service"] if is_http else []),
        "StatefulSet",
    ]


def test_models_refuse_what_the_api_does_not_have() -> None:
    manifest = made(row_of())["StatefulSet"]
    manifest["spec"]["template"]["spec"]["restartPolicyy"] = "Always"
    assert client.ApiClient().sanitize_for_serialization(client.V1StatefulSet.from_dict(manifest)) != manifest


@pytest.mark.parametrize("row", SERVERS.values(), ids=SERVERS)
def test_names_and_labels_have_the_form_that_clusters_take(row: ServerRow) -> None:
    for manifest in made(row, {"KEY": "x"}).values():
        metadata = manifest["metadata"]
        assert DNS_LABEL.fullmatch(metadata["name"])
        assert [value for value in metadata["labels"].values() if not LABEL_VALUE.fullmatch(value)] == []
        assert metadata["annotations"][NAME] == row.name
        assert metadata["labels"][INSTANCE] == INSTANCE_ID


def test_names_of_objects_are_as_different_as_those_of_servers() -> None:
    names = ["time", "Time", "t.ime", "t-ime", "t_ime", "time.", "9", "a" * 63, "a" * 62 + "b", "a" * 41]
    found = [object_name(name) for name in names]
    assert len(set(found)) == len(names)
    # Names of pods end in -0, and a label of theirs in the hash of a revision, of ten characters and a dash.
    assert [name for name in found if not DNS_LABEL.fullmatch(name) or len(name) + 11 > 63] == []
    assert object_name("time") == "mcp-time"


def test_selectors_choose_the_pods_of_one_create_request_only() -> None:
    found = made(row_of(transport="sse", target_port=80))
    chosen = {TOKEN: REQUEST[:32]}
    assert found["StatefulSet"]["spec"]["selector"]["matchLabels"] == chosen
    assert found["Service"]["spec"]["selector"] == chosen
    assert found["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"] == chosen
    assert chosen.items() <= found["StatefulSet"]["spec"]["template"]["metadata"]["labels"].items()
    other = replace(row_of(), container_id="8b" * 32)
    assert made(other)["StatefulSet"]["spec"]["selector"]["matchLabels"] != chosen


def test_nothing_runs_before_it_is_started() -> None:
    assert made(row_of())["StatefulSet"]["spec"]["replicas"] == 0


def test_pods_have_no_rights() -> None:
    found = made(row_of())
    pod = found["StatefulSet"]["spec"]["template"]["spec"]
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"] == {"seccompProfile": {"type": "RuntimeDefault"}}
    container = container_of(found)
    assert container["securityContext"] == {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
    assert container["resources"]["limits"] == {"memory": "2Gi"}


def test_values_arrive_as_they_were_given() -> None:
    """Kubernetes replaces $(NAME) in values and arguments; $$ is a dollar sign."""
    env = (("PRICE", "5$"), ("PATH_OF", "$(HOME)/$$x"))
    container = container_of(made(row_of(arguments=("--key=$(API_KEY)",), env=env)))
    assert container["args"] == ["--key=$$(API_KEY)"]
    assert {one["name"]: one["value"].replace("$$", "$") for one in container["env"]} == dict(env)
    assert "args" not in container_of(made(row_of())), "the image's own"


def test_secrets_are_in_the_secret_only() -> None:
    found = made(row_of(env=(("API_KEY", "placeholder"),)), {"API_KEY": "kiln-glaze"})
    assert base64.b64decode(found["Secret"]["data"]["API_KEY"]) == b"kiln-glaze"
    reference = {"secretKeyRef": {"name": found["Secret"]["metadata"]["name"], "key": "API_KEY"}}
    assert container_of(found)["env"] == [{"name": "API_KEY", "valueFrom": reference}]
    del found["Secret"]
    assert "kiln-glaze" not in str(found)


def test_standard_input_stays_open_for_stdio_only() -> None:
    stdio = container_of(made(row_of()))
    assert (stdio["stdin"], stdio["stdinOnce"], "ports" in stdio) == (True, False, False)
    http = container_of(made(row_of(transport="sse", target_port=80)))
    assert (http["stdin"], http["ports"][0]["containerPort"]) == (False, 80)
    assert {"name": "MCP_PORT", "value": "80"} in http["env"]


class TestNetworkPolicy:
    def rules(self, row: ServerRow) -> Manifest:
        spec: Manifest = made(row)["NetworkPolicy"]["spec"]
        assert spec["policyTypes"] == ["Ingress", "Egress"]
        return spec

    def test_only_the_api_comes_in(self) -> None:
        assert self.rules(row_of())["ingress"] == []
        (rule,) = self.rules(row_of(transport="sse", target_port=80))["ingress"]
        assert rule == {"from": [{"podSelector": {"matchLabels": API}}], "ports": [{"protocol": "TCP", "port": 80}]}

    def test_none_and_open(self) -> None:
        assert self.rules(row_of(network=NETWORKS["none"]))["egress"] == []
        assert self.rules(row_of(network=NETWORKS["open"]))["egress"] == [{}]

    def test_addresses_and_ports_without_names(self) -> None:
        (rule,) = self.rules(row_of(network=NETWORKS["addresses"]))["egress"]
        assert [peer["ipBlock"]["cidr"] for peer in rule["to"]] == ["192.0.2.7/32", "2001:db8::7/128"]
        assert rule["ports"] == [{"protocol": "TCP", "port": 80}, {"protocol": "TCP", "port": 443}]

    def test_mapped_address_is_that_of_version_4(self) -> None:
        (rule,) = self.rules(row_of(network=network(allow_host=["::ffff:192.0.2.7"])))["egress"]
        assert [peer["ipBlock"]["cidr"] for peer in rule["to"]] == ["192.0.2.7/32"]

    @pytest.mark.parametrize("name", ["public", "tcp"])
    def test_any_host_is_the_public_network_and_the_resolver(self, name: str) -> None:
        rule, resolver = self.rules(row_of(network=NETWORKS[name]))["egress"]
        assert {port["port"] for port in resolver["ports"]} == {53}
        blocks = [peer["ipBlock"] for peer in rule["to"]]
        for address in ("1.1.1.1", "2606:4700::1111"):
            assert allows(blocks, address)
        for address in PRIVATE:
            assert not allows(blocks, address)
        for block in blocks:  # an API server refuses an exception that is not inside
            whole = ipaddress.ip_network(block["cidr"])
            assert all(ipaddress.ip_network(one).subnet_of(whole) for one in block["except"])
            assert not any(one.startswith("::ffff:") for one in block["except"])  # read as version 4 there

    @pytest.mark.parametrize("host", ["example.com", "*.example.com"])
    def test_names_of_hosts_are_refused(self, host: str) -> None:
        with pytest.raises(FieldError, match="a NetworkPolicy knows addresses, not names"):
            made(row_of(network=network(allow_host=[host])))


PRIVATE = (
    *("10.1.2.3", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.168.1.1", "100.64.0.1", "0.0.0.0", "224.0.0.1"),
    *("::1", "fe80::1", "fd00::1", "64:ff9b::a00:1", "ff02::1", "2002:a00:1::1"),
)


def allows(blocks: Iterable[dict[str, Any]], address: str) -> bool:
    found = ipaddress.ip_address(address)
    return any(
        found in ipaddress.ip_network(block["cidr"])
        and not any(found in ipaddress.ip_network(one) for one in block["except"])
        for block in blocks
        if ipaddress.ip_network(block["cidr"]).version == found.version
    )


def test_folders_of_this_machine_are_refused() -> None:
    with pytest.raises(FieldError, match="volumes: folders of this machine are not in the cluster"):
        made(row_of(mounts=(Mount("/srv", "/srv", read_only=True),)))


@pytest.mark.parametrize("name", ["A B", "1A", "Ä", ""])
def test_variables_that_the_api_refuses_are_named(name: str) -> None:
    for row, secrets in ((row_of(env=((name, "x"),)), {}), (row_of(), {name: "x"})):
        with pytest.raises(FieldError, match="env_vars"):
            made(row, secrets)


def pod(*, deleted: bool = False, conditions: Any = None, **state: Any) -> dict[str, Any]:
    containers = [{"name": "mcp", "restartCount": 3 if "waiting" in state else 0, "state": state}] if state else None
    metadata = {"name": "mcp-time-0"} | ({"deletionTimestamp": "2026-01-01T00:00:00Z"} if deleted else {})
    return {"metadata": metadata, "status": {"containerStatuses": containers, "conditions": conditions}}


RUNNING = pod(running={"startedAt": "2026-01-01T00:00:00Z"})
UNPLACED = [{"type": "PodScheduled", "status": "False", "message": "0/3 nodes: insufficient memory"}]


@pytest.mark.parametrize(
    ("replicas", "pods", "state", "said", "trouble"),
    [
        (0, [], "exited", "Stopped", ""),
        (1, [], "created", "Waiting for its pod", ""),
        (1, [pod()], "created", "Waiting for its container", ""),
        (1, [pod(conditions=UNPLACED)], "created", "insufficient memory", ""),
        (1, [RUNNING], "running", "Up since 2026", ""),
        (1, [pod(running={})], "running", "Up", ""),
        (0, [pod(deleted=True, running={})], "exited", "Stopped", ""),
        (1, [pod(deleted=True, running={}), RUNNING], "running", "Up", ""),
        (1, [pod(terminated={"exitCode": 1})], "restarting", "Ended with 1", ""),
        (1, [pod(waiting={"reason": "CrashLoopBackOff"})], "restarting", "Ended 3 times", ""),
        (1, [pod(waiting={"reason": "ContainerCreating"})], "created", "ContainerCreating", ""),
        (1, [pod(waiting={"reason": "ErrImagePull", "message": "no such"})], "created", "ErrImagePull: no", "image"),
        (1, [pod(waiting={"reason": "CreateContainerConfigError"})], "created", "ConfigError", "start"),
        (1, [{"metadata": {}, "status": None}], "created", "Waiting", ""),
    ],
)
def test_states_are_those_of_the_contract(
    replicas: int, pods: list[dict[str, Any]], state: str, said: str, trouble: str
) -> None:
    found = state_of(replicas, pods)
    assert (found.state, found.trouble) == (state, trouble)
    assert said in found.status


@pytest.mark.parametrize(
    ("status", "body", "kind", "said"),
    [
        (404, b"", ObjectGoneError, "gone from the cluster"),
        (409, b'{"message": "exists"}', ConflictError, "has this name already"),
        (422, b'{"message": "spec.x: Required"}', BadRequestError, "The cluster refused: spec.x: Required"),
        (403, '{"message": "secrets is forbidden"}', EngineError, "let this program do that: secrets is forbidden"),
        (400, b"<html>", BadRequestError, "<html>"),
        (500, b"[]", EngineError, "The cluster refused"),
        (None, None, EngineError, "The cluster refused"),
    ],
)
def test_refusals_of_the_cluster_are_sentences(status: int | None, body: Any, kind: type, said: str) -> None:
    error = translate(status, body)
    assert type(error) is kind
    assert said in str(error)


@pytest.mark.parametrize(
    ("is_deleted", "states", "expected"),
    [
        (True, [{"terminated": {"exitCode": 0}}], True),
        (True, [{"terminated": {"exitCode": 137}}, {"running": {}}], False),
        (True, [{"running": {}}], False),
        (True, [{}], False),
        (True, [], False),
        (False, [{"terminated": {"exitCode": 1}}], False),
    ],
    ids=["ended", "one runs", "runs", "unknown", "never placed", "is started again"],
)
def test_pod_has_ended(is_deleted: bool, states: list[dict[str, Any]], expected: bool) -> None:
    metadata = {"deletionTimestamp": "2026-01-01T00:00:00Z"} if is_deleted else {}
    assert (
        has_ended({"metadata": metadata, "status": {"containerStatuses": [{"state": one} for one in states]}})
        is expected
    )


@pytest.mark.parametrize(
    ("former", "state", "expected"),
    [
        ({"terminated": {"exitCode": 137, "reason": "ContainerStatusUnknown"}}, {"waiting": {}}, True),
        ({}, {"waiting": {"reason": "ContainerCreating"}}, False),
        ({"terminated": {"exitCode": 1}}, {"running": {}}, False),
    ],
)
def test_pod_has_ended_whose_container_was_forgotten(
    former: dict[str, Any], state: dict[str, Any], expected: bool
) -> None:
    """As a kubelet of 1.20 said it: the container had ended after .6 seconds, the object went after ten."""
    status = {"containerStatuses": [{"state": state, "lastState": former}]}
    assert has_ended({"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}, "status": status}) is expected
