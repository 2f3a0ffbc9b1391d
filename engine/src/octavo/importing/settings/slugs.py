"""How a site makes ids of its headings, where a function of its configuration says so."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from octavo.content import Slugger
from octavo.importing.common import as_dict, relative
from octavo.importing.model import Plan
from octavo.importing.scripts import ScriptError, Scripts
from octavo.importing.settings.project import project_of
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

_PROBES = ["Getting Started!", "What's new in 2.0?", "Save with --save  x", "1. Éléments (de base)", "a_b `c`: <d/>"]
_STYLES = ("vitepress", "vitepress-cased", "github", "python-markdown", "docutils")
_REMEDY = (
    "Give the headings that others link to an id, `## Title {#id}`; links to them from within the site are findings."
)


def style_of_slugs(plan: Plan, config: Path | None, root: Path, usual: str) -> str:
    """Find the style of ids that a configuration of VitePress makes; one that is not known is noted.

    Args:
        plan: The import.
        config: The file of the configuration.
        root: The folder in which it runs.
        usual: The style of sites whose configuration has no function for ids.
    """
    if config is None or not any("slugify" in text for text in _texts(config)):
        return usual
    code = f"""import given from {json.dumps(f"./{relative(config, project_of(root) or root)}")};
const config = typeof given === "function" ? given({{ mode: "production", command: "build" }}) : given;
const slugify = config?.markdown?.anchor?.slugify;
export default typeof slugify === "function" ? {json.dumps(_PROBES)}.map((text) => slugify(text)) : null;
"""
    try:
        made: Any = Scripts(root, project_of(root)).run(code)
    except ScriptError:
        made = [None]
    if made is None:
        return usual
    for style in _STYLES:
        if made == [Slugger(style).slug_of(text) for text in _PROBES]:
            return style
    plan.note("Ids of headings that a function of the configuration makes (markdown.anchor.slugify)", _REMEDY)
    return usual


_FRAGMENT = re.compile(r"\]\((?![a-z]+:)[^()\s#]*#(?P<id>[A-Za-z][\w-]*)\)")
_FEW_FRAGMENTS = 10
_SHARE_OF_CAPITALS = 0.8


def keep_capitals_of_ids(plan: Plan, config: Mapping[str, Any], *trees: Tree) -> None:
    """Leave capital letters in the ids of headings where a site of Docusaurus has them.

    The configuration can say so; programs and patches of a site change it as well, which only the links within the site show.
    """
    said = as_dict(as_dict(config.get("markdown")).get("anchors")).get("maintainCase")
    found = [match["id"] for tree in trees for file in tree.files for match in _FRAGMENT.finditer(tree.text(file))]
    capitals = sum(not one.islower() for one in found)
    if said is True or (len(found) >= _FEW_FRAGMENTS and capitals >= _SHARE_OF_CAPITALS * len(found)):
        plan.settings["markdown"]["slugs"] = "github-cased"


def _texts(config: Path) -> list[str]:
    """Read a configuration and the files beside it, which it may be put together from."""
    files = [path for path in sorted(config.parent.iterdir()) if path.suffix in (".ts", ".mts", ".js", ".mjs")]
    return [path.read_text(encoding="utf-8", errors="replace") for path in files]
