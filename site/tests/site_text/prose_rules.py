"""Rules of plain English that a program can hold: idioms, spellings, length of sentences, reading grade, headings.

The rules are data, in `prose.toml`. No checker of prose on the package index covers them: Vale's package downloads a
program, textlint needs a second package manager for the pages, and proselint knows no rules of a site's own.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from site_text.texts import CODE, FENCE, FRONT_MATTER, LINK_END, TAG

FILE = Path(__file__).with_name("prose.toml")
HEADING_ID = re.compile(r" \{#[\w-]+\}$", re.MULTILINE)
COMMENT = re.compile(r"\{/\*.*?\*/\}|<!--.*?-->", re.DOTALL)
IMPORT = re.compile(r"^import .*$", re.MULTILINE)
HEADING = re.compile(r"^#{1,6} (?P<text>.+?)(?: \{#[\w-]+\})?$", re.MULTILINE)
TABLE_ROW = re.compile(r"^\s*\|.*$", re.MULTILINE)
LABEL = re.compile(r"\*\*[^*]+\*\*|\"[^\"]*\"")
"""Names of buttons and quotations: words of others."""
ADDRESS = re.compile(r"https?://\S+|\S+@\S+\.\w+")
ADMONITION = re.compile(r"^:::\w*(?:\[(?P<title>[^\]]*)\])?$", re.MULTILINE)
BARE_IT = re.compile(r"^(?:\d+\. )?\w+(?: \w+)? (?:it|them|this|that)$|^\w+ it\b(?!.*\?)", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=[.!?:;])[\"”)]?\s+(?=[A-Z`*\[\"“0-9])|\n\s*\n|\n\s*(?:[-*]|\d+\.)\s+")
WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
VOWELS = re.compile(r"[aeiouy]+")
SILENT_E = re.compile(r"(?<![^aeiouy]l)e$")
"""The last letter of "file", and not that of "table"."""
FEWEST_WORDS = 80
"""A text with fewer words has no grade: one list would decide it."""


class Finding(msgspec.Struct, frozen=True):
    """Something to reword."""

    line: int
    text: str
    advice: str


class Rules(msgspec.Struct, frozen=True):
    """The content of `prose.toml`."""

    maximum_grade: float
    maximum_sentence_words: int
    banned: list[tuple[re.Pattern[str], str]]
    vocabulary: dict[str, str]


def load_rules() -> Rules:
    """Read the rules."""
    data: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    banned = [(re.compile(rule["pattern"], re.IGNORECASE), rule["use"]) for rule in data["banned"]]
    return Rules(data["maximum_grade"], data["maximum_sentence_words"], banned, data["vocabulary"])


def blank(pattern: re.Pattern[str], text: str, keep: str = "") -> str:
    """Put blanks in the place of what a pattern finds, so that lines keep their numbers; `keep` names a group to keep."""

    def replace(match: re.Match[str]) -> str:
        kept = (match.groupdict().get(keep) or "") if keep else ""
        return kept + re.sub(r"[^\n]", " ", match[0][len(kept) :])

    return pattern.sub(replace, text)


def stand_in(match: re.Match[str]) -> str:
    """Put one capital in the place of a code word or a label: a word of its sentence that no rule is about."""
    return "X" + re.sub(r"[^\n]", " ", match[0][1:])


def running_text(text: str) -> str:
    """Leave the words that the writer chose: no code, names of buttons, addresses, tags or imports; lines stay."""
    for pattern in (FRONT_MATTER, COMMENT, FENCE, IMPORT):
        text = blank(pattern, text)
    text = CODE.sub(stand_in, blank(HEADING_ID, text))
    text = ADMONITION.sub(lambda match: f"{match['title'] or ''}.", text)
    text = LINK_END.sub(lambda match: "]" + "\n" * match[0].count("\n"), text)
    text = LABEL.sub(stand_in, text)
    for pattern in (TAG, ADDRESS):
        text = blank(pattern, text)
    return text.replace("[", " ").replace("]", " ")


def sentences(text: str) -> list[str]:
    """List the sentences of running text, without headings and tables."""
    text = HEADING.sub("\n\n", TABLE_ROW.sub("\n", text))
    return [part for part in SENTENCE_END.split(text) if WORD.search(part)]


def syllables(word: str) -> int:
    """Count a word's syllables by its groups of vowels; good enough for an average."""
    groups = len(VOWELS.findall(word.lower()))
    return max(1, groups - bool(SILENT_E.search(word.lower())))


def grade(text: str) -> float | None:
    """Compute the Flesch-Kincaid grade of running text; None for a text that is too short.

    Source:
        Kincaid et al., "Derivation of New Readability Formulas", 1975.
    """
    parts = sentences(text)
    words = [word for part in parts for word in WORD.findall(part)]
    if len(words) < FEWEST_WORDS:
        return None
    return 0.39 * len(words) / len(parts) + 11.8 * sum(map(syllables, words)) / len(words) - 15.59


def findings(text: str, rules: Rules) -> Iterator[Finding]:
    """List what is to be reworded in a page."""
    plain = running_text(text)

    def line(at: int) -> int:
        return plain.count("\n", 0, at) + 1

    for pattern, use in rules.banned:
        yield from (Finding(line(match.start()), match[0].strip(), use) for match in pattern.finditer(plain))
    for wrong, right in rules.vocabulary.items():
        for match in re.finditer(rf"(?<![\w./-]){re.escape(wrong)}(?![\w/-])", plain):
            yield Finding(line(match.start()), wrong, right)
    for match in HEADING.finditer(plain):
        if BARE_IT.search(match["text"].strip()):
            yield Finding(
                line(match.start()), match["text"].strip(), "say what; a heading is read alone in search results"
            )
    for part in sentences(plain):
        if len(WORD.findall(part)) > rules.maximum_sentence_words:
            start = " ".join(part.split())[:60]
            yield Finding(line(max(0, plain.find(part))), start, f"at most {rules.maximum_sentence_words} words")
    reached = grade(plain)
    if reached is not None and reached > rules.maximum_grade:
        yield Finding(1, f"reading grade {reached:.1f}", f"at most {rules.maximum_grade}: shorter sentences and words")
