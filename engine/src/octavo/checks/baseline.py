"""Findings that a site had when it adopted the checks: they are tolerated, new ones are not.

A finding is known by what it says and where, but not by its line: text that is added above must not make it new.
Two of the same kind in one file count as two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from octavo.diagnostics import Diagnostic
from octavo.errors import UsageError
from octavo.text_files import read_plain


class Known(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """One entry of the file."""

    path: str
    """File, from the site's folder."""
    code: str
    """Kind of problem, such as `broken-link`."""
    message: str
    count: int = 1
    """How many of them the file has, 1 or more."""


class Compared(msgspec.Struct, frozen=True):
    """Findings, compared with a baseline."""

    new: list[Diagnostic]
    """Those that it does not know, in the order in which they came."""
    tolerated: int
    """How many it does know."""
    mended: int
    """How many it knows that are no more."""


def load_baseline(path: Path) -> list[Known]:
    """Read a baseline.

    Raises:
        UsageError: it is not there, or is not a baseline.
    """
    try:
        return msgspec.json.decode(read_plain(path), type=list[Known])
    except FileNotFoundError:
        raise UsageError(f"{path} does not exist. Write the findings of today with `--update-baseline`.") from None
    except (OSError, msgspec.DecodeError, msgspec.ValidationError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise UsageError(
            f"{path} cannot be read as a baseline: {reason}. Rewrite it with `--update-baseline`."
        ) from error


def save_baseline(path: Path, findings: Iterable[Diagnostic]) -> None:
    """Write a baseline of findings: sorted JSON, which merges line by line.

    Raises:
        UsageError: it cannot be written.
    """
    counts = Counter(map(_key, findings))
    entries = sorted(Known(*key, count) for key, count in counts.items())
    try:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(entries), indent=2) + b"\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error


def compare_findings(findings: Sequence[Diagnostic], baseline: Iterable[Known]) -> Compared:
    """Tell new findings from known ones. Of more than are known, the last ones are new."""
    left = Counter({(entry.path, entry.code, entry.message): entry.count for entry in baseline})
    new = []
    for finding in findings:
        key = _key(finding)
        if left[key] > 0:
            left[key] -= 1
        else:
            new.append(finding)
    return Compared(new, tolerated=len(findings) - len(new), mended=left.total())


def _key(finding: Diagnostic) -> tuple[str, str, str]:
    return finding.span.path, finding.code, finding.message
