from __future__ import annotations

import pytest

from octavo.search.text.stemming import stem


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
