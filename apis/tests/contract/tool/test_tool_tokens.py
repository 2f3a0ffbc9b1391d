"""A server with OIDC options lets only callers in who hold a valid token of the provider."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import httpx2
import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey
from mcp import ClientSession
from mcp.client.auth.utils import extract_resource_metadata_from_www_auth
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import ProtectedResourceMetadata

from apis.tests.contract.tool.serving import talk_to
from tool_api.endpoint.tokens import REFRESHES

URL = "/api/v1beta/servers"


class Provider:
    """An OpenID provider on the loopback address."""

    def __init__(self) -> None:
        self.keys = {"one": RSAKey.generate_key(2048, {"kid": "one"})}
        self.fetches = 0
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/.well-known/openid-configuration":
                    body = httpx.Response(
                        200, json={"issuer": provider.url, "jwks_uri": f"{provider.url}/keys"}
                    ).content
                else:
                    provider.fetches += 1
                    keys = KeySet(list(provider.keys.values()))
                    body = httpx.Response(200, json=keys.as_dict(private=False)).content
                self.send_response(200)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def token(self, *, key: Any = None, algorithm: str = "RS256", **claims: object) -> str:
        key = key or self.keys["one"]
        usual = {"iss": self.url, "aud": "mcp", "azp": "cli", "exp": int(time.time()) + 300}
        header = {"alg": algorithm, "kid": key.kid or "one"}
        values = {name: value for name, value in (usual | claims).items() if value is not None}
        return jwt.encode(header, values, key, algorithms=[algorithm])

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def provider() -> Iterator[Provider]:
    provider = Provider()
    yield provider
    provider.close()


def create(api: httpx.Client, **oidc: str) -> str:
    response = api.post(URL, json={"name": "guarded", "image": "mcp/time", "oidc": oidc})
    assert response.status_code == 201, response.text
    return f"http://127.0.0.1:{response.json()['port']}/mcp"


@pytest.fixture
def guarded(api: httpx.Client, provider: Provider) -> str:
    return create(api, issuer=provider.url, audience="mcp", client_id="cli")


def ask(url: str, token: str | None) -> httpx.Response:
    headers = {"accept": "application/json, text/event-stream"}
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    return httpx.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=headers)


def test_official_client_with_a_token_is_let_in(guarded: str, provider: Provider) -> None:
    async def talk() -> list[str]:
        headers = {"authorization": f"Bearer {provider.token()}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            streamable_http_client(guarded, http_client=http) as streams,
            ClientSession(streams[0], streams[1]) as session,
        ):
            await session.initialize()
            return [tool.name for tool in (await session.list_tools()).tools]

    assert talk_to(talk) == ["get_current_time", "convert_time"]


def test_missing_token_is_401_with_a_challenge(guarded: str, provider: Provider) -> None:
    response = ask(guarded, None)
    assert (response.status_code, response.text) == (401, "Authorization header required")
    metadata = guarded.replace("/mcp", "/.well-known/oauth-protected-resource/mcp")
    challenge = f'Bearer realm="{provider.url}", resource_metadata="{metadata}"'
    assert response.headers["www-authenticate"] == challenge
    basic = httpx.post(guarded, headers={"authorization": "Basic eDp5"})
    assert (basic.status_code, basic.text) == (401, "Invalid Authorization header format")


def test_token_is_asked_for_with_every_call_of_a_session(guarded: str, provider: Provider) -> None:
    """Also on a connection whose calls have been let in before."""
    accept = {"accept": "application/json, text/event-stream"}
    known = accept | {"authorization": f"Bearer {provider.token()}"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "get_current_time", "arguments": {}}}
    with httpx.Client() as client:
        begun = client.post(
            guarded, json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}, headers=known
        )
        session = {"mcp-session-id": begun.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
        for headers, status in ((known, 200), (accept, 401), (known, 200), (known, 200), (accept, 401)):
            assert client.post(guarded, json=call, headers=headers | session).status_code == status


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": 1},
        {"exp": None},
        {"iss": "https://other.example.com"},
        {"iss": None},
        {"aud": "other"},
        {"aud": None},
        {"azp": "other"},
        {"nbf": int(time.time()) + 3600},
    ],
    ids=lambda claims: next(iter(claims)),
)
def test_wrong_claim_is_401(guarded: str, provider: Provider, claims: dict[str, object]) -> None:
    response = ask(guarded, provider.token(**claims))
    assert response.status_code == 401
    assert response.text.startswith("Invalid token: ")
    assert 'error="invalid_token"' in response.headers["www-authenticate"]


def test_forged_tokens_are_401(guarded: str, provider: Provider) -> None:
    stranger = RSAKey.generate_key(2048, {"kid": "one"})
    public = provider.keys["one"].as_pem(private=False)
    forged = [
        provider.token(key=stranger),
        # The public key as a shared secret: the classic confusion of algorithms.
        provider.token(key=OctKey.import_key(public.hex(), {"kid": "one"}), algorithm="HS256"),
        "eyJhbGciOiJub25lIn0.eyJleHAiOjk5OTk5OTk5OTl9.",
        provider.token()[:-4] + "AAAA",
        "nonsense",
        "a.b.c",
    ]
    assert [ask(guarded, token).status_code for token in forged] == [401] * len(forged)


def test_keys_are_kept_and_made_up_ones_do_not_make_us_ask_again(api: httpx.Client, provider: Provider) -> None:
    url = create(api, jwks_url=f"{provider.url}/keys")
    for _ in range(5):
        assert ask(url, provider.token()).status_code == 400, "let in; the request itself has no session"
    assert provider.fetches == 1
    stranger = RSAKey.generate_key(2048, {"kid": "made-up"})
    assert [ask(url, provider.token(key=stranger)).status_code for _ in range(15)] == [401] * 15
    assert provider.fetches <= 1 + REFRESHES + 1, "forged tokens do not make us call the provider again and again"


@pytest.mark.parametrize("key_id", ["two", "one"])
def test_key_that_was_changed_a_moment_ago_is_known(guarded: str, provider: Provider, key_id: str) -> None:
    old = provider.token()
    assert ask(guarded, old).status_code == 400, "let in; the request itself has no session"
    provider.keys = {"one": RSAKey.generate_key(2048, {"kid": key_id})}
    assert ask(guarded, provider.token()).status_code == 400
    assert ask(guarded, old).status_code == 401


def test_key_is_chosen_by_its_identifier(guarded: str, provider: Provider) -> None:
    provider.keys["two"] = RSAKey.generate_key(2048, {"kid": "two"})
    assert [ask(guarded, provider.token(key=key)).status_code for key in provider.keys.values()] == [400, 400]
    mistaken = RSAKey.import_key(provider.keys["two"].as_dict(private=True) | {"kid": "one"})
    assert ask(guarded, provider.token(key=mistaken)).status_code == 401


def test_provider_that_is_away_lets_nobody_in(api: httpx.Client) -> None:
    url = create(api, jwks_url="http://127.0.0.1:9/keys")
    response = ask(url, "eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.e30.AAAA")
    assert (response.status_code, response.text) == (401, "Invalid token: the provider's keys cannot be fetched")


def test_client_finds_out_by_itself_where_tokens_come_from(guarded: str, provider: Provider) -> None:
    """The SDK's own functions read the challenge and what it points to (RFC 9728)."""
    refused = httpx2.post(guarded, json={}, headers={"accept": "application/json, text/event-stream"})
    url = extract_resource_metadata_from_www_auth(refused)
    assert url is not None
    described = ProtectedResourceMetadata.model_validate_json(httpx2.get(url).content)
    assert str(described.resource) == guarded
    assert [str(server).rstrip("/") for server in described.authorization_servers] == [provider.url]
    base = guarded.removesuffix("/mcp")
    assert httpx.get(f"{base}/.well-known/oauth-protected-resource").json()["resource"] == base
    assert httpx.get(f"{base}/.well-known/oauth-protected-resource/other").status_code == 404


def test_address_in_a_challenge_is_not_made_of_what_a_client_invents(guarded: str) -> None:
    response = httpx.post(guarded, headers={"host": 'x", evil="'})
    assert "evil" not in response.headers["www-authenticate"]


def test_server_whose_keys_alone_are_known_has_no_metadata(api: httpx.Client, provider: Provider) -> None:
    url = create(api, jwks_url=f"{provider.url}/keys")
    assert "resource_metadata" not in httpx.post(url).headers["www-authenticate"]
    assert httpx.get(url.replace("/mcp", "/.well-known/oauth-protected-resource")).status_code == 401
