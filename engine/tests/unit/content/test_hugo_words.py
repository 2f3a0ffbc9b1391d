"""Words of Hugo's folders `i18n`, those of the site and those of its themes, and what templates keep for themselves."""

from __future__ import annotations

from octavo.content import ContentOptions, Dialect
from octavo.content.compile import compile_document

_FILES = {
    "themes/kite/layouts/shortcodes/kept.html": '{{ $own := newScratch }}{{ $own.Set "wind" "North" }}{{ $own.Add "wind" "west" }}<p>{{ $own.Get "wind" }}</p>',
    "themes/kite/layouts/shortcodes/wind.html": '<p>{{ i18n "strong" }}, {{ i18n "light" }}, {{ T "own" }}</p>',
    "themes/kite/i18n/en.toml": '[strong]\nother = "of the theme"\n\n[light]\nother = "A light wind"\n',
    "i18n/en.toml": '[strong]\nother = "A strong wind"\n\n[own]\nother = "Ours"\n',
}


def test_words_of_the_site_come_before_those_of_its_theme() -> None:
    """They lie beside the folder of the themes, also where the site has no templates of its own."""
    dialect = Dialect(extensions=frozenset(["hugo"]), shortcodes=("themes/kite/layouts/shortcodes",))
    options = ContentOptions(folders={"": dialect})
    document = compile_document("{{< wind >}}\n", source_path="content/a.md", load=_FILES.get, options=options)
    assert document.diagnostics == []
    assert "A strong wind, A light wind, Ours" in document.body


def test_a_template_keeps_values_in_a_scratch_of_its_own() -> None:
    dialect = Dialect(extensions=frozenset(["hugo"]), shortcodes=("themes/kite/layouts/shortcodes",))
    options = ContentOptions(folders={"": dialect})
    document = compile_document("{{< kept >}}\n", source_path="content/a.md", load=_FILES.get, options=options)
    assert document.diagnostics == []
    assert "<p>Northwest</p>" in document.body
