"""Lists of posts that have another address here than in the old blog, or none: redirects lead to the nearest list."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable

from octavo.importing.model import Plan
from octavo.lazy import regex as re

_MARKS = "\u0300-\u036f\ufe20-\ufe2f\u20d0-\u20ff"
_BREAK = "\u00ac\u00b1\u00d7\u00f7\\x00-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\u00bf\u2000-\u206f \t\x0b\f\u00a0\ufeff\n\r\u2028\u2029\u1680\u180e\u2000-\u200a\u202f\u205f\u3000"
_UPPER, _LOWER = "A-Z\u00c0-\u00d6\u00d8-\u00de", "a-z\u00df-\u00f6\u00f8-\u00ff"
_OTHER = f"[^\U00010000-\U0010ffff{_BREAK}0-9\u2700-\u27bf{_LOWER}{_UPPER}]"
"""Letters of other scripts, which have no large and small ones here."""
_PART = f"(?:[{_UPPER}]|{_OTHER})", f"(?:[{_LOWER}]|{_OTHER})"
_WORDS = re.compile(
    "|".join(
        (
            f"[{_UPPER}]?[{_LOWER}]+(?=[{_BREAK}]|[{_UPPER}]|\\Z)",
            f"{_PART[0]}+(?=[{_BREAK}]|[{_UPPER}]{_PART[1]}|\\Z)",
            f"[{_UPPER}]?{_PART[1]}+",
            f"[{_UPPER}]+",
            r"[0-9]*(?:1ST|2ND|3RD|(?![123])[0-9]TH)(?=\b|[a-z_])",
            r"[0-9]*(?:1st|2nd|3rd|(?![123])[0-9]th)(?=\b|[A-Z_])",
            "[0-9]+",
            f"[\u2700-\u27bf\U00010000-\U0010ffff][{_MARKS}\ufe0e\ufe0f]*",
        )
    ),
    re.ASCII,
)
_COMPOUND = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[0-9][a-zA-Z]|[a-zA-Z][0-9]|[^a-zA-Z0-9 ]")
_ASCII_WORDS = re.compile(r"[a-zA-Z0-9]+")
_LETTERS = {
    "\u00df": "ss", "\u00e6": "ae", "\u00c6": "Ae", "\u00f8": "o", "\u00d8": "O", "\u00f0": "d", "\u00d0": "D", "\u00fe": "th",
    "\u00de": "Th", "\u0111": "d", "\u0110": "D", "\u0127": "h", "\u0126": "H", "\u0131": "i", "\u0142": "l", "\u0141": "L",
    "\u0153": "oe", "\u0152": "Oe", "\u0167": "t", "\u0166": "T", "\u017f": "s", "\u0138": "k", "\u014b": "n", "\u014a": "N",
    "\u0133": "ij", "\u0132": "IJ", "\u0149": "'n", "\u0140": "l", "\u013f": "L",
}  # fmt: skip
"""Letters of Latin scripts without marks that could be taken off."""


def kebab_case(text: str) -> str:
    """Write a text as Docusaurus writes tags in addresses: `GitHub Actions` is `git-hub-actions`.

    Source:
        lodash 4.17, `kebabCase`, read in 2026-11.
    """
    latin = (
        _LETTERS.get(one) or unicodedata.normalize("NFD", one)[0] if "\u00c0" <= one <= "\u017f" else one
        for one in text
    )
    plain = re.sub(f"['\u2019{_MARKS}]", "", "".join(latin))
    words = (_WORDS if _COMPOUND.search(plain) else _ASCII_WORDS).findall(plain)
    return "-".join(words).lower()


def lead_on(plan: Plan, lists: Counter[tuple[str, str]], per_page: int, kept: Iterable[str] = ()) -> None:
    """Redirect the pages of lists of posts to the lists that take their place.

    Args:
        plan: Takes the redirects.
        lists: (old address, new address), without the ending of addresses → number of posts in the old list.
        per_page: Posts on each of its pages.
        kept: Addresses that are pages here.
    """
    ending = plan.settings["routing"].get("ending", "")
    taken = {one.rstrip("/") for one in kept} | {new for _, new in lists}
    redirects = plan.settings.setdefault("redirects", [])
    for (old, new), count in sorted(lists.items()):
        pages = [old, *(f"{old}/page/{number}" for number in range(2, -(-count // per_page) + 1))]
        target = f"{new}{ending}" if new.strip("/") else "/"
        redirects += [{"from": f"{one}{ending}", "to": target} for one in pages if one not in taken]
        taken.update(pages)
