"""The error family. A problem in somebody's content is not here: it is a `Diagnostic`, a value.

OctavoError
├── ConfigError       octavo.toml, or a value given on the command line        exit 2
├── UsageError        the command cannot be carried out as asked              exit 2
├── RenderError       the theme threw while it drew a page                    exit 1
├── CacheLostError    the build's own working files vanished under it         exit 1
├── WorkerLostError   a process of the build was ended from outside           exit 1
├── PublishError      the published folder cannot be written                  exit 1
└── ServeError        the server cannot start (port taken, nothing built)     exit 2
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from octavo.diagnostics import Diagnostic


class OctavoError(Exception):
    """Base of every error that Octavo raises on purpose; its text is one or two full sentences."""

    exit_code = 1


class ConfigError(OctavoError):
    """`octavo.toml` cannot be read or holds something that is not allowed.

    Args:
        message: All mistakes, each with file and line.
        findings: The same mistakes as findings, where their places are known.
    """

    exit_code = 2

    def __init__(self, message: str, findings: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.findings = tuple(findings)


class UsageError(OctavoError):
    """The command line asks for something that cannot be done."""

    exit_code = 2


class RenderError(OctavoError):
    """The theme failed on a page; names the route and carries the script's own message."""

    exit_code = 1


class CacheLostError(OctavoError):
    """Working files of the build vanished, or cannot be written."""

    exit_code = 1


class WorkerLostError(OctavoError):
    """A process of the build was ended from outside, such as for lack of memory."""

    exit_code = 1


class PublishError(OctavoError):
    """The output folder cannot be written or exchanged; the old one is untouched."""

    exit_code = 1


class ServeError(OctavoError):
    """The server cannot start."""

    exit_code = 2
