"""Pages whose HTML sends readers on: at another address than it was written for, browsers might load the page again for ever."""

from __future__ import annotations

import pytest

from .rst_pages import written
from .test_mdx_pages import compiled as compiled_mdx
from .test_myst_of_sphinx import compiled

REFRESH = '<meta http-equiv="refresh" content="{}">'


@pytest.mark.parametrize(
    ("content", "href"),
    [
        ("0; url=wind.md", "wind.md"),
        ("0;URL='wind.md'", "wind.md"),
        ("5, url=wind.md", "wind.md"),
        ("0; wind.md", "wind.md"),
        ("0; url=https://kite.example/a?b=1&amp;c", "https://kite.example/a?b=1&c"),
    ],
)
@pytest.mark.parametrize("around", ["{}", "<html><head>{}</head><body></body></html>", "<head>\n{}\n</head>"])
def test_readers_get_a_link_and_the_author_a_redirect(content: str, href: str, around: str) -> None:
    document = compiled(f"# Kite\n\n{around.format(REFRESH.format(content))}\n\nText.\n")
    assert [one.href for one in document.links] == [href]
    assert "http-equiv" not in document.body
    (found,) = document.diagnostics
    assert found.message == f'"<meta>" sends readers on to "{href}"; here they are shown a link.'
    assert found.suggestion.endswith(f'to = "{href}" }}.')
    assert found.span.line in (3, 4)


@pytest.mark.parametrize("content", ["30", "0; url=javascript:alert(1)", "0; url=", "soon"])
def test_what_names_no_page_is_no_link(content: str) -> None:
    document = compiled(f"# Kite\n\n{REFRESH.format(content)}\n")
    assert (document.links, document.diagnostics) == ([], [])


@pytest.mark.parametrize("beside", ["", REFRESH.format("30"), f"\n\n```html\n{REFRESH.format('0; url=a.html')}\n```"])
def test_a_page_in_a_page_that_sends_nobody_on_is_a_finding(beside: str) -> None:
    document = compiled(f"# Kite\n\n<html><body>Text</body></html>{beside}\n")
    assert [one.code for one in document.diagnostics] == ["misplaced-html"] * 2


def test_head_of_mdx_takes_quotation_marks_around_the_address() -> None:
    document = compiled_mdx("<head>\n<meta http-equiv='refresh' content=\"0; url='./wind'\" />\n</head>\n")
    assert [one.href for one in document.links] == ["./wind"]


def test_meta_of_restructuredtext_sends_on_as_well() -> None:
    text, findings = written(".. meta::\n   :http-equiv=Refresh: 0; url=wind.html\n")
    assert text == "[wind.html](<wind.html>)"
    assert '"meta" sends readers on to "wind.html"; here they are shown a link.' in findings[0]
    _, findings = written(".. meta::\n   :http-equiv=Refresh: 0; url=wind.html\n   :author: Ann\n")
    assert "left out: author" in findings[1]
    _, findings = written(".. meta::\n   :http-equiv=Refresh: 30\n")
    assert "left out: http-equiv=Refresh" in findings[0]
