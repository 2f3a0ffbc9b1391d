"""Where the sources of pages are edited comes along, and groups of a sidebar open as they did."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .planned import pages, plan_of


@pytest.mark.parametrize(
    ("settings", "address"),
    [
        (
            "repo_url: https://github.com/a/b\nedit_uri: edit/main/docs/\n",
            "https://github.com/a/b/edit/main/",
        ),
        (
            "repo_url: https://github.com/a/b/\nedit_uri: /edit/main/docs/\n",
            "https://github.com/a/b/edit/main/",
        ),
        ("edit_uri: https://git.example/a/docs/\n", "https://git.example/a/"),
        ("repo_url: https://github.com/a/b\nedit_uri: '?query=docs'\n", None),
        ("edit_uri: edit/main/docs/\n", None),
        ("repo_url: https://github.com/a/b\n", None),
    ],
)
def test_address_for_editing_of_mkdocs(tmp_path: Path, settings: str, address: str | None) -> None:
    plan = plan_of(tmp_path, {"mkdocs.yml": f"site_name: A\n{settings}", **pages("docs/index.md")}, "mkdocs")
    assert plan.settings.get("edit_url") == address


@pytest.mark.parametrize("collapsed", [True, False, None])
def test_folder_in_a_sidebar_of_rspress_opens_as_it_did(tmp_path: Path, collapsed: bool | None) -> None:
    entry = {"type": "dir", "name": "use", "label": "Use"} | ({} if collapsed is None else {"collapsed": collapsed})
    files = {
        "rspress.config.ts": "export default { root: 'docs', title: 'A' };\n",
        "docs/_meta.json": json.dumps([entry]),
        **pages("docs/index.md", "docs/use/a.md"),
    }
    plan = plan_of(tmp_path, files, "rspress")
    groups = [
        item for sidebar in plan.settings["sidebars"] for item in sidebar["items"] if item.get("category") == "Use"
    ]
    assert [group["is_collapsed"] for group in groups] == [collapsed is True]
