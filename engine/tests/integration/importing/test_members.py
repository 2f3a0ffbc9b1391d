"""Components that are members of an object: `<Links.Home />`, `<Code.Next>`."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site

from .sites import write
from .test_mdx_and_vue_sites import published

CONFIG = 'module.exports = { title: "Kite", presets: [["classic", {}]] };\n'


def test_members_of_an_object_are_taken_over(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "docusaurus.config.js": CONFIG,
            "src/links.tsx": "import React from 'react';\nconst Link = ({ text }) => <a href='https://kite.example/'>{text}</a>;\n"
            "export const Links = { Home: () => <Link text='The home' />, Deep: { Tail: ({ children }) => <em>{children}</em> } };\n",
            "src/all.js": "export const North = () => <b>North wind</b>;\nexport function South({ children }) { return <i>{children}</i>; }\n",
            "src/whole.jsx": "function Box({ children }) { return <section>{children}</section>; }\nBox.Title = ({ children }) => <strong>{children}</strong>;\nexport default Box;\n",
            "docs/index.mdx": "---\nslug: /\n---\n\nimport { Links } from '@site/src/links';\nimport * as Winds from '@site/src/all';\nimport Card from '@site/src/whole';\n\n"
            "export const Own = { Rope: () => <u>A rope</u> };\n\n"
            "# Kite\n\nSee <Links.Home />.\n\n<Winds.North /> and <Winds.South>south</Winds.South>\n\n"
            "<Card>\n<Card.Title>First **words**</Card.Title>\n\nInside.\n\n</Card>\n\n<Links.Deep.Tail>A tail</Links.Deep.Tail>\n\n<Own.Rope />\n",
        },
    )
    text, codes = published(site, "docs/index.html")
    assert codes == []
    for words in ("See The home", "North wind and south", "First words", "Inside.", "A tail", "A rope"):
        assert words in text, words
    assert "<Links" not in text


def test_a_member_that_fails_keeps_its_content(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "docusaurus.config.js": CONFIG,
            "src/box.jsx": "import { draw } from 'unheard';\nexport const Box = { Frame: ({ children }) => <b>{draw(children)}</b> };\n",
            "docs/index.mdx": "---\nslug: /\n---\n\nimport { Box } from '@site/src/box';\n\n# Kite\n\n<Box.Frame>\n\nThe **wind** blows.\n\n</Box.Frame>\n\n<Box.Gone>Still here</Box.Gone>\n",
        },
    )
    text, codes = published(site, "docs/index.html")
    assert "The wind blows." in text
    assert "Still here" in text
    assert codes == ["stub-component", "stub-component"]
    names = [one.what.partition(" ")[0] for one in import_site(site, force=True).report.items]
    assert names == ['"<Box.Frame>"', '"<Box.Gone>"']
