"""Models, asked of the provider itself.

`none` and `api_key` providers are asked by HTTP, `llamacpp` looks into the folder of model files, `passthrough` is
never contacted and has no models.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import ssl
from pathlib import Path
from typing import Any

import httpx

from gateway_api.errors import DiscoveryError
from gateway_api.models.providers import ProviderAuthType, ProviderType
from gateway_api.settings import Settings

DEFAULT_ENDPOINTS = {
    ProviderType.OPENAI: "https://api.openai.com",
    ProviderType.ANTHROPIC: "https://api.anthropic.com",
}
ANTHROPIC_VERSION = "2023-06-01"
MOST_ANSWER_BYTES = 8_388_608
MOST_MODELS = 5_000
MOST_REDIRECTS = 3
_HIGHEST_PORT = 65_535
_SENDABLE = re.compile(r"[!-~](?:[ -~]*[!-~])?")
"""What the value of a header may be; httpx sends no other, and its errors quote the value."""

_NOT_SENDABLE = (
    "the API key has characters that cannot be sent: spaces at its ends, line breaks, or letters beyond ASCII"
)
_EMBEDDING_MODEL = "all-minilm-L6-v2-q5_k_m"
"""Comes with the gateway for its own use and answers no prompts."""


class ModelDiscovery:
    """Asks providers for their models.

    Args:
        settings: Time limits, and the folder of local models.
        transport: How connections are made; None is httpx's own way.
    """

    def __init__(self, settings: Settings, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._settings = settings
        self._client = httpx.AsyncClient(
            transport=transport,
            timeout=httpx.Timeout(settings.provider_timeout_s, connect=settings.connect_timeout_s),
            follow_redirects=False,
            trust_env=False,  # keys must not be sent to a proxy that the environment names
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def find_models(
        self, provider_type: ProviderType, endpoint: str, auth_type: ProviderAuthType, api_key: str | None
    ) -> list[str]:
        """List the names of a provider's models, as it spells them, each once.

        Raises:
            DiscoveryError: Whatever the reason: refused, unreachable, late, or an answer of another kind.
        """
        if auth_type is ProviderAuthType.PASSTHROUGH:
            return []
        if provider_type is ProviderType.LLAMACPP:
            return await asyncio.to_thread(_local_models, self._settings.models_dir)
        if auth_type is not ProviderAuthType.API_KEY:
            api_key = None
        if api_key and not _SENDABLE.fullmatch(api_key):
            raise DiscoveryError(_NOT_SENDABLE)
        path, headers = _question(provider_type, api_key)
        try:
            async with asyncio.timeout(self._settings.provider_timeout_s):
                answer = await self._get(_url(endpoint.rstrip("/") + path), headers)
            return _names(provider_type, json.loads(answer))
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError, RecursionError) as error:
            raise DiscoveryError(reason_of(error, self._settings.provider_timeout_s)) from error

    async def _get(self, url: httpx.URL, headers: dict[str, str]) -> bytes:
        for _ in range(MOST_REDIRECTS + 1):
            async with self._client.stream("GET", url, headers=headers) as response:
                if response.next_request is not None:
                    url = _same_host(url, response.next_request.url)
                    continue
                if response.status_code != httpx.codes.OK:
                    raise DiscoveryError(reason_of_status(response.status_code, url.path))
                return await _read(response)
        raise DiscoveryError("it redirects too often")


def _url(text: str) -> httpx.URL:
    """Read an address.

    Raises:
        InvalidURL: It is none, or has a port that does not exist; the system would take 65,536 off it.
    """
    url = httpx.URL(text)
    if (url.port or 0) > _HIGHEST_PORT:
        raise httpx.InvalidURL("port")
    return url


def reason_of(error: Exception, timeout_s: float) -> str:
    """Explain why a provider did not list its models, without its address."""
    if isinstance(error, (httpx.TimeoutException, TimeoutError)):
        return f"it did not answer within {timeout_s:g} s"
    if isinstance(error, (httpx.InvalidURL, httpx.UnsupportedProtocol)):
        return "its endpoint is not an address of the form http://… or https://…"
    if isinstance(error, httpx.ConnectError):
        return _reason_of_connection(error)
    if isinstance(error, httpx.HTTPError):
        return "the connection broke off"
    return "its answer is not a list of models"


def _reason_of_connection(error: BaseException) -> str:
    """Find in the chain of causes what the system has said."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            return "its host name was not found"
        if isinstance(cause, ssl.SSLError):
            return "no secure connection is possible (TLS)"
        if isinstance(cause, ConnectionRefusedError):
            return "the connection was refused"
        cause = cause.__cause__ or cause.__context__
    return "it cannot be reached"


def reason_of_status(status: int, path: str) -> str:
    """Explain a status other than 200 to the person who entered the provider."""
    if status in (401, 403):
        return f"it refused the credentials (status {status})"
    if status == 404:
        hint = "; leave out /v1 at the end of the endpoint" if "/v1/v1/" in path else ""
        return f"it has no list of models at this endpoint (status 404){hint}"
    return f"it answered with status {status}"


def _same_host(url: httpx.URL, target: httpx.URL) -> httpx.URL:
    """Follow a redirect on the same host only: the key must not travel."""
    if (url.scheme, url.host, url.port) != (target.scheme, target.host, target.port):
        raise DiscoveryError("it redirects to another host, which must not get the API key")
    return target


async def _read(response: httpx.Response) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > MOST_ANSWER_BYTES:
            raise DiscoveryError(f"its answer is larger than {MOST_ANSWER_BYTES} bytes")
    return bytes(body)


def _question(provider_type: ProviderType, api_key: str | None) -> tuple[str, dict[str, str]]:
    """Give the path that lists models, and the headers that the provider expects."""
    path = "/api/tags" if provider_type is ProviderType.OLLAMA else "/v1/models"
    if provider_type is ProviderType.ANTHROPIC:
        return path, {"anthropic-version": ANTHROPIC_VERSION} | ({"x-api-key": api_key} if api_key else {})
    return path, {"authorization": f"Bearer {api_key}"} if api_key else {}


def _names(provider_type: ProviderType, answer: Any) -> list[str]:
    """Read names from an answer: `data[].id`, or `models[].name` from Ollama.

    Raises:
        ValueError: It has another shape.
    """
    members, member = ("models", "name") if provider_type is ProviderType.OLLAMA else ("data", "id")
    try:
        names = [item[member] for item in answer[members]]
    except (KeyError, TypeError) as error:
        raise ValueError(members) from error
    if len(names) > MOST_MODELS or not all(isinstance(name, str) and name and _is_text(name) for name in names):
        raise ValueError(members)
    return list(dict.fromkeys(names))


def _is_text(name: str) -> bool:
    """Return whether a name can be written in UTF-8; JSON can escape halves of characters."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _local_models(folder: Path) -> list[str]:
    names = sorted(path.stem for path in folder.glob("*.gguf") if path.stem != _EMBEDDING_MODEL)
    if not names:
        raise DiscoveryError(f"the folder {folder} has no model files (*.gguf)")
    return names
