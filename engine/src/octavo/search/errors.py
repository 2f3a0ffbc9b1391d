"""What the protocol answers to a request that it cannot carry out."""

from __future__ import annotations


class ProtocolError(Exception):
    """Becomes `{"message": …, "status": …}`.

    Source:
        Error bodies of the hosted service's REST API, read 2026-11-20.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class TooManyRequestsError(ProtocolError):
    """An address asks too often."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(429, "Too many requests; try again in a moment")
        self.wait_s = wait_s
        """Seconds until the same request would be answered."""


def bad_parameter(name: str, expected: str) -> ProtocolError:
    """Say which parameter cannot be used, and what was expected."""
    return ProtocolError(400, f'Invalid value for "{name}" parameter, expected {expected}')
