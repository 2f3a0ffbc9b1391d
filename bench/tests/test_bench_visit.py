from __future__ import annotations

import pytest

pytest.importorskip("playwright")

from bench.visit import Request, Visit, inline_scripts


def make_visit(*requests: Request) -> Visit:
    return Visit("http://x/", list(requests), foreign=0, load_s=2.0, painted_s=1.0, cls=0.0, html="")


def test_inline_scripts_are_joined() -> None:
    assert inline_scripts("<script>a = 'é'</script><p>text</p><script type=module>b()</script>") == "a = 'é'b()"


@pytest.mark.parametrize(
    "html",
    [
        '<script src="/app.js"></script>',
        '<script type="application/json">{"a": 1}</script>',
        '<script type="application/ld+json">{"a": 1}</script>',
        '<script type="speculationrules">{"a": 1}</script>',
        "<p>no script</p><style>p { color: red }</style>",
    ],
)
def test_data_and_files_are_no_inline_script(html: str) -> None:
    assert inline_scripts(html) == ""


def test_markup_inside_a_script_is_part_of_it() -> None:
    assert inline_scripts('<script>x = "<b>"</script>') == 'x = "<b>"'


def test_request_after_the_load_event_is_not_before_it() -> None:
    early, late = Request("http://x/a", "Script", 1.9), Request("http://x/b", "Script", 2.1)
    assert make_visit(early, late).before_load() == [early]


def test_preloaded_script_is_a_script_by_its_media_type() -> None:
    preload = Request("http://x/a", "Other", 1.0, media_type="text/javascript")
    data = Request("http://x/b", "Fetch", 1.0, media_type="application/json")
    assert make_visit(preload, data).scripts() == [preload]
