"""Text in requests."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError


def _check_text(text: str) -> str:
    """Refuse halves of characters, which JSON can escape and no database can store."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise PydanticCustomError("string_unicode", "Input should be a valid string of whole characters") from None
    return text


Text = Annotated[str, AfterValidator(_check_text)]
"""A string that can be written in UTF-8."""
