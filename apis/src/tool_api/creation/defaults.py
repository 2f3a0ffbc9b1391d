"""A registry entry's transport, arguments, variables and permissions, where the image of a request is the entry's."""

from __future__ import annotations

from tool_api.creation.permissions import PROFILE_FIELD, Permissions, enforceable, load_permissions
from tool_api.errors import FieldError
from tool_api.models import Server, createRequest


def apply_defaults(request: createRequest, entry: Server | None) -> tuple[createRequest, Permissions]:
    """Fill in what a request leaves out.

    A field that the request sets wins over the entry, but for the arguments: the entry's come first. null, "" and 0
    count as left out, as Go clients send them.

    Args:
        request: The request as it came.
        entry: The entry of a registry that has the image; None where no registry has it.

    Returns:
        The request to be checked, and the permissions of its server.

    Raises:
        FieldError: A variable that the entry needs is missing, or the permissions cannot be enforced.
    """
    if entry is None or request.permission_profile:
        permissions = load_permissions(request.permission_profile or "network")
    else:
        permissions = _permissions_of(entry)
    if entry is None:
        return request, permissions
    given = request.model_dump(exclude_unset=True)
    transport = given.get("transport") or entry.transport
    changes = {
        "transport": transport,
        # A request for stdio has not asked for the port that the entry's own transport needs.
        "target_port": request.target_port or (entry.target_port if transport != "stdio" else None),
        "cmd_arguments": [*entry.args, *(request.cmd_arguments or [])],
        "env_vars": [*(request.env_vars or []), *_missing_variables(request, entry)],
    }
    return request.model_copy(update=changes), permissions


def _permissions_of(entry: Server) -> Permissions:
    try:
        return enforceable(entry.permissions)
    except FieldError as error:
        raise FieldError(
            PROFILE_FIELD, f'the registry entry "{entry.name}" asks for what is refused ({error.text}); name a profile'
        ) from error


def _missing_variables(request: createRequest, entry: Server) -> list[str]:
    """Write `NAME=VALUE` for variables with a default that the request does not set."""
    given = {text.partition("=")[0] for text in request.env_vars or []}
    given |= {secret.target for secret in request.secrets or []}
    missing = [variable for variable in entry.env_vars if variable.name not in given]
    needed = [variable.name for variable in missing if variable.required and variable.default is None]
    if needed:
        raise FieldError(
            "env_vars",
            f'the registry entry "{entry.name}" needs {", ".join(needed)}; set it here, or by an item of secrets',
        )
    return [f"{variable.name}={variable.default}" for variable in missing if variable.default is not None]
