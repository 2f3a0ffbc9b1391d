"""What engines say about the networks that are made for one server each."""

from __future__ import annotations

from typing import Any

import pytest

from tool_api.errors import FieldError
from tool_api.runtime import docker

LABELS = {"toolhive": "true", docker.TOKEN: "0123456789abcdef"}
IDENTIFIER = "eb90f0389d0920b25963ac6e255e575ff0130b5feb663318dabed0c9bfd2257c"


def network(gateway: str | None, options: dict[str, str] | None = None, **fields: Any) -> dict[str, Any]:
    config = {"Subnet": "10.89.0.0/24"} | ({} if gateway is None else {"Gateway": gateway})
    return {"Id": IDENTIFIER, "IPAM": {"Config": [config]}, "Options": options, "Labels": LABELS} | fields


@pytest.mark.parametrize(("gateway", "address"), [("172.18.0.1", "172.18.0.1"), ("fd00::1/64", "fd00::1")])
def test_gateway_is_the_address_of_this_machine(gateway: str, address: str) -> None:
    assert docker.gateway_of(network(gateway)) == address


@pytest.mark.parametrize("found", [network("<nil>"), network(""), network(None), network("1", IPAM={"Config": None})])
def test_network_without_this_machine_is_refused_with_the_reason(found: dict[str, Any]) -> None:
    """The first is what Podman 4.3 with CNI says of an internal network: the server would never answer."""
    with pytest.raises(FieldError, match=r"permission_profile.*no address on isolated networks"):
        docker.gateway_of(found)


def test_interface_is_the_one_that_was_asked_for_although_podman_does_not_tell_it() -> None:
    """Rules for another one would leave this machine open to the container."""
    asked = {docker.BRIDGE: "toolh-01234567"}
    assert (
        docker.bridge_of(network("10.89.0.1", asked)) == docker.bridge_of(network("10.89.0.1", {})) == "toolh-01234567"
    )
    assert docker.bridge_of(network("10.89.0.1", None, Labels=None)) == "br-eb90f0389d09"


@pytest.mark.parametrize(
    ("image", "names"),
    [
        ("clock", ("clock", "localhost/clock")),
        ("mine/clock:2", ("mine/clock:2", "localhost/mine/clock:2")),
        ("localhost/clock", ("localhost/clock",)),
        ("ghcr.io/mine/clock", ("ghcr.io/mine/clock",)),
        ("registry:5000/clock", ("registry:5000/clock",)),
    ],
)
def test_image_without_a_registry_may_be_one_that_podman_has_built(image: str, names: tuple[str, ...]) -> None:
    assert docker.names_of(image) == names


@pytest.mark.parametrize(
    "info", [{"Rootless": True}, {"SecurityOptions": ["name=seccomp,profile=default", "name=rootless"]}]
)
def test_networks_of_an_engine_without_root_are_refused_with_the_way_out(info: dict[str, Any]) -> None:
    """Podman, then Docker. Requests to a server there would go to whoever has its address outside."""
    with pytest.raises(FieldError, match=r"permission_profile.*runs without root.*\"network\""):
        docker.refuse_rootless(info)


@pytest.mark.parametrize(
    "info", [{}, {"Rootless": False, "SecurityOptions": None}, {"SecurityOptions": ["name=seccomp"]}]
)
def test_networks_of_other_engines_are_not_refused(info: dict[str, Any]) -> None:
    docker.refuse_rootless(info)
