"""Registries: descriptions of servers, shipped with the program or named on the command line.

A registry is read once, when the program starts. A copy of what was read from an address is kept, and used when the
address cannot be read the next time.
"""

from __future__ import annotations

import re
import socket
from importlib import resources
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from pydantic import ValidationError

from service_guard import is_public, read_address
from tool_api.errors import BadRequestError, NotFoundError, StartError
from tool_api.logs import log
from tool_api.models import Registry, Server, registryInfo

DEFAULT = "default"
MAX_BYTES = 8 * 1024 * 1024
TIMEOUT_S = 30

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")


class Registries:
    """The known registries by name. `default` is always among them unless it was replaced, and cannot be removed."""

    def __init__(self, registries: dict[str, Registry]) -> None:
        self._registries = registries

    def infos(self) -> list[registryInfo]:
        return [info(name, registry) for name, registry in sorted(self._registries.items())]

    def find(self, name: str) -> Registry:
        """One registry.

        Raises:
            NotFoundError: There is none of this name.
        """
        try:
            return self._registries[name]
        except KeyError:
            raise NotFoundError("Registry not found") from None

    def server(self, registry: str, name: str) -> Server:
        """One entry.

        Raises:
            NotFoundError: No such registry, or no such entry in it.
        """
        try:
            return self.find(registry).servers[name]
        except KeyError:
            raise NotFoundError("Server not found") from None

    def remove(self, name: str) -> None:
        """Forget a registry until the program is started with it again.

        Raises:
            NotFoundError: There is none of this name.
            BadRequestError: It is the default one.
        """
        if name == DEFAULT:
            raise BadRequestError("Cannot remove the default registry")
        self.find(name)
        del self._registries[name]

    def entry_of(self, image: str) -> Server | None:
        """The entry of an image, whatever its tag; None for an image that no registry lists.

        Registries of the command line come before the shipped one.
        """
        wanted = _repository(image)
        for _, registry in sorted(self._registries.items(), key=lambda item: item[0] == DEFAULT):
            for server in registry.servers.values():
                if _repository(server.image) == wanted:
                    return server
        return None

    def tools_of(self, image: str) -> list[str]:
        """Names of the tools of an image, whatever its tag; empty for an image that no registry lists."""
        entry = self.entry_of(image)
        return entry.tools if entry else []


def info(name: str, registry: Registry) -> registryInfo:
    return registryInfo(
        name=name,
        version=registry.version,
        last_updated=registry.last_updated,
        server_count=len(registry.servers),
    )


def load_registries(sources: tuple[str, ...], copies: Path) -> Registries:
    """Load the shipped registry and those of the command line.

    Args:
        sources: Each `NAME=FILE` or `NAME=URL`; `default=…` replaces the shipped one.
        copies: Folder of the last good copies.

    Raises:
        StartError: One of them cannot be had, nor a copy of it.
    """
    shipped = resources.files("tool_api").joinpath("registry.json").read_bytes()
    registries = {DEFAULT: parse_registry(shipped, "the shipped registry")}
    for source in sources:
        name, equals, place = source.partition("=")
        if not (equals and place and _NAME.fullmatch(name)):
            raise StartError(f'registry "{source}" is not of the form NAME=FILE or NAME=URL.')
        registries[name] = _load(name, place, copies)
    return Registries(registries)


def parse_registry(raw: bytes, place: str) -> Registry:
    """Check a registry and give every entry its name.

    Raises:
        StartError: It is too large, or not a registry.
    """
    if len(raw) > MAX_BYTES:
        raise StartError(f"{place} is larger than {MAX_BYTES} bytes.")
    try:
        registry = Registry.model_validate_json(raw)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in problem["loc"]) or "the file"
        raise StartError(f"{place} is not a registry: {where}: {problem['msg'].lower()}.") from error
    for name, server in registry.servers.items():
        server.name = name
    return registry


def _load(name: str, place: str, copies: Path) -> Registry:
    if "://" not in place:
        try:
            with Path(place).open("rb") as file:
                return parse_registry(file.read(MAX_BYTES + 1), f'registry "{name}"')
        except OSError as error:
            raise StartError(f'registry "{name}" cannot be read: {error.strerror}.') from error
    copy = copies / f"{name}.json"
    try:
        raw = fetch(place)
        registry = parse_registry(raw, f'registry "{name}"')
    except StartError as error:
        if not copy.exists():
            raise
        log("registry_copy_used", level="warning", registry=name, reason=str(error))
        return parse_registry(copy.read_bytes(), f'the copy of registry "{name}"')
    keep_copy(copy, raw)
    return registry


def keep_copy(path: Path, raw: bytes) -> None:
    """Write a copy atomically, so that the file is always complete."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(raw)
    fresh.replace(path)


def fetch(url: str, *, transport: httpx.BaseTransport | None = None) -> bytes:
    """Read an https address on the public network; redirects are not followed.

    Raises:
        StartError: It is not such an address, or cannot be read.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname:
        raise StartError(f'registry address "{url}" does not begin with https://.')
    _check_public(parts.hostname, parts.port or 443)
    try:
        with (
            httpx.Client(timeout=TIMEOUT_S, follow_redirects=False, transport=transport) as client,
            client.stream("GET", url) as response,
        ):
            if response.status_code != httpx.codes.OK:
                raise StartError(f'registry address "{url}" answered {response.status_code}.')
            raw = bytearray()
            for piece in response.iter_bytes():
                raw += piece
                if len(raw) > MAX_BYTES:
                    raise StartError(f'registry address "{url}" sent more than {MAX_BYTES} bytes.')
            return bytes(raw)
    except httpx.HTTPError as error:
        raise StartError(f'registry address "{url}" cannot be read: {error}.') from error


def _check_public(host: str, port: int) -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise StartError(f'registry host "{host}" cannot be found.') from error
    for *_, address in found:
        if not is_public(read_address(str(address[0]))):
            raise StartError(f'registry host "{host}" is not on the public network.')


def _repository(image: str) -> str:
    """The repository of an image, without the parts that engines add by themselves."""
    path = image.partition("@")[0].removeprefix("index.").removeprefix("docker.io/").removeprefix("library/")
    head, slash, last = path.rpartition("/")
    return head + slash + last.partition(":")[0]
