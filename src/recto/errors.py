"""The error family. A problem in somebody's content is not here: it is a `Diagnostic`, a value.

RectoError
├── ConfigError       recto.toml, or a value given on the command line        exit 2
├── UsageError        the command cannot be carried out as asked              exit 2
├── RenderError       the theme threw while it drew a page                    exit 1
├── CacheLostError    the build's own working files vanished under it         exit 1
├── PublishError      the published folder cannot be written                  exit 1
└── ServeError        the server cannot start (port taken, nothing built)     exit 2
"""

from __future__ import annotations


class RectoError(Exception):
    """Base of every error that Recto raises on purpose; its text is one or two full sentences."""

    exit_code = 1


class ConfigError(RectoError):
    """`recto.toml` cannot be read or holds something that is not allowed."""

    exit_code = 2


class UsageError(RectoError):
    """The command line asks for something that cannot be done."""

    exit_code = 2


class RenderError(RectoError):
    """The theme failed on a page; names the route and carries the script's own message."""

    exit_code = 1


class CacheLostError(RectoError):
    """Working files of the build vanished, or cannot be written."""

    exit_code = 1


class PublishError(RectoError):
    """The output folder cannot be written or exchanged; the old one is untouched."""

    exit_code = 1


class ServeError(RectoError):
    """The server cannot start."""

    exit_code = 2
