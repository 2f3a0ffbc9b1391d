"""What `deploy/` says of the server must be true of the server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from octavo.cli.serve import serve
from octavo.server.app import create_app
from octavo.server.run import _GRACE_S
from tests.support import paths
from tests.support.published import get, publish

DEPLOY = paths.DEPLOY


@pytest.fixture(scope="module")
def kinds() -> dict[str, Any]:
    documents = yaml.safe_load_all((DEPLOY / "kubernetes" / "docs.yaml").read_text())
    return {document["kind"]: document["spec"] for document in documents}


def instructions(name: str) -> list[str]:
    """Read the instructions of that name from the image's description, those of its last stage last."""
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    return re.findall(rf"^{name}\s+(.*)$", text, re.MULTILINE)


def command() -> list[str]:
    program, subcommand, *arguments = json.loads(instructions("CMD")[-1])
    assert (program, subcommand) == ("octavo", "serve")
    return [str(argument) for argument in arguments]


def test_image_starts_the_server_as_it_can_be_started(kinds: dict[str, Any]) -> None:
    asked = serve.make_context("serve", command()).params
    assert asked["no_build"]
    assert f"--out {asked['out']} " in " ".join(instructions("RUN")) + " "
    container = kinds["Deployment"]["template"]["spec"]["containers"][0]
    assert container["ports"][0]["containerPort"] == asked["port"] == int(instructions("EXPOSE")[0])


def test_health_is_asked_where_the_server_tells_it(kinds: dict[str, Any], tmp_path: Path) -> None:
    container = kinds["Deployment"]["template"]["spec"]["containers"][0]
    paths = {container[probe]["httpGet"]["path"] for probe in ("readinessProbe", "livenessProbe")}
    paths |= set(re.findall(r"127\.0\.0\.1:3000(/\w+)", instructions("HEALTHCHECK")[0]))
    assert [get(create_app(publish(tmp_path / "out")), path).status for path in paths] == [200]


def test_container_has_no_rights_and_writes_only_where_it_may(kinds: dict[str, Any]) -> None:
    pod = kinds["Deployment"]["template"]["spec"]
    container = pod["containers"][0]
    assert pod["securityContext"]["runAsNonRoot"]
    assert instructions("USER") == [f"{pod['securityContext']['runAsUser']}:{pod['securityContext']['runAsGroup']}"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    # The server writes below the site's folder, which is the one that it is started in.
    assert f"{instructions('WORKDIR')[-1]}/.octavo" in [mount["mountPath"] for mount in container["volumeMounts"]]


def test_manifests_have_what_a_cluster_asks_for() -> None:
    documents = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "docs.yaml").read_text()))
    versions = {"Deployment": "apps/v1", "Service": "v1", "PodDisruptionBudget": "policy/v1"}
    assert {document["kind"]: document["apiVersion"] for document in documents} == versions
    for document in documents:
        assert re.fullmatch(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", document["metadata"]["name"])
        assert document["spec"]["selector"]
    deployment = documents[0]["spec"]
    assert deployment["selector"]["matchLabels"] == deployment["template"]["metadata"]["labels"]
    pod = deployment["template"]["spec"]
    [container] = pod["containers"]
    assert {"name", "image", "ports", "resources", "readinessProbe", "livenessProbe"} <= container.keys()
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}


def test_service_leads_to_the_server_and_keeps_a_reader_with_one_replica(kinds: dict[str, Any]) -> None:
    [container] = kinds["Deployment"]["template"]["spec"]["containers"]
    [port] = kinds["Service"]["ports"]
    assert port["targetPort"] in [port["name"] for port in container["ports"]]
    assert kinds["Service"]["sessionAffinity"] == "ClientIP"


def test_replicas_are_exchanged_without_a_gap(kinds: dict[str, Any]) -> None:
    deployment = kinds["Deployment"]
    assert deployment["replicas"] >= 2
    assert deployment["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    pause_s = int(deployment["template"]["spec"]["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][1])
    assert deployment["template"]["spec"]["terminationGracePeriodSeconds"] > pause_s + _GRACE_S
    assert kinds["Service"]["selector"].items() <= deployment["template"]["metadata"]["labels"].items()
    assert kinds["PodDisruptionBudget"]["selector"]["matchLabels"] == deployment["selector"]["matchLabels"]


@pytest.mark.parametrize("path", sorted(DEPLOY.glob("*.conf")), ids=lambda path: path.name)
def test_blocks_of_nginx_are_closed_and_statements_ended(path: Path) -> None:
    lines = [
        line.strip() for line in path.read_text().splitlines() if line.strip() and not line.strip().startswith("#")
    ]
    assert sum(line.count("{") - line.count("}") for line in lines) == 0
    assert [line for line in lines if line[-1] not in "{};"] == []


def test_image_takes_in_only_what_it_is_made_of() -> None:
    allowed = {line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line[0] == "!"}
    copied = {word for line in instructions("COPY") if "--from" not in line for word in line.split()[:-1]}
    assert copied - {"${SITE}"} <= allowed
    assert "site" in allowed
