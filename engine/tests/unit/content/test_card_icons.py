"""Icons of cards that other engines' components name."""

from __future__ import annotations

import re

import pytest

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document


def compiled(text: str, extension: str = "starlight", files: dict[str, str] | None = None) -> Document:
    dialect = Dialect(extensions=frozenset([extension]), is_mdx=True)
    options = ContentOptions(folders={"": dialect})
    return compile_document(text, source_path="docs/a.mdx", load=(files or {}).get, options=options)


def heads(document: Document) -> list[str]:
    return re.findall(r'<p class="panel-title">(.*?)</p>', document.body)


@pytest.mark.parametrize("extension", ["starlight", "mintlify", "nextra", "mdc"])
def test_icon_is_before_the_title(extension: str) -> None:
    document = compiled('<Card title="Fast" icon="rocket">\n\nText.\n\n</Card>\n', extension)
    (head,) = heads(document)
    assert re.fullmatch(r'<svg class="icon icon-rocket".*</svg> Fast', head)
    assert "Fast" in document.markdown
    assert document.diagnostics == []


def test_icon_of_a_card_in_colons_is_shown() -> None:
    document = compiled('::card{title="Fast" icon="i-lucide-rocket"}\nText.\n::\n', "mdc")
    assert re.fullmatch(r'<svg class="icon icon-rocket".*</svg> Fast', heads(document)[0])


@pytest.mark.parametrize(
    ("text", "extension", "icon"),
    [
        ('<Callout emoji="🚀">Fly.</Callout>\n', "nextra", '<span class="admonition-icon">🚀</span>'),
        ('<Aside icon="rocket" title="T">Fly.</Aside>\n', "starlight", '<svg class="admonition-icon icon icon-rocket"'),
        ('::callout{icon="i-lucide-rocket"}\nFly.\n::\n', "mdc", '<svg class="admonition-icon icon icon-rocket"'),
    ],
)
def test_callout_has_its_icon_or_emoji(text: str, extension: str, icon: str) -> None:
    document = compiled(text, extension)
    assert icon in document.body
    assert document.diagnostics == []


def test_folded_text_has_its_icon() -> None:
    html = compiled('<Accordion title="Fast" icon="rocket">Text.</Accordion>\n', "mintlify").body
    assert re.search(r'<summary><svg class="icon icon-rocket".*</svg> Fast</summary>', html)


@pytest.mark.parametrize(("placement", "shown"), [("start", r"<svg .*</svg> Fly"), ("end", r"Fly <svg .*</svg>")])
def test_icon_of_a_button_is_inside_of_its_link(placement: str, shown: str) -> None:
    html = compiled(f'<LinkButton href="/fly" icon="rocket" iconPlacement="{placement}">Fly</LinkButton>\n').body
    assert re.search(rf'<a class="button-link" href="[^"]*">{shown}</a>', html)


def test_icon_is_outside_of_the_link() -> None:
    (head,) = heads(compiled('<Card title="Fast" icon="rocket" href="/fast">Text.</Card>\n', "mintlify"))
    assert re.fullmatch(r"<svg .*</svg> <a href=.*>Fast</a>", head)


def test_emoji_is_an_icon() -> None:
    assert heads(compiled('<Card title="Fast" icon="🚀">Text.</Card>\n', "nextra")) == ["🚀 Fast"]


def test_address_of_a_picture_is_an_icon() -> None:
    document = compiled('<Card title="Fast" icon="./fast.svg">Text.</Card>\n', "mintlify")
    assert [one.href for one in document.assets] == ["./fast.svg"]
    assert re.fullmatch(r'<img class="icon" src="[^"]*" alt="" width="24" height="24"> Fast', heads(document)[0])


def test_picture_of_another_host_is_written_as_it_is() -> None:
    document = compiled('<Card title="Fast" icon="https://kite.example/a.svg?b&c">Text.</Card>\n', "mintlify")
    assert document.assets == []
    assert 'src="https://kite.example/a.svg?b&amp;c"' in heads(document)[0]


def test_icon_without_a_counterpart_is_a_finding() -> None:
    document = compiled('# T\n\n<Card title="Fast" icon="seti:no-such-thing">Text.</Card>\n')
    assert heads(document) == ["Fast"]
    assert [(one.code, one.span.line) for one in document.diagnostics] == [("icon", 3)]


def test_card_without_a_title_has_no_head() -> None:
    assert heads(compiled('<Card icon="rocket">Text.</Card>\n')) == []
