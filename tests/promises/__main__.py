"""`python -m tests.promises FILE…`: hold the JUnit files of a run against the table; exit code 1 if one is broken."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.promises.check import judge
from tests.promises.depth import measure
from tests.promises.ran import read_run
from tests.promises.table import TABLE, read_table


def main() -> int:
    """Print the verdict."""
    promises = read_table(TABLE.read_text(encoding="utf-8"))
    verdict = judge(promises, read_run(map(Path, sys.argv[1:])))
    depths = measure(promises)
    print("\n".join([*(f"NOT HELD: {line}" for line in depths.broken), *depths.lines(), *verdict.lines()]))
    return 1 if verdict.broken or depths.broken else 0


if __name__ == "__main__":
    sys.exit(main())
