"""How many typing mistakes lie between two words."""

from __future__ import annotations


def within(first: str, second: str, limit: int) -> bool:
    """Return whether at most `limit` letters were left out, added, replaced, or swapped with their neighbours."""
    if first == second:
        return True
    if limit == 0 or abs(len(first) - len(second)) > limit:
        return False
    start = _first_difference(first, second)
    rest, other = first[start:], second[start:]
    if limit == 1:
        return (
            rest[1:] == other[1:]
            or rest[1:] == other
            or rest == other[1:]
            or (rest[2:] == other[2:] and rest[:2] == other[1::-1])
        )
    return (
        within(rest[1:], other[1:], limit - 1)
        or within(rest[1:], other, limit - 1)
        or within(rest, other[1:], limit - 1)
        or (len(rest) > 1 and rest[:2] == other[1::-1] and within(rest[2:], other[2:], limit - 1))
    )


def begins_within(text: str, beginning: str, limit: int) -> bool:
    """Return whether some beginning of a text is within `limit` mistakes of another one."""
    start = _first_difference(text, beginning)
    text, rest = text[start:], beginning[start:]
    if not rest:
        return True
    if limit == 0:
        return False
    is_swapped = len(rest) > 1 and text[:2] == rest[1::-1]
    if limit == 1:  # the commonest case, without further calls: a word in progress has hundreds of candidates
        after = rest[1:]
        return (
            text.startswith((rest, after), 1) or text.startswith(after) or (is_swapped and text.startswith(rest[2:], 2))
        )
    return (
        begins_within(text[1:], rest[1:], limit - 1)
        or begins_within(text[1:], rest, limit - 1)
        or begins_within(text, rest[1:], limit - 1)
        or (is_swapped and begins_within(text[2:], rest[2:], limit - 1))
    )


def digits(word: str) -> str:
    """The digits of a word: a mistake in them makes another thing, not the same one misspelt."""
    return "" if word.isalpha() else "".join(filter(str.isdigit, word))


def _first_difference(first: str, second: str) -> int:
    for index, (mine, theirs) in enumerate(zip(first, second, strict=False)):
        if mine != theirs:
            return index
    return min(len(first), len(second))
