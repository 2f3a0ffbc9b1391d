"""What a redirect of `octavo.toml` must be like, beyond its types."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.config.schema import Redirect

_STAR = "/*"


def explain_redirect(redirect: Redirect, others: Sequence[Redirect]) -> str | None:
    """Say what is wrong with a redirect, in one sentence; None where nothing is.

    Args:
        redirect: The one that is looked at.
        others: All redirects of the site, this one too: they may lead round in a circle.
    """
    source, target = redirect.source, redirect.to
    if "*" in source.removesuffix(_STAR):
        return f'redirects: from is "{source}"; a star is possible only at the end, for all of a folder: "/old/*".'
    if target.endswith(_STAR) and not source.endswith(_STAR):
        return f'redirects: to is "{target}", but from is "{source}"; the star needs one at the end of from as well.'
    if source.endswith(_STAR) and target.startswith(source[:-1]):
        return f'redirects: "{source}" leads to "{target}", which lies in the same folder and would be led on for ever.'
    if {".", ".."}.intersection(source.split("/")):
        return f'redirects: from is "{source}"; expected a path without "." and "..".'
    return _explain_circle(redirect, others)


def _explain_circle(redirect: Redirect, others: Sequence[Redirect]) -> str | None:
    exact = {other.source: other.to for other in others}
    path: str | None = redirect.source
    for _ in range(len(exact)):
        path = exact.get(path) if path else None
        if path == redirect.source:
            return f'redirects: "{redirect.source}" leads back to itself; no reader would ever arrive.'
    return None
