"""What the API refuses, and what the command cannot do.

GatewayError          an answer: a status and one sentence in `detail`
├── InvalidError      400  a rule that no schema can say
├── DiscoveryError    401  the provider did not list its models
├── NotFoundError     404
├── ConflictError     409
└── BusyError         503  the database did not get to it in time
SetupError            the command stops: key file, database or import
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
    """A provider refused the key, could not be reached or answered something else than models."""

    status = 401

    def __init__(self) -> None:
        super().__init__("Could not list models of the provider")


class NotFoundError(GatewayError):
    """What the path names is not there."""

    status = 404


class ConflictError(GatewayError):
    """The name is taken, or the state is there already."""

    status = 409


class BusyError(GatewayError):
    """Others use the database for too long; the same request may succeed a moment later."""

    status = 503

    def __init__(self) -> None:
        super().__init__("The database is busy; try again")


class SetupError(click.ClickException):
    """The command cannot go on; shown as one line, exit code 2."""

    exit_code = 2
