"""The page of changes, as Markdown: a table for each version, which readers can filter."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from octavo.reference.command_line.text import cell, code, plain
from octavo.reference.comparing import MemberChange
from octavo.words import fill_word


class ChangesOf(NamedTuple):
    """What a version has changed."""

    version: str
    """Its label."""
    before: str
    """Label of the version that it is compared with."""
    changes: list[MemberChange]


def write_changes(
    name: str, found: Sequence[ChangesOf], oldest: str, links: Mapping[str, str], words: Mapping[str, str]
) -> str:
    """Write the page.

    Args:
        name: Name of the API or program.
        found: Newest version first.
        oldest: Label of the version that is compared with none.
        links: Name of a member → address of its part of the reference.
        words: Those of the page's language.
    """
    title = fill_word(words["changes.title"], name=name)
    front = json.dumps(
        {"title": title, "description": fill_word(words["changes.about"], name=name)}, ensure_ascii=False
    )
    parts = [f"---\n{front}\n---", plain(fill_word(words["changes.oldest"], version=oldest))]
    for one in found:
        parts.append(f"## {plain(one.version)}")
        if one.changes:
            parts.append(_table(one.changes, links, words))
        else:
            parts.append(plain(fill_word(words["changes.none"], version=one.before)))
    return "\n\n".join(parts) + "\n"


def _table(changes: Iterable[MemberChange], links: Mapping[str, str], words: Mapping[str, str]) -> str:
    head = [plain(words[f"changes.{key}"]) for key in ("change", "subject", "details")]
    rows = [head, ["---"] * 3, *(_row(one, links, words) for one in changes)]
    lines = "\n".join(f"| {' | '.join(map(cell, row))} |" for row in rows)
    return f'<div class="filter-rows">\n\n{lines}\n\n</div>'


def _row(change: MemberChange, links: Mapping[str, str], words: Mapping[str, str]) -> list[str]:
    name = code(change.name)
    link = links.get(change.name) if change.kind != "removed" else None
    details = [f"{code(change.old_name)} → {code(change.name)}"] if change.old_name else []
    details += [f"{code(part)}: {_detail(kind, old, new, words)}" for kind, part, old, new in change.details]
    return [
        plain(words[f"changes.{change.kind}"]),
        f"[{name}]({link})" if link else name,
        "<br />".join(details) or "–",
    ]


def _detail(kind: str, old: str, new: str, words: Mapping[str, str]) -> str:
    if kind == "changed":
        return f"{_settled(old)} → {_settled(new)}"
    settled = f" ({_settled(new)})" if new and kind == "added" else ""
    return f"{plain(words[f'changes.{kind}.part'])}{settled}"


def _settled(text: str) -> str:
    return plain(text) if text else "–"
