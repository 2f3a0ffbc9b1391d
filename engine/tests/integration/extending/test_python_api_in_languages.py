"""Titles of reference pages from Python source are words of the theme, in the language of the page that shows them."""

from __future__ import annotations

import json

from octavo.words import words_of
from tests.support.sites import HOME, MakeSite, page

CODE = '''"""Parts.

Note:
    Careful.
"""

class Base:
    """A base."""

    def run(self) -> None:
        """Run."""

class Engine(Base):
    """Burns.

    .. deprecated:: 1.2
        Use another.

    Args:
        fuel: What it burns.

    Raises:
        ValueError: It did not burn.

    Examples:
        >>> Engine()

    Attributes:
        heat: In kelvins.
    """

    def __init__(self, fuel: str = "methane") -> None: ...

    def burn(self) -> int:
        """Burn.

        Returns:
            How much.
        """
        return 1
'''
CONFIG = """
extensions = ["octavo.shipped.python_api"]

[extension_options.python_api]
packages = ["parts"]
repository = "https://code.example/parts"
DOCS
[markdown]
extensions = ["myst"]
LOCALES
"""
GERMAN_SITE = """
[[locales]]
id = "de"
label = "Deutsch"
"""
TWO_LANGUAGES = """
[[locales]]
id = "en"
label = "English"

[[locales]]
id = "fr"
label = "Français"
path = "fr"
docs = "fr"
"""
GERMAN = ["Parameter", "Ausnahmen", "Beispiele", "Rückgabe", "Basisklassen", "Geerbt von", "Quelltext", "Hinweis"]
ENGLISH = ["Parameters", "Raises", "Examples", "Returns", "Bases", "Inherited from", "Source", "Note"]


def test_pages_of_modules_are_in_the_language_of_the_site(make_site: MakeSite) -> None:
    config = CONFIG.replace("LOCALES", GERMAN_SITE).replace("DOCS", "")
    site = make_site({"parts.py": CODE} | HOME, config)
    assert [one for one in site.check() if "words" in one] == []
    text = site.html("/api/parts")
    for german, english in zip(GERMAN, ENGLISH, strict=True):
        assert f">{german}" in text, german
        assert german == english or f">{english}<" not in text, english
    assert "Veraltet seit Version 1.2" in text
    assert "Vorgabe <code>" in text
    assert "**Ausnahmen**" in (site.out / "api/parts.md").read_text(encoding="utf-8")
    assert "\ue010" not in text + (site.out / "llms-full.txt").read_text(encoding="utf-8")


def test_object_in_a_page_is_in_the_language_of_that_page(make_site: MakeSite) -> None:
    config = CONFIG.replace("LOCALES", TWO_LANGUAGES).replace("DOCS", 'docs = ""')
    use = page("A", "::autodoc[parts.Engine]\n")
    files = {"parts.py": CODE, "docs/a.md": use, "fr/docs/a.md": use}
    site = make_site(files | HOME, config)
    site.check()
    assert ">Raises<" in site.html("/a")
    assert ">Exceptions<" in site.html("/fr/a")
    assert ">Raises<" not in site.html("/fr/a")


def test_fields_of_reference_entries_in_restructured_text_are_in_the_language_of_the_page(make_site: MakeSite) -> None:
    text = "```{eval-rst}\n.. py:function:: run(a)\n\n   :param a: One.\n   :raises ValueError: Never.\n   :returns: Two.\n   :rtype: int\n```\n"
    site = make_site(
        {"docs/a.md": page("A", text)} | HOME,
        '[markdown]\nextensions = ["myst", "rst"]\n\n[[locales]]\nid = "ja"\nlabel = "J"\n',
    )
    site.check()
    html = site.html("/a")
    words = words_of("ja")
    for name in ("parameters", "raises", "returns", "return-type"):
        assert words[f"directive.{name}"] in html, json.dumps(words[f"directive.{name}"])
