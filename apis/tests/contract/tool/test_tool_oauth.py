"""Official clients meet a guarded server, and obtain a token by themselves from a real authorization server.

The authorization server is the protocol SDK's own (metadata, dynamic registration, authorization code with PKCE), with
tokens that joserfc signs; the clients are the SDKs' in Python and TypeScript. Nobody tells a client where the
authorization server is.
"""

from __future__ import annotations

import json
import secrets
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import httpx2
import pytest
import uvicorn
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.server.auth.provider import AuthorizationCode, construct_redirect_uri
from mcp.server.auth.routes import create_auth_routes
from mcp.server.auth.settings import ClientRegistrationOptions
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyHttpUrl, AnyUrl
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from apis.tests.contract.tool.serving import talk_to, wait_for
from gateway_api.running import open_socket
from tests.support.npm import INSTALL_S, environment, find_program, install_packages

V1 = "/api/v1beta/servers"
CALLBACK = "http://127.0.0.1:1/callback"
HERE = Path(__file__).parent
PACKAGES = HERE.parents[3] / "engine/tests/contract/mcp"
"""The client is installed once, for the tests of all servers that speak the protocol."""

LIMIT_S = 100
"""Longest run of the client in TypeScript."""


class Authority:
    """What the SDK's authorization server asks for: clients, codes and tokens, in memory. Its user agrees to all."""

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self.key = RSAKey.generate_key(2048, {"kid": "one"})
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.audiences: list[str | None] = []

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        assert client_info.client_id
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: Any) -> str:
        code = secrets.token_urlsafe(32)
        self.codes[code] = AuthorizationCode(
            code=code,
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id or "",
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(self, client: Any, authorization_code: str) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client: Any, authorization_code: AuthorizationCode) -> OAuthToken:
        del self.codes[authorization_code.code]
        self.audiences.append(authorization_code.resource)
        claims = {
            "iss": self.issuer,
            "aud": authorization_code.resource,
            "client_id": client.client_id,
            "exp": int(time.time()) + 300,
        }
        token = jwt.encode({"alg": "RS256", "kid": "one"}, claims, self.key, algorithms=["RS256"])
        return OAuthToken(access_token=token, token_type="Bearer", expires_in=300)

    async def load_refresh_token(self, client: Any, refresh_token: str) -> None:
        return None

    async def load_access_token(self, token: str) -> None:
        return None


@pytest.fixture
def authority() -> Iterator[Authority]:
    listener = open_socket("127.0.0.1", 0)
    made = Authority(
        f"http://127.0.0.1:{listener.getsockname()[1]}/"
    )  # the SDK adds the slash to what it says of itself
    keys = KeySet([made.key]).as_dict(private=False)
    document = {"issuer": made.issuer, "jwks_uri": f"{made.issuer}keys"}
    routes = create_auth_routes(
        made,  # type: ignore[arg-type] - it refreshes and revokes nothing
        AnyHttpUrl(made.issuer),
        client_registration_options=ClientRegistrationOptions(enabled=True),
    )
    routes += [
        Route("/.well-known/openid-configuration", lambda _: JSONResponse(document)),
        Route("/keys", lambda _: JSONResponse(keys)),
    ]
    with served(Starlette(routes=routes), listener):
        yield made


@contextmanager
def served(app: Starlette, listener: Any) -> Iterator[None]:
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    wait_for(lambda: server.started)
    yield
    server.should_exit = True
    thread.join(60)


class Memory:
    """Where the client keeps its registration and its token."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


def make_client(url: str, memory: Memory) -> OAuthClientProvider:
    answers: list[AuthorizationCodeResult] = []

    async def browse(address: str) -> None:
        """Do what a browser does: open the page, and be sent back with a code."""
        async with httpx.AsyncClient(trust_env=False) as browser:
            answer = await browser.get(address)
        assert answer.status_code == 302, answer.text
        sent = parse_qs(urlsplit(answer.headers["location"]).query)
        answers.append(AuthorizationCodeResult(code=sent["code"][0], state=sent["state"][0]))

    async def called_back() -> AuthorizationCodeResult:
        return answers.pop()

    return OAuthClientProvider(
        url,
        OAuthClientMetadata(client_name="test", redirect_uris=[AnyUrl(CALLBACK)], grant_types=["authorization_code"]),
        memory,
        redirect_handler=browse,
        callback_handler=called_back,
    )


def create_guarded(api: httpx.Client, issuer: str) -> str:
    """Create a server that asks for tokens; returns its address."""
    created = api.post(V1, json={"name": "guarded", "image": "mcp/time", "oidc": {"issuer": issuer}})
    assert created.status_code == 201, created.text
    url = f"http://127.0.0.1:{created.json()['port']}/mcp"
    assert httpx.post(url, json={}, trust_env=False).status_code == 401
    return url


def test_client_finds_the_authorization_server_and_gets_in(api: httpx.Client, authority: Authority) -> None:
    url = create_guarded(api, authority.issuer)
    memory = Memory()

    async def talk() -> list[str]:
        async with (
            httpx2.AsyncClient(auth=make_client(url, memory), timeout=30) as http,
            streamable_http_client(url, http_client=http) as (read, write),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            return [tool.name for tool in (await session.list_tools()).tools]

    assert "get_current_time" in talk_to(talk)
    assert memory.client is not None
    assert [client.client_name for client in authority.clients.values()] == ["test"]
    assert authority.audiences == [url]
    other = RSAKey.generate_key(2048, {"kid": "one"})
    forged = jwt.encode(
        {"alg": "RS256", "kid": "one"},
        {"iss": authority.issuer, "exp": int(time.time()) + 300},
        other,
        algorithms=["RS256"],
    )
    headers = {"authorization": f"Bearer {forged}"}
    assert httpx.post(url, json={}, headers=headers, trust_env=False).status_code == 401


@pytest.mark.timeout(INSTALL_S + LIMIT_S)
def test_client_in_typescript_gets_in_as_well(api: httpx.Client, authority: Authority, tmp_path: Path) -> None:
    url = create_guarded(api, authority.issuer)
    (tmp_path / "node_modules").symlink_to(install_packages(PACKAGES, "the protocol's client in TypeScript"))
    shutil.copy(HERE / "oauth.mjs", tmp_path)
    command = [find_program("node"), "oauth.mjs", url, CALLBACK]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert "get_current_time" in told["tools"]
    assert told["resource"] == url
    assert [client.client_name for client in authority.clients.values()] == ["test"]
    assert authority.audiences == [url]
