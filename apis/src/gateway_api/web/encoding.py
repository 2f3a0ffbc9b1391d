"""Responses that are serialized directly as JSON, without passing through models.

A page of 50 conversations holds some 900 values; to check and to write them by their models costs more than to read
them from the database. What is written here must have every field of its model, in the model's order: a test reads
answers with their models, writes them again and compares.
"""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.responses import Response

_ENCODER = msgspec.json.Encoder()


def encode_answer(value: Any) -> Response:
    """Write dicts, lists, texts, numbers and moments in UTC."""
    return Response(_ENCODER.encode(value), media_type="application/json")
