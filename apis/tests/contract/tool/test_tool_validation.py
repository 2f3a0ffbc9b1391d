"""What a create request may hold; every refusal is a 400 whose sentence names the field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

URL = "/api/v1beta/servers"
GOOD: dict[str, Any] = {"name": "demo", "image": "mcp/fetch:latest"}

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"name": "-demo"}, "name: use 2 to 63 letters, digits, dots, dashes and underscores, beginning with a letter or digit"),
    ({"name": "a/b"}, "name: use 2 to 63 letters, digits, dots, dashes and underscores, beginning with a letter or digit"),
    ({"name": "a" * 64}, "name: use 2 to 63 letters, digits, dots, dashes and underscores, beginning with a letter or digit"),
    ({"name": "a"}, "name: use 2 to 63 letters, digits, dots, dashes and underscores, beginning with a letter or digit"),
    ({"name": "a\n"}, "name: use 2 to 63 letters, digits, dots, dashes and underscores, beginning with a letter or digit"),
    ({"image": ""}, "image: must not be empty"),
    ({"image": "Not An Image"}, "image: not an image reference such as ghcr.io/example/server:1.0"),
    ({"image": None}, "Failed to decode request: image: input should be a valid string"),
    ({"transport": "http"}, "Unable to configure transport: transport: input should be 'stdio', 'sse', 'streamable-http' or ''"),
    ({"host": "example.com"}, "host: not an IP address"),
    ({"host": "192.0.2.1"}, "host: not an address of this machine"),
    ({"target_port": -1, "transport": "sse"}, "target_port: use a number from 1 to 65535"),
    ({"target_port": 65536}, "target_port: use a number from 1 to 65535"),
    ({"target_port": "80"}, "Failed to decode request: target_port: input should be a valid integer"),
    ({"target_port": 8080}, "target_port: a server with the transport stdio listens on no port; leave it out, or set transport to sse or streamable-http"),
    ({"env_vars": ["A=1", "B=1", "A=2"]}, 'env_vars[2]: "A" has another value already'),
    ({"env_vars": ["NAME"]}, "env_vars[0]: expected NAME=VALUE"),
    ({"env_vars": ["A=1", "2B=1"]}, "env_vars[1]: not a variable name; use letters, digits, underscores, dots and dashes, beginning with no digit"),
    ({"env_vars": ["A=\0"]}, "env_vars[0]: holds a null character"),
    ({"cmd_arguments": ["a", "\0"]}, "cmd_arguments[1]: holds a null character"),
    ({"cmd_arguments": ["a"] * 257}, "cmd_arguments: holds more than 256 items"),
    ({"cmd_arguments": [1]}, "Failed to decode request: cmd_arguments[0]: input should be a valid string"),
    ({"volumes": ["/data"]}, "Unable to configure volume mounts: volumes[0]: expected host-path:container-path"),
    ({"volumes": ["data:/data"]}, "Unable to configure volume mounts: volumes[0]: the path of this machine must be absolute"),
    ({"volumes": ["/a:/b:rx"]}, 'Unable to configure volume mounts: volumes[0]: "rx" is not a mode; use ro or rw'),
    ({"volumes": ["/a:/b/../c"]}, "Unable to configure volume mounts: volumes[0]: the path in the container must be absolute, and not its root"),
    ({"volumes": ["/a:/"]}, "Unable to configure volume mounts: volumes[0]: the path in the container must be absolute, and not its root"),
    ({"volumes": ["/a:/proc"]}, "Unable to configure volume mounts: volumes[0]: /proc of the container belongs to its kernel; mount to another path"),
    ({"volumes": ["/a:/sys/fs/x:ro"]}, "Unable to configure volume mounts: volumes[0]: /sys of the container belongs to its kernel; mount to another path"),
    ({"volumes": ["/a;b:/c"]}, "Unable to configure volume mounts: volumes[0]: holds a character that paths may not have here"),
    ({"volumes": ["/a:/c", "/b:/c"]}, 'Unable to configure volume mounts: volumes[1]: "/c" is mounted already'),
    ({"volumes": ["volume://x:/c"]}, "Unable to configure volume mounts: volumes[0]: mounts of resources can't be enforced here; give a path of this machine"),
    ({"secrets": [{"name": "missing", "target": "KEY"}]}, 'secrets: there is no secret named "missing"'),
    ({"secrets": [{"name": "a b", "target": "KEY"}]}, "secrets[0].name: use letters, digits, dots, dashes and underscores"),
    ({"secrets": [{"name": "a", "target": "1"}]}, "secrets[0].target: not a variable name; use letters, digits, underscores, dots and dashes, beginning with no digit"),
    ({"secrets": [{"name": "a", "target": "K"}], "env_vars": ["K=1"]}, 'secrets[0].target: "K" is given twice'),
    ({"secrets": [{"name": "a"}]}, "secrets[0].target: field required"),
    ({"permission_profile": "nine"}, "Unable to configure permission profile: permission_profile: use none, network, or the absolute path of a JSON file"),
    ({"permission_profile": "/nowhere.json"}, "Unable to configure permission profile: permission_profile: the file cannot be read"),
    ({"permission_profile": "/dev/zero"}, "Unable to configure permission profile: permission_profile: not a regular file"),
    ({"authz_config": "/policies.json"}, "authz_config: authorization policies are not enforced here; leave the field out"),
    ({"oidc": {"audience": "mcp"}}, "oidc: give issuer or jwks_url; without keys no token can be checked"),
    ({"oidc": {"issuer": "http://issuer.example.com"}}, "oidc.issuer: expected an https address"),
    ({"oidc": {"issuer": "https://issuer example.com"}}, "oidc.issuer: an address has no spaces and no characters beyond ASCII; encode them"),
    ({"oidc": {"jwks_url": "https://issuer.example.com/\u2028"}}, "oidc.jwks_url: an address has no spaces and no characters beyond ASCII; encode them"),
    ({"oidc": {"jwks_url": "file:///etc/passwd"}}, "oidc.jwks_url: expected an https address"),
    ({"oidc": {"jwks_url": "https://me:word@example.com/"}}, "oidc.jwks_url: an address with a password is not accepted"),
    ({"permissionProfile": "none"}, 'permissionProfile: not known here; do you mean "permission_profile"?'),
    ({"permission_profil": "none"}, 'permission_profil: not known here; do you mean "permission_profile"?'),
    ({"Volume": ["/a:/b:ro"]}, 'Volume: not known here; do you mean "volumes"?'),
    ({"oidc": {"issuer": "https://issuer.example.com", "audiences": "mcp"}}, 'oidc.audiences: not known here; do you mean "audience"?'),
    ({"oidc": {"issuer": "https://issuer.example.com", "clientId": "me"}}, 'oidc.clientId: not known here; do you mean "client_id"?'),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "text"), REFUSED, ids=[text[:50] for _, text in REFUSED])
def test_wrong_field_is_named(api: httpx.Client, fields: dict[str, Any], text: str) -> None:
    response = api.post(URL, json={**GOOD, **fields})
    assert (400, text) == (response.status_code, response.text)
    assert api.get(URL, params={"all": "true"}).json()["servers"] == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"text"', b"\xff", b"[" * 100_000])
def test_body_that_is_no_object_is_400(api: httpx.Client, body: bytes) -> None:
    response = api.post(URL, content=body, headers={"content-type": "application/json"})
    assert (response.status_code, response.text) == (400, "Failed to decode request")


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded"])
def test_body_that_a_foreign_page_could_send_is_400(api: httpx.Client, media_type: str) -> None:
    """Browsers send these types to other origins without asking first."""
    response = api.post(URL, content=json.dumps(GOOD), headers={"content-type": media_type})
    text = "Failed to decode request: send it with the header Content-Type: application/json"
    assert (response.status_code, response.text) == (400, text)


def test_zero_values_of_a_go_client_mean_the_defaults(api: httpx.Client) -> None:
    zero = {
        "name": "zero",
        "image": "mcp/time",
        "transport": "",
        "host": "",
        "target_port": 0,
        "cmd_arguments": None,
        "env_vars": None,
        "volumes": None,
        "secrets": None,
        "permission_profile": "",
        "authz_config": "",
        "oidc": {"issuer": "", "audience": "", "client_id": "", "jwks_url": ""},
    }
    assert api.post(URL, json=zero).status_code == 201
    unset = dict.fromkeys(zero) | {"name": "null", "image": "mcp/time"}
    assert api.post(URL, json=unset).status_code == 201
    found = api.get(f"{URL}/zero").json()
    assert (found["labels"]["toolhive-transport"], found["ports"]) == ("stdio", [])
    for transport in ("sse", "streamable-http"):
        assert api.post(URL, json={**zero, "name": transport, "transport": transport}).status_code == 201
        found = api.get(f"{URL}/{transport}").json()
        assert [port["containerPort"] for port in found["ports"]] == [8080]
        assert found["labels"]["toolhive-transport"] == transport


def test_names_of_variables_may_hold_dots_and_dashes(api: httpx.Client) -> None:
    assert api.post(URL, json={**GOOD, "env_vars": ["spring.main.banner-mode=off"]}).status_code == 201


def test_unknown_fields_are_ignored(api: httpx.Client) -> None:
    later = {"later": 1, "oauth_config": {"client_id": "x"}, "Host": "", "envVars": None, "oidc": {"scopes": []}}
    assert api.post(URL, json={**GOOD, **later}).status_code == 201


def test_all_fields_together_are_accepted(api: httpx.Client, tmp_path: Path) -> None:
    profile = tmp_path / "profile.json"
    outbound = {"allow_transport": ["tcp"], "allow_host": ["wiki.example.com", "*.example.org"], "allow_port": [443]}
    profile.write_text(json.dumps({"read": ["/srv/in:/data"], "network": {"outbound": outbound}}))
    request = {
        **GOOD,
        "transport": "sse",
        "host": "127.0.0.1",
        "target_port": 65535,
        "cmd_arguments": ["--flag", "grün blau"],
        "env_vars": ["A=1", "B=", "C=a=b"],
        "volumes": ["/tmp:/projects:ro", "/tmp:/work"],
        "permission_profile": str(profile),
        "oidc": {"issuer": "https://issuer.example.com", "audience": "mcp"},
    }
    assert api.post(URL, json=request).status_code == 201


UNENFORCEABLE: list[tuple[dict[str, Any], str]] = [
    ({"allow_transport": ["udp"]}, "permission_profile.network.outbound.allow_transport: udp can't be enforced; allow tcp only, or insecure_allow_all"),
    ({"allow_port": [0]}, "permission_profile.network.outbound.allow_port: 0 is not a port"),
    ({"allow_host": ["a b"]}, 'permission_profile.network.outbound.allow_host: "a b" is not a host name'),
    ({"allow_host": ["https://a"]}, 'permission_profile.network.outbound.allow_host: "https://a" is not a host name'),
]  # fmt: skip


@pytest.mark.parametrize(("outbound", "text"), UNENFORCEABLE)
def test_rule_that_cannot_be_enforced_is_refused(
    api: httpx.Client, tmp_path: Path, outbound: dict[str, Any], text: str
) -> None:
    profile = tmp_path / "profile.json"
    profile.write_text(json.dumps({"network": {"outbound": outbound}}))
    response = api.post(URL, json={**GOOD, "permission_profile": str(profile)})
    assert (400, f"Unable to configure permission profile: {text}") == (response.status_code, response.text)


def test_profile_that_is_no_profile_is_400(api: httpx.Client, tmp_path: Path) -> None:
    profile = tmp_path / "profile.json"
    profile.write_text('{"read": "all"}')
    response = api.post(URL, json={**GOOD, "permission_profile": str(profile)})
    assert response.status_code == 400
    assert "permission_profile: the file is not a profile; read: input should be a valid array" in response.text
