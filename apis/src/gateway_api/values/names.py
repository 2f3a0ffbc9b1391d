"""Names that are allowed."""

from __future__ import annotations

import re

from gateway_api.errors import InvalidError

DEFAULT_WORKSPACE = "default"
_WORKSPACE = re.compile(r"[a-zA-Z0-9_-]+")
_PERSONA = re.compile(r"[a-zA-Z0-9_ -]+")
_RESERVED = (DEFAULT_WORKSPACE, "active", "archived")
_UNREACHABLE = ("active", "archive", "archived")
"""Path segments with a meaning of their own: a workspace of such a name could never be addressed."""

RESERVED_PROVIDER = "models"
"""`/provider-endpoints/models` lists all models, so no provider can be reached under it."""


def workspace_name(text: str) -> str:
    """Check the name of a workspace that is to be made, and write it as it is stored.

    Raises:
        InvalidError: It is empty, reserved or has other characters.
    """
    name = text.strip()
    if not name:
        raise InvalidError("Workspace name cannot be empty")
    if name in _RESERVED or name.lower() in _UNREACHABLE:
        raise InvalidError(f"Workspace name {name} is reserved")
    if not _WORKSPACE.fullmatch(name):
        raise InvalidError("Workspace name is invalid. Use letters, digits, underscores and hyphens")
    return name.lower()


def lookup_name(text: str) -> str:
    """Write the name of a workspace as it would be stored; a name that cannot exist is found nowhere."""
    return text.strip().lower()


def persona_name(text: str) -> str:
    """Check the name of a persona.

    Raises:
        InvalidError: It is empty or has other characters.
    """
    if not text.strip() or not _PERSONA.fullmatch(text):
        raise InvalidError("Persona name is invalid. Use letters, digits, spaces, underscores and hyphens")
    return text
