"""Lists of posts that have another address here than in the old blog, or none: redirects lead to the nearest list."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from octavo.importing.model import Plan

_WORDS = re.compile(
    r"\d*(?:1st|2nd|3rd|(?![123])\dth)(?=\b|[A-Z_])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+"
)
_COMPOUND = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[0-9][a-zA-Z]|[a-zA-Z][0-9]|[^a-zA-Z0-9 ]")
_ASCII_WORDS = re.compile(r"[a-zA-Z0-9]+")


def kebab_case(text: str) -> str:
    """Write a text as Docusaurus writes tags in addresses: `GitHub Actions` is `git-hub-actions`.

    Source:
        lodash 4.17, `kebabCase`, read in 2026-11.
    """
    plain = "".join(char for char in unicodedata.normalize("NFD", text) if not "\u0300" <= char <= "\u036f")
    plain = re.sub("['\u2019]", "", unicodedata.normalize("NFC", plain))
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
