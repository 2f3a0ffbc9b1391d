"""What the API refuses, and what the command cannot do.

GatewayError          an answer: a status and one sentence in `detail`
├── InvalidError      400  a rule that no schema can express
├── DiscoveryError    401  the provider did not list its models
├── NotFoundError     404
├── ConflictError     409
└── KeyFileError      503  stored API keys cannot be encrypted or decrypted
SetupError            the command stops: key file, database or import

Failures of the database are `storage_errors.StorageError`.
"""

from __future__ import annotations

import click


class GatewayError(Exception):
    """An answer other than success; its text is for the client and holds no secret, path or SQL."""

    status = 500


class InvalidError(GatewayError):
    """The request is well formed and still not allowed."""

    status = 400


class DiscoveryError(GatewayError):
    """A provider refused the key, could not be reached or answered with something other than models.

    Args:
        reason: Half a sentence that holds no key and no address.
    """

    status = 401

    def __init__(self, reason: str) -> None:
        super().__init__(f"Could not list models of the provider: {reason}")
        self.reason = reason


class NotFoundError(GatewayError):
    """What the path names does not exist."""

    status = 404


class ConflictError(GatewayError):
    """The name is taken, the state is reached already, or somebody else changed the same thing meanwhile."""

    status = 409


class KeyFileError(GatewayError):
    """The key file is missing, or is not the one that the stored keys were encrypted with."""

    status = 503


class SetupError(click.ClickException):
    """The command cannot go on; shown as one line, exit code 2."""

    exit_code = 2
