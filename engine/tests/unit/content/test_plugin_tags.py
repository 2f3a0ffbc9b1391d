"""Tags of Jekyll's plug-ins, written in our own syntax."""

from __future__ import annotations

import pytest

from octavo.content.translate.jekyll.plugins import plugin_tag


@pytest.mark.parametrize(
    ("kind", "rest", "written"),
    [
        ("note", "", "\n:::note\n"),
        ("note", 'title="Mind"', "\n:::note[Mind]\n"),
        ("note", "Mind this", "\n:::note[Mind this]\n"),
        ("endnote", "", "\n:::\n"),
        ("details", "", "\n<details>\n\n"),
        ("details", 'summary="A < B"', "\n<details>\n<summary>A &lt; B</summary>\n\n"),
        ("enddetails", "", "\n\n</details>\n"),
        ("mermaid", "", "\n```mermaid\n"),
        ("endmermaid", "", "\n```\n"),
        ("tabs", "group", "\n\n<Tabs>\n\n"),
        ("endtabs", "", "\n\n</Tabs>\n\n"),
        ("tab", "group Linux", '\n\n<TabItem value="Linux" label="Linux">\n\n'),
        ("tab", "Linux", '\n\n<TabItem value="Linux" label="Linux">\n\n'),
        ("endtab", "", "\n\n</TabItem>\n\n"),
        ("gist", "kiln/1", "[gist.github.com/kiln/1](https://gist.github.com/kiln/1)"),
        ("octicon", "alert", ""),
        ("unknown", "", None),
    ],
)
def test_tag_is_written_in_our_own_syntax(kind: str, rest: str, written: str | None) -> None:
    assert plugin_tag(kind, rest) == written


@pytest.mark.parametrize(
    ("kind", "address"),
    [("youtube", "https://www.youtube.com/embed/abc"), ("vimeo", "https://player.vimeo.com/video/abc")],
)
def test_video_is_a_frame_whatever_form_its_address_has(kind: str, address: str) -> None:
    for given in ("abc", "https://video.example/abc", "https://video.example/watch?v=abc"):
        assert plugin_tag(kind, given) == f'<iframe src="{address}" title="{kind.capitalize()}"></iframe>'
