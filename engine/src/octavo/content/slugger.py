"""Anchors and slugs by the rules of github-slugger and of other engines, which readers' existing links rely on."""

from __future__ import annotations

import unicodedata

from octavo.lazy import regex as re

_DROPPED_ASCII = re.compile(r"[^A-Za-z0-9_\- ]")
_KEPT_CATEGORIES = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"})
_ENCLOSED_LETTERS = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
"""Symbols that Unicode counts as alphabetic; the rule keeps them."""


def slugify(text: str) -> str:
    """Turn a text into a slug, without regard to others.

    Lower-cases, deletes what is neither letter, mark, digit, connector, hyphen nor space, and turns each
    space into one hyphen. Nothing is trimmed or merged.

    Source:
        github-slugger 1.5, read in 2026-11.
    """
    return slugify_cased(text.lower())


def slugify_cased(text: str) -> str:
    """Turn a text into a slug as github-slugger does where it is asked to leave capital letters as they are."""
    if text.isascii():
        return _DROPPED_ASCII.sub("", text).replace(" ", "-")
    return "".join(char for char in text if _is_kept(char)).replace(" ", "-")


def _is_kept(char: str) -> bool:
    if char in "- " or unicodedata.category(char) in _KEPT_CATEGORIES:
        return True
    return any(first <= ord(char) <= last for first, last in _ENCLOSED_LETTERS)


def slugify_python_markdown(text: str) -> str:
    """Turn a text into a slug as Python-Markdown does: ASCII only, runs of spaces and hyphens become one hyphen.

    Source:
        Python-Markdown 3.8, `markdown.extensions.toc.slugify`, read in 2026-11.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return _PYTHON_SPACES.sub("-", _PYTHON_DROPPED.sub("", plain).strip().lower())


def slugify_vitepress(text: str) -> str:
    """Turn a text into a slug as VitePress does: punctuation becomes hyphens, a digit in front gets an underscore.

    Source:
        @mdit-vue/shared 2.1, `slugify`, read in 2026-11.
    """
    slug = _hyphenated(text).strip("-").lower()
    return f"_{slug}" if slug[:1].isdecimal() else slug


def slugify_hexo(text: str) -> str:
    """Turn a text into a slug as Hexo does: punctuation becomes hyphens, capital letters stay.

    Source:
        hexo-util 3.3, `slugize`, read in 2026-11.
    """
    return _hyphenated(text).strip("-")


def slugify_vitepress_cased(text: str) -> str:
    """Turn a text into a slug as early versions of VitePress did: with its capital letters, and hyphens at its ends."""
    slug = _hyphenated(text)
    return f"_{slug}" if slug[:1].isdecimal() else slug


def _hyphenated(text: str) -> str:
    plain = _COMBINING.sub("", unicodedata.normalize("NFKD", text))
    return _VITEPRESS_SPECIAL.sub("-", _CONTROL.sub("", plain))


_PYTHON_DROPPED = re.compile(r"[^\w\s-]")
_PYTHON_SPACES = re.compile(r"[-\s]+")
_PYTHON_REPEAT = re.compile(r"(.*)_([0-9]+)", re.DOTALL)
_COMBINING = re.compile(r"[\u0300-\u036f]")
_CONTROL = re.compile(r"[\x00-\x1f]")
_VITEPRESS_SPECIAL = re.compile(r"""[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:"'\u201c\u201d\u2018\u2019<>,.?/]+""")
_DOCUTILS_SPECIAL = re.compile(r"[^a-z0-9]+")
_DOCUTILS_HEAD = re.compile(r"^[-0-9]+|-+$")
_DOCUTILS_LETTERS = str.maketrans({"ø": "o", "đ": "d", "ħ": "h", "ı": "i", "ł": "l", "ŧ": "t", "ƀ": "b", "ƈ": "c", "ƌ": "d", "ƒ": "f",
                                   "ƙ": "k", "ƚ": "l", "ƞ": "n", "ƥ": "p", "ƫ": "t", "ƭ": "t", "ƴ": "y", "ƶ": "z", "ǥ": "g", "ȥ": "z",
                                   "ȷ": "j", "ɇ": "e", "ɉ": "j", "ɍ": "r", "ɏ": "y", "ß": "sz", "æ": "ae", "œ": "oe"})  # fmt: skip


def slugify_docutils(text: str) -> str:
    """Turn a text into an id as docutils does: ASCII letters and digits, single hyphens, a letter in front; empty where nothing is left.

    Source:
        docutils 0.22, `docutils.nodes.make_id`, read in 2026-11.
    """
    plain = (
        unicodedata.normalize("NFKD", text.lower().translate(_DOCUTILS_LETTERS))
        .encode("ascii", "ignore")
        .decode("ascii")
    )
    return _DOCUTILS_HEAD.sub("", _DOCUTILS_SPECIAL.sub("-", " ".join(plain.split())))


_GITBOOK_DROPPED = re.compile(r"""[\[\]!"'#$%&()*+,./:;<=>?@\\^_`{|}~©∑®†“”‘’∂ƒ™℠…œŒ˚ºª•∆∞♥]+""")


def slugify_gitbook(text: str) -> str:
    """Turn a text into a slug as GitBook's program for books does: a list of signs is deleted, other signs stay.

    Source:
        github-slugid 1.0, read in 2026-11.
    """
    slug = _GITBOOK_DROPPED.sub("", text).replace(" ", "-").lower()
    return slug.removeprefix("-")


def slugify_hugo(text: str) -> str:
    """Turn the source of a title into a slug as Hugo does: letters, digits, underscores and hyphens; each space is a hyphen.

    Source:
        Hugo 0.168, `markup/goldmark/autoid.go`, read in 2026-11.
    """
    kept = (char for char in text.strip().lower() if char in "-_ " or char.isalpha() or char.isdecimal())
    return "".join(kept).replace(" ", "-")


def slugify_jupyter(text: str) -> str:
    """Turn a text into a slug as programs for notebooks do: hyphens for spaces, and nothing else.

    Source:
        nbconvert 7.16, `filters/strings.py`, read in 2026-11.
    """
    return text.strip().replace(" ", "-")


_IN_FRONT_OF_WORDS = re.compile(r"(?<![^\W_])_+(?=[^\W_])")


def slugify_mintlify(text: str) -> str:
    """Turn a text into a slug as Mintlify does: as github-slugger, without underscores in front of words."""
    return slugify(_IN_FRONT_OF_WORDS.sub("", text))


_SLUGIFY = {
    "docutils": slugify_docutils,
    "github": slugify,
    "github-cased": slugify_cased,
    "github-titles": slugify,
    "gitbook": slugify_gitbook,
    "hugo": slugify_hugo,
    "hexo": slugify_hexo,
    "jupyter": slugify_jupyter,
    "kramdown": slugify,
    "mintlify": slugify_mintlify,
    "pymdownx": slugify,
    "python-markdown": slugify_python_markdown,
    "vitepress": slugify_vitepress,
    "vitepress-cased": slugify_vitepress_cased,
}


_WITH_UNDERSCORES = ("python-markdown", "pymdownx")
"""Styles that number ids of the same text with `_1`, `_2`, …, as the table of contents of Python-Markdown does."""


class Slugger:
    """Slugs that are unique among all that were given out by the same slugger."""

    __slots__ = ("_numbered", "_repeats", "_slugify", "style")

    def __init__(self, style: str = "github") -> None:
        """Begin with none; `style` is one of `Dialect.slugs`."""
        self._repeats: dict[str, int] = {}
        self._numbered = 0
        self._slugify = _SLUGIFY[style]
        self.style = style

    def slug(self, text: str) -> str:
        """Give out a slug for a text; repeats get `-1`, `-2`, … (`_1`, `_2` in Python-Markdown, `id1`, `id2` in docutils), skipping any used."""
        return self.unique(self._slugify(text))

    def slug_of(self, text: str) -> str:
        """Make the slug of a text without giving it out."""
        return self._slugify(text)

    def heading(self, text: str) -> str:
        """Give out the slug of a heading; one whose text leaves nothing is called `section`, or `_1`."""
        slug = self._slugify(text)
        if self.style == "docutils" and not slug:
            return self.unique(self._number())
        return self.unique(slug or ("_1" if self.style in _WITH_UNDERSCORES else "section"))

    def unique(self, slug: str) -> str:
        """Give out this slug as it is, or numbered when it is taken."""
        repeats = self._repeats
        result = slug
        while result in repeats:
            if self.style == "docutils":
                result = self._number()
            elif self.style in _WITH_UNDERSCORES:
                match = _PYTHON_REPEAT.fullmatch(result)
                result = f"{match[1]}_{int(match[2]) + 1}" if match else f"{result}_1"
            else:
                repeats[slug] += 1
                result = f"{slug}-{repeats[slug]}"
        repeats[result] = 0
        return result

    def _number(self) -> str:
        """Give the next id of those that docutils counts through a page."""
        self._numbered += 1
        return f"id{self._numbered}"

    def has(self, slug: str) -> bool:
        """Whether this slug was given out already."""
        return slug in self._repeats
