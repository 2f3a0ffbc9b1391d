"""What the API answers when it cannot do what was asked: a status and one sentence of plain text."""

from __future__ import annotations


class ToolError(Exception):
    """Base of all refusals.

    Attributes:
        status: HTTP status of the answer.
        text: The body, one sentence.
    """

    status = 500

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class FieldError(ToolError):
    """A field of the request does not hold what it must (400)."""

    status = 400

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")


class BadRequestError(ToolError):
    """The request as a whole cannot be accepted (400)."""

    status = 400


class NotFoundError(ToolError):
    """What the path names does not exist (404)."""

    status = 404


class ConflictError(ToolError):
    """The name is taken (409)."""

    status = 409


class NotOfferedError(ToolError):
    """The contract reserves the operation (501)."""

    status = 501


class EngineError(ToolError):
    """The container engine did not do what it was asked (500)."""

    status = 500


class BusyError(ToolError):
    """Another program is writing to the database of the state, and did not end in time (503)."""

    status = 503

    def __init__(self) -> None:
        super().__init__("Another program is writing to the state folder; try again later")


class StartError(Exception):
    """The program cannot start with these settings; the command shows the sentence and exits with 2."""
