"""A site of a few documents and categories whose payloads are looked at."""

from __future__ import annotations

from typing import Any

from tests.support.sites import HOME, page

FILES: dict[str, str | bytes] = {
    **HOME,
    "docs/intro.md": page("Intro", "## One\n\n### Two\n\n#### Three\n\n## Four `code`", sidebar_position=1),
    "docs/guides/_category_.yaml": (
        "label: Guides\nposition: 2\ncollapsed: true\nlink: { type: generated-index, description: All of them. }"
    ),
    "docs/guides/a.md": page("A", sidebar_label="First", description="About A.", tags=["ports"]),
    "docs/guides/b.md": page("B", unlisted=True),
    "docs/guides/deep/_category_.yaml": "label: Deep\ncollapsed: true",
    "docs/guides/deep/x.md": page("X"),
    "docs/guides/deep/y.md": page("Y"),
}


def without(payload: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in payload.items() if name not in names}
