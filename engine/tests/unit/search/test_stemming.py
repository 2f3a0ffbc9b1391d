from __future__ import annotations

import json

import pytest

from octavo.search.text.scripts import fold
from octavo.search.text.stemming import Stems, stem, stems
from tests.support.paths import REPOSITORY


@pytest.mark.parametrize(
    "forms",
    [
        "install installs installed installing",
        "run runs running",
        "configure configures configured configuring configuration",
        "policy policies",
        "hope hopes hoped hoping",
        "redact redacted redaction",
        "server servers",
    ],
)
def test_forms_of_a_word_share_a_stem(forms: str) -> None:
    assert len(set(map(stem, forms.split()))) == 1


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("agreed", "agre"), ("plastered", "plaster"), ("motoring", "motor"),
        ("conflated", "conflat"), ("sized", "size"), ("falling", "fall"), ("happy", "happi"), ("sky", "sky"),
        ("relational", "relat"), ("vietnamization", "vietnam"), ("triplicate", "triplic"), ("goodness", "good"),
        ("adjustment", "adjust"), ("adoption", "adopt"), ("controlling", "control"), ("probate", "probat"),
    ],
)  # fmt: skip
def test_stems_are_those_of_the_published_algorithm(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize("word", ["sha256", "größe", "is", "c++"])
def test_other_words_stay(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("pl", "serwer serwera serwerze serwerów serwerami"), ("pl", "hasło hasłem haseł"),
        ("pl", "konfiguracja konfiguracji konfigurować konfiguruje"), ("pl", "połączenie połączeń połączeniem"),
        ("pl", "zmienna zmiennej zmiennych"), ("cs", "heslo heslem hesel"), ("cs", "server serveru serverech"),
        ("cs", "uživatel uživatele uživatelům"), ("cs", "aplikace aplikací aplikacemi"), ("cs", "proměnná proměnných"),
        ("ar", "تثبيت التثبيت بالتثبيت للتثبيت تثبيته والتثبيت"), ("ar", "خادم الخادم للخادم والخادم خادمين"),
        ("ar", "حاوية حاويات الحاويات بالحاوية"), ("ar", "صفحة الصفحات للصفحة"),
        ("hi", "फ़ाइल फ़ाइलें फ़ाइलों"), ("hi", "अनुमति अनुमतियाँ अनुमतियों"), ("hi", "सेवा सेवाएँ सेवाओं"), ("hi", "नियम नियमों"),
        ("ta", "கோப்பு கோப்புகள்"),
    ],
)  # fmt: skip
def test_forms_of_a_word_share_a_stem_without_their_accents(language: str, forms: str) -> None:
    first, *others = [fold(form) for form in forms.split()]
    assert {stem(other, language) for other in others} == {stem(first, language)}
    assert all(first in Stems([first], [language]).forms(other) for other in others), "it need not be in the index"


def test_browsers_know_the_stems_of_the_library() -> None:
    """`internal`, `organize`, `added` had other stems without a server; the theme's tests hold the browser to this file."""
    known = json.loads((REPOSITORY / "engine/theme/tests/stems.json").read_text(encoding="utf-8"))
    assert len(known) > 300
    assert dict(zip(known, stems(list(known)), strict=True)) == known
