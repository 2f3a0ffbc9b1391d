"""Permission profiles: which mounts and networks they become, and what is refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tool_api.creation.permissions import MAX_PROFILE_BYTES, Permissions, load_permissions, parse_mount
from tool_api.errors import FieldError
from tool_api.store import Mount, Network


def write_profile(folder: Path, profile: object) -> str:
    path = folder / "profile.json"
    path.write_text(profile if isinstance(profile, str) else json.dumps(profile), encoding="utf-8")
    return str(path)


def outbound(**rules: object) -> dict[str, object]:
    return {"network": {"outbound": rules}}


@pytest.mark.parametrize(("name", "mode"), [("network", "open"), ("none", "none")])
def test_named_profiles_mount_nothing(name: str, mode: str) -> None:
    permissions = load_permissions(name)
    assert permissions.mounts == ()
    assert permissions.network.mode == mode


@pytest.mark.parametrize(
    ("text", "may_choose", "mount"),
    [
        ("/clay:/data", True, Mount("/clay", "/data", read_only=False)),
        ("/clay:/data:ro", True, Mount("/clay", "/data", read_only=True)),
        ("/clay:/data:rw", True, Mount("/clay", "/data", read_only=False)),
        ("/clay:/data", False, Mount("/clay", "/data", read_only=False)),
        ("/clay", False, Mount("/clay", "/clay", read_only=False)),
        ("/clay:/process", True, Mount("/clay", "/process", read_only=False)),
    ],
)
def test_mounts_are_read(text: str, may_choose: bool, mount: Mount) -> None:
    assert parse_mount("volumes[0]", text, may_choose=may_choose) == mount


def test_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/kiln")
    assert parse_mount("volumes[0]", "~/clay:/data", may_choose=True).source == "/kiln/clay"


@pytest.mark.parametrize(
    ("text", "may_choose", "message"),
    [
        ("s3://clay:/data", True, "mounts of resources can't be enforced here"),
        ("/clay$HOME:/data", True, "holds a character that paths may not have here"),
        ("/clay\n:/data", True, "holds a character that paths may not have here"),
        ("/clay:/data:rwx", True, '"rwx" is not a mode; use ro or rw'),
        ("/clay:/data:ro", False, "expected host-path:container-path"),
        ("/clay", True, "expected host-path:container-path"),
        ("/clay:", True, "expected host-path:container-path"),
        (":/data", True, "expected host-path:container-path"),
        ("clay:/data", True, "the path of this machine must be absolute"),
        ("/clay:data", True, "the path in the container must be absolute, and not its root"),
        ("/clay:/data/../etc", True, "the path in the container must be absolute, and not its root"),
        ("/clay:/", True, "the path in the container must be absolute, and not its root"),
        ("/clay:/proc/1", True, "/proc of the container belongs to its kernel; mount to another path"),
        ("/clay:/sys", True, "/sys of the container belongs to its kernel; mount to another path"),
    ],
)
def test_what_is_no_mount_is_refused(text: str, may_choose: bool, message: str) -> None:
    with pytest.raises(FieldError) as error:
        parse_mount("volumes[3]", text, may_choose=may_choose)
    assert "volumes[3]" in str(error.value)
    assert message in str(error.value)


def test_write_goes_before_read_at_the_same_place(tmp_path: Path) -> None:
    profile = {"read": ["/clay", "/pots:/data", "/clay"], "write": ["/pots:/data"]}
    assert load_permissions(write_profile(tmp_path, profile)).mounts == (
        Mount("/clay", "/clay", read_only=True),
        Mount("/pots", "/data", read_only=False),
    )


@pytest.mark.parametrize(
    ("profile", "network"),
    [
        ({}, Network("none")),
        ({"network": None}, Network("none")),
        ({"read": None, "write": None, "network": {"outbound": None}}, Network("none")),
        (
            outbound(insecure_allow_all=None, allow_host=None, allow_port=[443], allow_transport=None),
            Network("filtered", (), (443,)),
        ),
        # Nothing is asked for by these.
        (
            {"name": "clay", "privileged": False, "network": {"mode": "", "inbound": {"allow_host": []}}},
            Network("none"),
        ),
        (outbound(), Network("none")),
        (outbound(insecure_allow_all=True), Network("open")),
        (outbound(insecure_allow_all=True, allow_host=["?"]), Network("open")),
        (
            outbound(allow_host=["Clay.Example", "*.kiln.example", "*"]),
            Network("filtered", ("clay.example", "*.kiln.example", "*"), ()),
        ),
        (outbound(allow_host=["::1", "10.0.0.1"]), Network("filtered", ("::1", "10.0.0.1"), ())),
        (outbound(allow_port=[1, 443, 65535]), Network("filtered", (), (1, 443, 65535))),
        (outbound(allow_transport=["tcp"]), Network("filtered", (), ())),
    ],
)
def test_outbound_rules_restrict_and_none_reach_nothing(tmp_path: Path, profile: object, network: Network) -> None:
    assert load_permissions(write_profile(tmp_path, profile)) == Permissions((), network)


@pytest.mark.parametrize(
    ("profile", "field", "message"),
    [
        (outbound(allow_transport=["tcp", "udp"]), "network.outbound.allow_transport", "udp can't be enforced"),
        (outbound(allow_port=[0]), "network.outbound.allow_port", "0 is not a port"),
        (outbound(allow_port=[65536]), "network.outbound.allow_port", "65536 is not a port"),
        (outbound(allow_host=["clay example"]), "network.outbound.allow_host", '"clay example" is not a host name'),
        (outbound(allow_host=["*.*.example"]), "network.outbound.allow_host", '"*.*.example" is not a host name'),
        (outbound(allow_host=[f"{'a' * 64}.example"]), "network.outbound.allow_host", "is not a host name"),
        ({"read": ["clay"]}, "read[0]", "the path of this machine must be absolute"),
        ({"write": ["/a", "/b:/proc"]}, "write[1]", "/proc of the container belongs to its kernel"),
        ({"read": ["/clay:/data", "/pots:/data"]}, "read[1]", '"/data" is "/clay" already'),
        ({"read": ["/clay:/data"], "write": ["/pots:/data/"]}, "write[0]", '"/data" is "/clay" already'),
        ({"read": 7}, "", "the file is not a profile; read: "),
        ("{", "", "the file is not a profile; "),
        # What is not known here may restrict, and a rule that is left out would let through what it forbids.
        ({"privileged": True}, "privileged", "not known here"),
        ({"network": {"mode": "none", "outbound": {"insecure_allow_all": True}}}, "network.mode", "not known here"),
        ({"network": {"inbound": {"allow_host": ["kiln"]}}}, "network.inbound", "not known here"),
        (outbound(allow_hosts=["kiln"], allow_port=[443]), "network.outbound.allow_hosts", 'do you mean "allow_host"?'),
        ({"Read": ["/clay"]}, "Read", 'do you mean "read"?'),
        (f'{{"name": "{"x" * MAX_PROFILE_BYTES}"}}', "", f"larger than {MAX_PROFILE_BYTES} bytes"),
    ],
)
def test_profile_that_cannot_be_enforced_names_its_field(
    tmp_path: Path, profile: object, field: str, message: str
) -> None:
    with pytest.raises(FieldError) as error:
        load_permissions(write_profile(tmp_path, profile))
    assert f"permission_profile{f'.{field}' if field else ''}" in str(error.value)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("open", "use none, network, or the absolute path of a JSON file"),
        ("/clay\0", "use none, network, or the absolute path of a JSON file"),
        ("/nowhere/profile.json", "the file cannot be read"),
        ("/", "not a regular file"),
        ("/dev/null", "not a regular file"),
    ],
)
def test_what_is_no_file_of_a_profile_is_refused(path: str, message: str) -> None:
    with pytest.raises(FieldError, match="permission_profile") as error:
        load_permissions(path)
    assert message in str(error.value)
