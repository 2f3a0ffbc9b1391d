"""What templates of mkdocs-macros know of the commit that is built: `git.short_commit`, `git.tag` and others."""

from __future__ import annotations

import os
from pathlib import Path

from octavo.importing.model import Plan
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

_USED = re.compile(r"(?<![\w.])git\.[a-z]")
_FORMATS = {
    "commit": "%H",
    "short_commit": "%h",
    "author": "%an",
    "author_email": "%ae",
    "committer": "%cn",
    "committer_email": "%ce",
    "date": "%ci",
    "message": "%s",
}
"""Variable → format of `git log`. The messages of commits are cut to their first line, which is what pages show."""
_TAGS = {"tag": ("describe", "--tags"), "short_tag": ("describe", "--tags", "--abbrev=0")}
_SECONDS = 20


def git_variables(plan: Plan, tree: Tree) -> dict[str, str]:
    """Give the variables of git, with a note, where pages use them; only what git itself says, no program of the site.

    Args:
        plan: Takes the note.
        tree: The documents.
    """
    users = [file for file in tree.files if "git." in (text := tree.text(file)) and _USED.search(text)]
    if not users:
        return {}
    parts = _git(plan.site_dir, "log", "-1", "--format=" + "%x00".join(_FORMATS.values())).split("\0")
    found = dict(zip(_FORMATS, parts, strict=True)) if len(parts) == len(_FORMATS) else {}
    found |= {name: _git(plan.site_dir, *arguments) for name, arguments in _TAGS.items() if found}
    if found:
        plan.note(
            "Variables of git in pages",
            "They have the values of the commit that was imported; take them out, or set git.commit and the others of [markdown.variables] before each build.",
            files=users,
        )
    else:
        plan.note(
            "Variables of git in pages, of a folder that is in no repository",
            "Give them values in [markdown.variables], such as git.short_commit.",
            files=users,
        )
    return {f"git.{name}": value for name, value in found.items() if value}


def _git(folder: Path, *arguments: str) -> str:
    import subprocess

    # The settings of a repository may name programs that check signatures, watch files, or fetch objects that are missing.
    safe = ("-c", "log.showSignature=false", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never")
    try:
        done = subprocess.run(
            ["git", *safe, "-C", str(folder), *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "GIT_NO_LAZY_FETCH": "1"},
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
