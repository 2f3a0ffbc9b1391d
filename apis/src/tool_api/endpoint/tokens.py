"""Tokens of callers: signature, expiry, issuer, audience and client are checked before a request is forwarded."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import anyio
import httpx
from joserfc import jwt
from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tool_api.logs import log
from tool_api.store import Oidc

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Asymmetric signatures only: with a shared secret, anyone who can verify could also sign."""

KEYS_LIVE_S = 600
REFRESHES = 3
"""Fetches outside of that time that may follow each other at once: a provider may have changed its keys just now."""

REFRESH_PAUSE_S = 10
"""Seconds after which one more is allowed, so that forged tokens cannot make us ask the provider again and again."""

MAX_KEYS_BYTES = 512 * 1024
LEEWAY_S = 30

METADATA_PATH = "/.well-known/oauth-protected-resource"
RESOURCES = frozenset(("/mcp", "/sse"))
_HOST = re.compile(r"(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")


class InvalidTokenError(Exception):
    """The token proves nothing; the text says why."""


class Keys:
    """The provider's public keys, kept for a while and fetched again when they do not fit a token."""

    def __init__(self, oidc: Oidc, clock: Callable[[], float] = time.monotonic) -> None:
        self._oidc = oidc
        self._clock = clock
        self._lock = anyio.Lock()
        self._keys: KeySet | None = None
        self._fetched = float("-inf")
        self._refreshes = float(REFRESHES)
        self._counted = clock()

    async def current(self) -> KeySet:
        """The keys, at most `KEYS_LIVE_S` old where the provider answers.

        Raises:
            InvalidTokenError: The provider never answered.
        """
        async with self._lock:
            if self._keys is None or self._clock() - self._fetched > KEYS_LIVE_S:
                await self._fetch()
            if self._keys is None:
                raise InvalidTokenError("the provider's keys cannot be fetched")
            return self._keys

    async def newer(self, keys: KeySet) -> KeySet | None:
        """Keys fetched after these; None if there are none, or the provider may not be asked now."""
        async with self._lock:
            if self._keys is keys and self._may_refresh():
                await self._fetch()
            return None if self._keys is keys else self._keys

    def _may_refresh(self) -> bool:
        now = self._clock()
        self._refreshes = min(REFRESHES, self._refreshes + (now - self._counted) / REFRESH_PAUSE_S)
        self._counted = now
        if self._refreshes < 1:
            return False
        self._refreshes -= 1
        return True

    async def _fetch(self) -> None:
        try:
            async with httpx.AsyncClient(timeout=10, follow_redirects=False) as client:
                url = self._oidc.jwks_url or await self._discover(client)
                self._keys = KeySet.import_key_set(await _get(client, url))
                self._fetched = self._clock()
        except Exception as error:  # noqa: BLE001 - a provider's answer can make its parsers fail in any way
            # Keys that were good go on being good while the provider is away.
            log("keys_not_fetched", level="warning", reason=type(error).__name__)

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
        if self._oidc.issuer and scope["path"].startswith(METADATA_PATH):
            await self._describe(scope, receive, send)
            return
        try:
            await self._check(Headers(scope=scope).get("authorization"))
        except InvalidTokenError as error:
            response = PlainTextResponse(str(error), 401, {"WWW-Authenticate": self._challenge(scope)})
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _challenge(self, scope: Scope) -> str:
        realm = (self._oidc.issuer or self._oidc.jwks_url).replace("\\", "").replace('"', "")
        challenge = f'Bearer realm="{realm}"'
        if Headers(scope=scope).get("authorization"):
            challenge += ', error="invalid_token"'
        if self._oidc.issuer:
            path = scope["path"] if scope["path"] in RESOURCES else ""
            challenge += f', resource_metadata="{_own_address(scope)}{METADATA_PATH}{path}"'
        return challenge

    async def _describe(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell where tokens come from (RFC 9728), so that clients can start to ask for one by themselves."""
        path = scope["path"].removeprefix(METADATA_PATH)
        if path not in {"", *RESOURCES}:
            await PlainTextResponse("404 page not found", 404)(scope, receive, send)
            return
        described = {
            "resource": _own_address(scope) + path,
            "authorization_servers": [self._oidc.issuer],
            "bearer_methods_supported": ["header"],
        }
        await JSONResponse(described)(scope, receive, send)

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
            claims = await self._claims(token)
            if not isinstance(claims, dict):
                raise InvalidTokenError("The claims are not an object")
            self._registry().validate(claims)
        except (JoseError, ValueError, TypeError, RecursionError) as error:
            raise InvalidTokenError(str(error) or type(error).__name__) from error
        self._check_client(claims)

    async def _claims(self, token: str) -> Any:
        """Claims of a token that one of the provider's keys signed: any JSON, though the library's type says an object."""
        keys = await self._keys.current()
        try:
            return _decode(token, keys)
        except (InvalidKeyIdError, BadSignatureError):
            newer = await self._keys.newer(keys)
            if newer is None:
                raise
            return _decode(token, newer)

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


class _Signatures(JWSRegistry):
    max_header_length = 8192  # a header may hold a chain of certificates


def _decode(token: str, keys: KeySet) -> dict[str, Any]:
    registry = _Signatures(algorithms=ALGORITHMS, strict_check_header=False)
    return jwt.decode(token, keys, registry=registry).claims


def _own_address(scope: Scope) -> str:
    """Address of the port as the client wrote it; that of the socket where it wrote something else."""
    host = Headers(scope=scope).get("host", "")
    if not _HOST.fullmatch(host):
        name, port = scope["server"]
        host = f"[{name}]:{port}" if ":" in name else f"{name}:{port}"
    return f"{scope['scheme']}://{host}"


async def _get(client: httpx.AsyncClient, url: str) -> Any:
    async with client.stream("GET", url) as response:
        response.raise_for_status()
        raw = bytearray()
        async for piece in response.aiter_bytes():
            raw += piece
            if len(raw) > MAX_KEYS_BYTES:
                raise ValueError("the answer is too large")
    return httpx.Response(200, content=bytes(raw)).json()
