"""Why a provider did not list its models, and how it is asked."""

from __future__ import annotations

import asyncio
import socket
import ssl
from pathlib import Path
from typing import Any

import httpx
import pytest

from gateway_api.discovery import (
    ModelDiscovery,
    _local_models,
    _names,
    _question,
    _same_host,
    reason_of,
    reason_of_status,
)
from gateway_api.errors import DiscoveryError
from gateway_api.models.providers import ProviderAuthType, ProviderType
from gateway_api.settings import Settings


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (TimeoutError(), "it did not answer within 10 s"),
        (httpx.ConnectTimeout("x"), "it did not answer within 10 s"),
        (httpx.InvalidURL("http://key@x"), "its endpoint is not an address of the form http://… or https://…"),
        (httpx.UnsupportedProtocol("ftp"), "its endpoint is not an address of the form http://… or https://…"),
        (caused(httpx.ConnectError("x"), ConnectionRefusedError()), "the connection was refused"),
        (caused(httpx.ConnectError("x"), caused(OSError(), socket.gaierror(-2, "secret.example"))), "its host name was not found"),
        (caused(httpx.ConnectError("x"), ssl.SSLError("bad certificate")), "no secure connection is possible (TLS)"),
        (httpx.ConnectError("secret.example"), "it cannot be reached"),
        (httpx.RemoteProtocolError("x"), "the connection broke off"),
        (ValueError("secret"), "its answer is not a list of models"),
    ],
)  # fmt: skip
def test_reasons_hold_no_text_of_the_error(error: Exception, reason: str) -> None:
    assert reason_of(error, 10.0) == reason


@pytest.mark.parametrize(
    ("status", "path", "reason"),
    [
        (401, "/v1/models", "it refused the credentials (status 401)"),
        (403, "/v1/models", "it refused the credentials (status 403)"),
        (404, "/v1/models", "it has no list of models at this endpoint (status 404)"),
        (500, "/v1/v1/models", "it answered with status 500"),
    ],
)
def test_reasons_of_statuses(status: int, path: str, reason: str) -> None:
    assert reason_of_status(status, path) == reason


@pytest.mark.parametrize(
    ("target", "is_followed"),
    [
        ("http://a:1/y", True),
        ("https://a:1/y", False),
        ("http://b:1/y", False),
        ("http://a:2/y", False),
    ],
)
def test_redirects_stay_on_the_host(target: str, is_followed: bool) -> None:
    url = httpx.URL("http://a:1/x")
    if is_followed:
        assert _same_host(url, httpx.URL(target)) == httpx.URL(target)
        return
    with pytest.raises(DiscoveryError, match="another host"):
        _same_host(url, httpx.URL(target))


@pytest.mark.parametrize(
    "key", ["sk-abc\n", "sk-abc\r\nx-other: 1", "sk-é", "sk-“abc”", "sk\0", " sk-abc", "sk-abc\x7f"]
)
@pytest.mark.parametrize("kind", [ProviderType.OPENAI, ProviderType.ANTHROPIC])
def test_key_that_no_header_can_hold_is_named_and_not_sent(tmp_path: Path, kind: ProviderType, key: str) -> None:
    """Keys are pasted, with the end of their line or with typographic quotation marks."""
    said = ask(tmp_path, kind, "http://a.example", key)
    assert (
        said
        == "the API key has characters that cannot be sent: spaces at its ends, line breaks, or letters beyond ASCII"
    )


@pytest.mark.parametrize("endpoint", ["http://a.example:65536", "http://a.example:99999/x", "http://a.example:x"])
def test_port_that_does_not_exist_is_no_address(tmp_path: Path, endpoint: str) -> None:
    said = ask(tmp_path, ProviderType.OPENAI, endpoint, "sk-abc")
    assert said == "its endpoint is not an address of the form http://… or https://…"


def ask(folder: Path, kind: ProviderType, endpoint: str, key: str) -> str:
    """Ask a provider that must not be reached, and give the reason of the failure."""

    def fail(_: httpx.Request) -> httpx.Response:
        raise AssertionError

    async def run() -> None:
        settings = Settings(data_dir=folder, database_url="")
        discovery = ModelDiscovery(settings, httpx.MockTransport(fail))
        try:
            await discovery.find_models(kind, endpoint, ProviderAuthType.API_KEY, key)
        finally:
            await discovery.close()

    with pytest.raises(DiscoveryError) as failure:
        asyncio.run(run())
    return failure.value.reason


def test_keys_are_sent_as_each_kind_expects() -> None:
    assert _question(ProviderType.OPENAI, "k") == ("/v1/models", {"authorization": "Bearer k"})
    assert _question(ProviderType.OLLAMA, None) == ("/api/tags", {})
    assert _question(ProviderType.ANTHROPIC, "k")[1]["x-api-key"] == "k"
    assert "x-api-key" not in _question(ProviderType.ANTHROPIC, None)[1]


@pytest.mark.parametrize(
    ("kind", "answer", "names"),
    [
        (ProviderType.OPENAI, {"data": [{"id": "a"}, {"id": "b"}, {"id": "a"}]}, ["a", "b"]),
        (ProviderType.OLLAMA, {"models": [{"name": "a"}]}, ["a"]),
        (ProviderType.OPENAI, {"models": [{"name": "a"}]}, None),
        (ProviderType.OPENAI, {"data": [{"id": ""}]}, None),
        (ProviderType.OPENAI, {"data": [{"id": 1}]}, None),
        (ProviderType.OPENAI, {"data": [{"id": "\ud800"}]}, None),
        (ProviderType.OPENAI, {"data": [{"id": f"m{n}"} for n in range(5_001)]}, None),
        (ProviderType.OPENAI, [], None),
    ],
)
def test_names_are_read(kind: ProviderType, answer: Any, names: list[str] | None) -> None:
    if names is None:
        with pytest.raises(ValueError, match="data"):
            _names(kind, answer)
        return
    assert _names(kind, answer) == names


def test_local_models_are_files(tmp_path: Path) -> None:
    with pytest.raises(DiscoveryError, match="has no model files"):
        _local_models(tmp_path)
    (tmp_path / "all-minilm-L6-v2-q5_k_m.gguf").touch()
    with pytest.raises(DiscoveryError, match=str(tmp_path)):
        _local_models(tmp_path)
    (tmp_path / "b.gguf").touch()
    (tmp_path / "a.gguf").touch()
    assert _local_models(tmp_path) == ["a", "b"]
