"""Features of React that the published copy lacks, found in the files of authors."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from octavo.diagnostics import Diagnostic
from octavo.lazy import regex as re

_SVG_TAG = re.compile(r"<(?P<end>/)?(?:svg|g|symbol|defs|pattern|mask|marker|clipPath|linearGradient)\b(?:[^<>]|=>)*>")
"""Elements of pictures in which a title is that of the picture, and none of the page."""
_LEFT_OUT: dict[str, re.Pattern[str]] = {
    "useActionState": re.compile(r"\buseActionState\b"),
    "useFormStatus": re.compile(r"\buseFormStatus\b"),
    "<Activity>": re.compile(r"<Activity\b"),
    "<ViewTransition>": re.compile(r"<ViewTransition\b"),
    "<SuspenseList>": re.compile(r"<SuspenseList\b"),
    "onBeforeInput": re.compile(r"\bonBeforeInput="),
    "onSelect": re.compile(r"\bonSelect="),
    "actions of forms": re.compile(r"<(?:form|button|input)\b[^<>]*\s(?:form)?[aA]ction=\{"),
    "elements of the head": re.compile(
        r"<(?:(?:meta|title)(?=[\s/>])(?!(?:[^<>]|=>)*\bitemProp\b)"
        r"|(?:link|script)(?=[\s/>])|style(?=\s)(?=(?:[^<>]|=>)*\bprecedence=))"
    ),
    "custom elements": re.compile(r"<[a-z]+-[a-z][\w-]*[\s/>]"),
}
"""Features of React without which the theme's copy is published; `pruneReact.mjs` leaves them out."""
_ELEMENT = r"""\bjsxs?\w*(?:\.call\(void 0, |\()\s*['"]"""
_IN_CODE: dict[str, re.Pattern[str]] = {
    "elements of the head": re.compile(rf"{_ELEMENT}(?:link|meta|title|style|script)['\"]"),
    "custom elements": re.compile(rf"{_ELEMENT}[a-z]+-[a-z]"),
}
"""What of these the compiled code must have as well: in the source, the same letters may be in a string."""


_BREAKING = ("useActionState", "useFormStatus", "<Activity>", "<ViewTransition>", "<SuspenseList>")
"""Those without which a component fails in browsers; the others have no effect there."""
MESSAGE = "In the browser this does not work: the published copy of React is without {feature}."
HINT = "It is drawn at build time. Without `export const client` that is all; else write it without this."
_BREAKING_MESSAGES = frozenset(MESSAGE.format(feature=feature) for feature in _BREAKING)


def find_lacking(text: str, code: str) -> Iterator[tuple[str, int]]:
    """Find features that the published copy lacks: each with the offset of its first use.

    Args:
        text: The file.
        code: What it is compiled to.
    """
    for feature, pattern in _LEFT_OUT.items():
        if feature in _IN_CODE and not _IN_CODE[feature].search(code):
            continue
        match = next((one for one in pattern.finditer(text) if not _is_in_picture(text, one)), None)
        if match is not None:
            yield feature, match.start()


def when_hydrated(problem: Diagnostic) -> Diagnostic:
    """Make an error of a finding where the file is part of a component that is hydrated, and would fail there."""
    return msgspec.structs.replace(problem, level="error") if problem.message in _BREAKING_MESSAGES else problem


def _is_in_picture(text: str, found: re.Match[str]) -> bool:
    """Return whether what was found is a title or a style within an SVG picture, where React leaves it."""
    if not found[0].startswith(("<title", "<style")):
        return False
    tags = [one for one in _SVG_TAG.finditer(text, 0, found.start()) if not one[0].endswith("/>")]
    return sum(-1 if one["end"] else 1 for one in tags) > 0
