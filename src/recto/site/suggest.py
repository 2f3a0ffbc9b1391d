"""Find what an author probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Find the candidate most like a word, or None where none is alike.

    Candidates that share the last part of a path come first: a page that moved kept its name.
    """
    known = list(candidates)
    name = word.rstrip("/").rpartition("/")[2]
    same_name = [candidate for candidate in known if name and candidate.rstrip("/").rpartition("/")[2] == name]
    close = difflib.get_close_matches(word, same_name or known, n=1, cutoff=0.1 if same_name else 0.6)
    return close[0] if close else None
