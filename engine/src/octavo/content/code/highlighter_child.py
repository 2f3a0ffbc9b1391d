"""The process that highlights: JSON of (language, code) on standard input, JSON of its runs on standard output, one a line.

Started by `octavo.content.code.highlighter_process`, ended by the end of its input. `null` stands for a block that takes
too long.
"""

from __future__ import annotations

import sys

import msgspec

from octavo.content.code.budget import SlowCodeError
from octavo.content.code.highlight import runs_here


def main() -> None:
    """Answer each line of the input."""
    output = sys.stdout.buffer
    for line in sys.stdin.buffer:
        language, code = msgspec.json.decode(line, type=tuple[str, str])
        try:
            answer = msgspec.json.encode(runs_here(language, code))
        except SlowCodeError:
            answer = b"null"
        output.write(answer + b"\n")
        output.flush()


if __name__ == "__main__":
    main()
