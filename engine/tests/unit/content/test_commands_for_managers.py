"""Blocks of npm commands that Fumadocs shows for other package managers as well."""

from __future__ import annotations

import pytest

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document


def compiled(text: str, *extensions: str) -> Document:
    own = Dialect(is_mdx=True, extensions=frozenset(extensions))
    return compile_document(text, source_path="a.mdx", load=lambda _: None, options=ContentOptions(folders={"": own}))


@pytest.mark.parametrize(
    ("block", "lines"),
    [
        ("```package-install\nnpm install kite\n```", ["npm install kite", "yarn add kite", "pnpm add kite"]),
        ("```package-install\nkite line\n```", ["npm install kite line", "yarn add kite line", "bun add kite line"]),
        ("```package-install\n-D kite\n```", ["npm install -D kite", "pnpm add -D kite"]),
        ("```npm\nnpx kite fly\n```", ["npx kite fly", "pnpm dlx kite fly", "bunx kite fly"]),
    ],
)
def test_block_is_shown_for_each_manager(block: str, lines: list[str]) -> None:
    found = compiled(f"{block}\n", "nextra")
    assert found.diagnostics == []
    (island,) = found.islands
    shown = " ".join(map(str, island.children))
    for line in lines:
        assert line.split()[0] in shown
    assert [tab["value"] for tab in island.props["tabs"]] == ["npm", "yarn", "pnpm", "bun"]


def test_blocks_of_other_dialects_are_code() -> None:
    found = compiled("```package-install\nnpm install kite\n```\n")
    assert [one.code for one in found.diagnostics] == ["unknown-language"]
    assert found.islands == []


def test_block_without_a_command_is_shown_as_it_is() -> None:
    found = compiled("```npm\nls -l\n```\n", "nextra")
    assert found.islands == []
    assert "ls -l" in found.body.replace("</span>", "").replace("<span>", "") or "ls" in found.body
