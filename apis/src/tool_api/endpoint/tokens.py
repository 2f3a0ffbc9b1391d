"""Tokens of callers: signature, expiry, issuer, audience and client are checked before a request goes on."""

from __future__ import annotations

import time
from typing import Any

import anyio
import httpx
from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tool_api.logs import log
from tool_api.store import Oidc

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Signatures by a private key only: with a shared secret, whoever can check could also sign."""

KEYS_LIVE_S = 600
REFRESH_PAUSE_S = 10
"""Least time between two fetches, so that made-up key ids cannot make us call the provider."""

MAX_KEYS_BYTES = 512 * 1024
LEEWAY_S = 30


class InvalidTokenError(Exception):
    """The token proves nothing; the text says why."""


class Keys:
    """The provider's public keys, kept for a while and fetched anew when an unknown one is named."""

    def __init__(self, oidc: Oidc) -> None:
        self._oidc = oidc
        self._lock = anyio.Lock()
        self._keys: KeySet | None = None
        self._fetched = float("-inf")

    async def find(self, key_id: str | None) -> KeySet:
        """The set that holds the key.

        Raises:
            InvalidTokenError: The provider has no such key, or cannot be asked.
        """
        async with self._lock:
            age_s = time.monotonic() - self._fetched
            if self._keys is None or age_s > KEYS_LIVE_S or (not self._has(key_id) and age_s > REFRESH_PAUSE_S):
                await self._fetch()
            if self._keys is None or not self._has(key_id):
                raise InvalidTokenError("unknown key")
            return self._keys

    def _has(self, key_id: str | None) -> bool:
        return self._keys is not None and any(key_id is None or key.kid == key_id for key in self._keys.keys)

    async def _fetch(self) -> None:
        try:
            async with httpx.AsyncClient(timeout=10, follow_redirects=False) as client:
                url = self._oidc.jwks_url or await self._discover(client)
                self._keys = KeySet.import_key_set(await _get(client, url))
                self._fetched = time.monotonic()
        except (httpx.HTTPError, JoseError, ValueError, KeyError, TypeError) as error:
            log("keys_not_fetched", level="warning", reason=type(error).__name__)
            # Keys that were good go on being good while the provider is away.
            if self._keys is None:
                raise InvalidTokenError("the provider's keys cannot be fetched") from error

    async def _discover(self, client: httpx.AsyncClient) -> str:
        # OpenID Connect Discovery 1.0, section 4.
        found = await _get(client, self._oidc.issuer.rstrip("/") + "/.well-known/openid-configuration")
        if found["issuer"].rstrip("/") != self._oidc.issuer.rstrip("/"):
            raise ValueError("the provider calls itself by another name")
        url = found["jwks_uri"]
        if not isinstance(url, str):
            raise TypeError
        return url


class RequireToken:
    """ASGI middleware: 401 without a valid token."""

    def __init__(self, app: ASGIApp, oidc: Oidc) -> None:
        self._app = app
        self._oidc = oidc
        self._keys = Keys(oidc)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            await self._check(Headers(scope=scope).get("authorization"))
        except InvalidTokenError as error:
            response = PlainTextResponse(str(error), 401, {"WWW-Authenticate": self._challenge()})
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _challenge(self) -> str:
        realm = (self._oidc.issuer or self._oidc.jwks_url).replace("\\", "").replace('"', "")
        return f'Bearer realm="{realm}"'

    async def _check(self, header: str | None) -> None:
        if header is None:
            raise InvalidTokenError("Authorization header required")
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise InvalidTokenError("Invalid Authorization header format")
        try:
            await self._verify(token.strip())
        except InvalidTokenError as error:
            raise InvalidTokenError(f"Invalid token: {error}") from error

    async def _verify(self, token: str) -> None:
        try:
            key_id = jws.extract_compact(token.encode()).headers().get("kid")
            keys = await self._keys.find(key_id if isinstance(key_id, str) else None)
            claims = jwt.decode(token, keys, algorithms=ALGORITHMS).claims
            self._registry().validate(claims)
        except (JoseError, ValueError, TypeError) as error:
            raise InvalidTokenError(str(error) or type(error).__name__) from error
        self._check_client(claims)

    def _registry(self) -> jwt.JWTClaimsRegistry:
        rules: dict[str, Any] = {"exp": {"essential": True}}
        if self._oidc.issuer:
            rules["iss"] = {"essential": True, "value": self._oidc.issuer}
        if self._oidc.audience:
            rules["aud"] = {"essential": True, "value": self._oidc.audience}
        return jwt.JWTClaimsRegistry(leeway=LEEWAY_S, **rules)

    def _check_client(self, claims: dict[str, Any]) -> None:
        wanted = self._oidc.client_id
        # OpenID Connect names the client azp, RFC 9068 client_id.
        if wanted and wanted not in (claims.get("azp"), claims.get("client_id")):
            raise InvalidTokenError("issued to another client")


async def _get(client: httpx.AsyncClient, url: str) -> Any:
    async with client.stream("GET", url) as response:
        response.raise_for_status()
        raw = bytearray()
        async for piece in response.aiter_bytes():
            raw += piece
            if len(raw) > MAX_KEYS_BYTES:
                raise ValueError("the answer is too large")
    return httpx.Response(200, content=bytes(raw)).json()
