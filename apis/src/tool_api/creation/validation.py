"""A create request becomes a `ServerSpec`; what is wrong with it is a 400 that names the field."""

from __future__ import annotations

import ipaddress
import re
import time
from difflib import get_close_matches
from urllib.parse import urlsplit

from tool_api.creation.permissions import Permissions, parse_mount
from tool_api.errors import FieldError
from tool_api.models import createRequest, oidcOptions
from tool_api.store import Mount, Oidc, ServerSpec

# Name of a container: Docker Engine API, parameter `name` of ContainerCreate, which takes no single letter; its length
# is bounded by what a network derived from it and a DNS label can hold.
_NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_.-]{1,62}")

# Reference grammar of the distribution project: [host[:port]/]path[:tag][@digest].
_COMPONENT = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
_IMAGE = re.compile(
    rf"(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::[0-9]+)?/)?{_COMPONENT}(?:/{_COMPONENT})*"
    r"(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[0-9a-f]{64})?"
)
# Engines take any name without `=`; dots and dashes are in use (Java and Spring properties).
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_VARIABLE_HINT = "not a variable name; use letters, digits, underscores, dots and dashes, beginning with no digit"
_SECRET = re.compile(r"[A-Za-z0-9_.-]{1,128}")

_NOT_IN_URLS = re.compile(r"[^!-~]")

LIKENESS = 0.85
"""From 0 to 1: how like a known field a name must be to be taken for a misspelling (`audiences` and `audience`: 0.94)."""

MAX_NAME = 64
"""Characters of a field's name that are looked at."""

MAX_ITEMS = 256
MAX_TEXT = 32 * 1024
"""Characters in one argument or variable; the kernel refuses more than 128 KiB for one."""


def validate(request: createRequest, permissions: Permissions) -> ServerSpec:
    """Check every field.

    Args:
        request: With the defaults of a registry entry, if it has one.
        permissions: Of the server; see `apply_defaults`.

    Returns:
        The spec, with defaults filled in. `target_port` is 0 where the transport is stdio.

    Raises:
        FieldError: A field does not hold what it must.
    """
    _refuse_misspelled(request)
    image = _image(request.image)
    if request.authz_config:
        raise FieldError("authz_config", "authorization policies are not enforced here; leave the field out")
    return ServerSpec(
        name=_name(request.name, image),
        image=image,
        transport=request.transport or "stdio",
        host=_host(request.host),
        target_port=_target_port(request),
        arguments=_texts("cmd_arguments", request.cmd_arguments or []),
        env=_env(request),
        secrets=_secrets(request),
        mounts=_mounts(request, permissions),
        network=permissions.network,
        oidc=_oidc(request.oidc),
    )


def ignored_fields(request: createRequest) -> list[str]:
    """Fields of a request that have no effect: those of a later format, as the contract says."""
    parts = (("", request), ("oidc.", request.oidc))
    return [f"{place}{key}" for place, part in parts if part is not None for key in part.unknown]


def _refuse_misspelled(request: createRequest) -> None:
    """A profile, or what tokens must prove, that is left out for its spelling would let through what it forbids."""
    for place, part in (("", request), ("oidc.", request.oidc)):
        if part is None:
            continue
        known = {_spelling(name): name for name in type(part).model_fields}
        for key in part.unknown:
            # Hardly anybody mistypes the first letter, and fields of later formats may be alike: `oauth_config`, `authz_config`.
            spelling = _spelling(key)
            near = get_close_matches(spelling, [name for name in known if name[:1] == spelling[:1]], 1, LIKENESS)
            if near:
                raise FieldError(f"{place}{key}", f'not known here; do you mean "{known[near[0]]}"?')


def _spelling(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name[:MAX_NAME].lower())


def _name(name: str | None, image: str) -> str:
    if not name:
        base = re.sub(r"[^a-zA-Z0-9]+", "-", image.partition("@")[0].rpartition("/")[2].partition(":")[0])
        # Nanoseconds: two nameless requests within one second get two names.
        return f"{base.strip('-')[:40]}-{time.time_ns()}"
    if not _NAME.fullmatch(name):
        raise FieldError(
            "name", "use 2 to 63 letters, digits, dots, dashes and underscores, beginning with a letter or digit"
        )
    return name


def _image(image: str) -> str:
    if not image:
        raise FieldError("image", "must not be empty")
    if len(image) > 512 or not _IMAGE.fullmatch(image):
        raise FieldError("image", "not an image reference such as ghcr.io/example/server:1.0")
    return image


def _host(host: str | None) -> str:
    if not host or host == "localhost":
        return "127.0.0.1"
    try:
        address = ipaddress.ip_address(host)
    except ValueError as error:
        raise FieldError("host", "not an IP address") from error
    # A mapped address is the IPv4 address itself, for those who ask whether it is this machine's own.
    return str((address.version == 6 and address.ipv4_mapped) or address)


def _target_port(request: createRequest) -> int:
    port = request.target_port
    if port and not 1 <= port <= 65535:
        raise FieldError("target_port", "use a number from 1 to 65535")
    if (request.transport or "stdio") != "stdio":
        return port or 8080
    if port:
        raise FieldError(
            "target_port",
            "a server with the transport stdio listens on no port; leave it out, or set transport to sse or streamable-http",
        )
    return 0


def _texts(field: str, texts: list[str]) -> tuple[str, ...]:
    if len(texts) > MAX_ITEMS:
        raise FieldError(field, f"holds more than {MAX_ITEMS} items")
    for index, text in enumerate(texts):
        if len(text) > MAX_TEXT:
            raise FieldError(f"{field}[{index}]", f"longer than {MAX_TEXT} characters")
        if "\0" in text:
            raise FieldError(f"{field}[{index}]", "holds a null character")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise FieldError(f"{field}[{index}]", "holds half of a surrogate pair") from error
    return tuple(texts)


def _env(request: createRequest) -> tuple[tuple[str, str], ...]:
    variables: dict[str, str] = {}
    for index, text in enumerate(_texts("env_vars", request.env_vars or [])):
        name, equals, value = text.partition("=")
        if not equals:
            raise FieldError(f"env_vars[{index}]", "expected NAME=VALUE")
        if not _VARIABLE.fullmatch(name):
            raise FieldError(f"env_vars[{index}]", _VARIABLE_HINT)
        if variables.setdefault(name, value) != value:
            raise FieldError(f"env_vars[{index}]", f'"{name}" has another value already')
    return tuple(variables.items())


def _secrets(request: createRequest) -> tuple[tuple[str, str], ...]:
    secrets = request.secrets or []
    if len(secrets) > MAX_ITEMS:
        raise FieldError("secrets", f"holds more than {MAX_ITEMS} items")
    taken = {text.partition("=")[0] for text in request.env_vars or []}
    for index, secret in enumerate(secrets):
        if not _SECRET.fullmatch(secret.name):
            raise FieldError(f"secrets[{index}].name", "use letters, digits, dots, dashes and underscores")
        if not _VARIABLE.fullmatch(secret.target):
            raise FieldError(f"secrets[{index}].target", _VARIABLE_HINT)
        if secret.target in taken:
            raise FieldError(f"secrets[{index}].target", f'"{secret.target}" is given twice')
        taken.add(secret.target)
    return tuple((secret.name, secret.target) for secret in secrets)


def _mounts(request: createRequest, permissions: Permissions) -> tuple[Mount, ...]:
    mounts = {mount.target: mount for mount in permissions.mounts}
    for index, text in enumerate(_texts("volumes", request.volumes or [])):
        mount = parse_mount(f"volumes[{index}]", text, may_choose=True)
        if mount.target in mounts:
            raise FieldError(f"volumes[{index}]", f'"{mount.target}" is mounted already')
        mounts[mount.target] = mount
    return tuple(mounts.values())


def _oidc(options: oidcOptions | None) -> Oidc | None:
    if options is None:
        return None
    oidc = Oidc(options.issuer or "", options.audience or "", options.client_id or "", options.jwks_url or "")
    if oidc == Oidc():
        return None
    if not (oidc.issuer or oidc.jwks_url):
        raise FieldError("oidc", "give issuer or jwks_url; without keys no token can be checked")
    for field, url in (("oidc.issuer", oidc.issuer), ("oidc.jwks_url", oidc.jwks_url)):
        if url:
            _check_key_url(field, url)
    return oidc


def _check_key_url(field: str, url: str) -> None:
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError as error:
        raise FieldError(field, "not an address") from error
    # Plain HTTP is for a provider on this machine only: keys that travel in the clear prove nothing.
    is_local = host in {"127.0.0.1", "::1", "localhost"}
    if _NOT_IN_URLS.search(url):
        raise FieldError(field, "an address has no spaces and no characters beyond ASCII; encode them")
    if not host or parts.scheme not in {"https", "http"} or (parts.scheme == "http" and not is_local):
        raise FieldError(field, "expected an https address")
    if parts.username or parts.password:
        raise FieldError(field, "an address with a password is not accepted")
