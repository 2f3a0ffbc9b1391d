"""Files of Python that nobody has to scroll through for long, the tests among them."""

from __future__ import annotations

from .files import text_files

MOST_LINES = 500
"""Lines of a file; `engine/tests/unit/test_architecture.py` holds the engine's own modules to the same number."""


def test_no_python_file_is_longer_than_500_lines() -> None:
    lengths = {name: text.count("\n") for name, text in text_files().items() if name.endswith(".py")}
    assert len(lengths) > 1000
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}
