"""Components that an import could not take over."""

from __future__ import annotations

from pathlib import Path

from octavo.documents import TAKEN_OVER, find_stubs, package_head, stub_text
from octavo.documents.stubs import report_stubs


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_stubs_are_distinguished_from_components(tmp_path: Path) -> None:
    files = {
        "Box.mdx": stub_text("../Box.vue"),
        "Any.mdx": stub_text(""),
        "Own.mdx": "---\ntitle: Own\n---\n\n{props.children}\n",
        "lower.mdx": stub_text("x"),
        "Box.tsx": stub_text("y"),
    }
    folder = write(tmp_path / "components", files)
    assert find_stubs(folder) == {"Any": "", "Box": "../Box.vue"}
    assert find_stubs(tmp_path / "none") == {}
    assert stub_text("a") == '---\nstub: "a"\n---\n\n{props.children}\n'


def test_each_stub_is_a_finding(tmp_path: Path) -> None:
    folder = write(tmp_path / "site/components", {"Box.mdx": stub_text("../Box.vue"), "Any.mdx": stub_text("")})
    assert [f"{one.span} {one.level} {one.code}: {one.message} {one.suggestion}" for one in report_stubs(folder, tmp_path / "site")] == [
        ('components/Any.mdx:1:1 warn stub-component: "<Any>" is a stub: pages show its title and its content only. Write the '
        "component as Markdown in this file, and take its line `stub` out."),
        ('components/Box.mdx:1:1 warn stub-component: "<Box>" is a stub of ../Box.vue: pages show its title and its content '
        "only. Write the component as Markdown in this file, and take its line `stub` out."),
    ]  # fmt: skip


def test_packages_of_which_the_content_is_shown_are_findings_where_they_are_imported(tmp_path: Path) -> None:
    shims = f"{TAKEN_OVER}/shims"
    files = {
        f"{shims}/package-1.jsx": package_head("Tabs of @kit/tabs", "Box.tsx") + "export {}\n",
        f"{shims}/package-2.jsx": package_head("Old of @kit/old", "Gone.tsx"),
        f"{shims}/package-3.jsx": "// Something else\n",
        f"{shims}/package-4.jsx": package_head("Idle of @kit/idle", "Box.tsx"),
        f"{shims}/other-5.jsx": package_head("Other", "Box.tsx"),
        "Box.tsx": "import React from 'react';\nimport { Tabs } from './taken-over/shims/package-1.jsx';\n",
    }
    folder = write(tmp_path / "components", files)
    assert [f"{one.span} {one.level} {one.code}: {one.message} {one.suggestion}" for one in report_stubs(folder, tmp_path)] == [
        ("components/Box.tsx:2:36 warn stub-component: Of Tabs of @kit/tabs, pages show the content only: packages of npm are "
        "not taken over. Write what is missing in this file in place of the import.")
    ]  # fmt: skip
