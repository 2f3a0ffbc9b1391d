"""Permission profiles: what a server may mount and reach.

Every non-empty list of the outbound rules restricts: hosts are compared literally (`*` is any, `*.example.com`
its subdomains), ports as numbers. A profile without any outbound rule reaches nothing.
"""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import ValidationError

from tool_api.errors import FieldError
from tool_api.models import NetworkPermissions, OutboundNetworkPermissions, Profile
from tool_api.store import Mount, Network

PROFILE_FIELD = "permission_profile"
MAX_PROFILE_BYTES = 256 * 1024

_REFUSED = frozenset("$&;|`\0\n\r")
_HOST = re.compile(
    r"\*|(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?"
)
_IPV6 = re.compile(r"[0-9a-f:.]*:[0-9a-f:.]*")


@dataclass(frozen=True, slots=True)
class Permissions:
    """A profile in the form that the runtimes enforce."""

    mounts: tuple[Mount, ...]
    network: Network


def load_permissions(name_or_path: str) -> Permissions:
    """Read a profile by its name, or from a JSON file on this machine.

    Raises:
        FieldError: It cannot be read, is malformed, or asks for what cannot be enforced.
    """
    if name_or_path == "network":
        return Permissions((), Network("open"))
    if name_or_path == "none":
        return Permissions((), Network("none"))
    return enforceable(_read(name_or_path))


def enforceable(profile: Profile) -> Permissions:
    """Turn a profile into rules.

    Raises:
        FieldError: It asks for what cannot be enforced; the text names it.
    """
    outbound = profile.network.outbound if profile.network else None
    for part, rules in (("", profile), (".network", profile.network), (".network.outbound", outbound)):
        if rules is not None and rules.unknown:
            raise FieldError(f"{PROFILE_FIELD}{part}.{rules.unknown[0]}", _why_unknown(rules))
    mounts: dict[str, Mount] = {}
    for field, texts, read_only in (("read", profile.read, True), ("write", profile.write, False)):
        for index, text in enumerate(texts):
            place = f"{PROFILE_FIELD}.{field}[{index}]"
            mount = parse_mount(place, text, may_choose=False)
            other = mounts.get(mount.target, mount).source
            if other != mount.source:
                raise FieldError(place, f'"{mount.target}" is "{other}" already; only one folder can be there')
            mounts[mount.target] = Mount(mount.source, mount.target, read_only)
    return Permissions(tuple(mounts.values()), _network(outbound or OutboundNetworkPermissions()))


def _why_unknown(rules: Profile | NetworkPermissions | OutboundNetworkPermissions) -> str:
    known = list(type(rules).model_fields)
    near = get_close_matches(rules.unknown[0].lower(), known, 1)
    remedy = f'do you mean "{near[0]}"?' if near else f"known here: {', '.join(known)}"
    return f"not known here, so it can't be enforced; {remedy}"


def parse_mount(field: str, text: str, *, may_choose: bool) -> Mount:
    """Read `host:container` or, where `may_choose`, `host:container:ro|rw`; a profile also has plain `path`.

    Raises:
        FieldError: The text is none of these.
    """
    if "://" in text:
        raise FieldError(field, "mounts of resources can't be enforced here; give a path of this machine")
    if _REFUSED & set(text):
        raise FieldError(field, "holds a character that paths may not have here")
    parts = text.split(":")
    mode = parts.pop() if may_choose and len(parts) == 3 else "rw"
    if mode not in {"ro", "rw"}:
        raise FieldError(field, f'"{mode}" is not a mode; use ro or rw')
    if len(parts) == 1 and not may_choose:
        parts *= 2
    if len(parts) != 2 or not all(parts):
        raise FieldError(field, "expected host-path:container-path")
    source, target = Path(parts[0]).expanduser(), PurePosixPath(parts[1])
    if not source.is_absolute():
        raise FieldError(field, "the path of this machine must be absolute")
    if not target.is_absolute() or ".." in target.parts or target == PurePosixPath("/"):
        raise FieldError(field, "the path in the container must be absolute, and not its root")
    if target.parts[1] in {"proc", "sys"}:
        raise FieldError(field, f"/{target.parts[1]} of the container belongs to its kernel; mount to another path")
    return Mount(str(source), str(target), mode == "ro")


def _read(path_text: str) -> Profile:
    path = Path(path_text)
    if "\0" in path_text or not path.is_absolute():
        raise FieldError(PROFILE_FIELD, "use none, network, or the absolute path of a JSON file")
    try:
        found = path.stat()
        # A pipe or device would block, or never end.
        if not stat.S_ISREG(found.st_mode):
            raise FieldError(PROFILE_FIELD, "not a regular file")
        if found.st_size > MAX_PROFILE_BYTES:
            raise FieldError(PROFILE_FIELD, f"larger than {MAX_PROFILE_BYTES} bytes")
        return Profile.model_validate_json(path.read_bytes())
    except OSError as error:
        raise FieldError(PROFILE_FIELD, "the file cannot be read") from error
    except ValidationError as error:
        raise FieldError(PROFILE_FIELD, f"the file is not a profile; {_first(error)}") from error
    except UnicodeError as error:
        raise FieldError(PROFILE_FIELD, "not a path") from error


def _first(error: ValidationError) -> str:
    problem: Any = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place}: {problem['msg'].lower()}" if place else problem["msg"].lower()


def _network(outbound: OutboundNetworkPermissions) -> Network:
    field = f"{PROFILE_FIELD}.network.outbound"
    if outbound.insecure_allow_all:
        return Network("open")
    if "udp" in outbound.allow_transport:
        raise FieldError(f"{field}.allow_transport", "udp can't be enforced; allow tcp only, or insecure_allow_all")
    for port in outbound.allow_port:
        if not 1 <= port <= 65535:
            raise FieldError(f"{field}.allow_port", f"{port} is not a port")
    hosts = tuple(host.lower() for host in outbound.allow_host)
    for host in hosts:
        if not (_HOST.fullmatch(host) or _IPV6.fullmatch(host)):
            raise FieldError(f"{field}.allow_host", f'"{host}" is not a host name')
    if not (hosts or outbound.allow_port or outbound.allow_transport):
        return Network("none")
    return Network("filtered", hosts, tuple(outbound.allow_port))
