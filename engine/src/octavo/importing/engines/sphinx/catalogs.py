"""Translations in catalogs of gettext, which Sphinx puts into its pages: they become pages of further languages.

Source:
    Sphinx, `sphinx/transforms/i18n.py` at commit 0230315, `Locale`: a message is the source of a paragraph or title in one
    line, and a title reuses the id that it has in the first language. Read 2026-11-29.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from octavo.content import slugify_docutils
from octavo.importing.common import as_list, as_text, relative
from octavo.importing.model import Plan
from octavo.importing.settings.files import UnreadableError, read_text
from octavo.importing.settings.labels import OWN_NAMES, carry_labels, language_tag
from octavo.importing.tree import Tree
from octavo.lazy import regex as re
from octavo.translations import ExchangeError, read_messages, revision_of, with_revision

_MARKS = re.compile(r"[ \t]*(?:(?:[-*+]|\d+[.)]|>)[ \t]+)*(?P<level>#{1,6}[ \t]+)?")
"""Marks at the beginning of a block in MyST, before the text that is a message."""
_START = re.compile(
    r"[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]|#{1,6}[ \t]|[>|]|:|`{3,}|~{3,}|\([^()]+\)=|%|\+\+\+|<!--|-{3,}\s*$)"
)
"""A line that continues no paragraph."""
_NO_TEXT = re.compile(r"[ \t]*(?:\([^()]+\)=\s*$|:[\w-]+:|%|\+\+\+|<!--|-{3,}\s*$)")
"""Labels, options of directives, comments and lines."""
_FENCE = re.compile(r"(?P<head>[ \t]*(?P<fence>`{3,}|~{3,}|:{3,})(?:\{(?P<name>[\w:-]+)\})?[ \t]*)(?P<rest>.*)")
_OPTION = re.compile(r"([ \t]*:(?:caption|title|header|footer|alt):[ \t]+)(.+)")
_CELL = re.compile(r"(?<!\\)\|")
_LETTER = re.compile(r"[^\W\d_]")
_OF_CODE = frozenset(
    ["code", "code-block", "code-cell", "doctest", "literalinclude", "math", "mermaid", "parsed-literal", "raw",
     "sourcecode"]
)  # fmt: skip
"""Directives whose content is not prose."""
_RST_MARKS = re.compile(r"[ \t]*(?:(?:[-*+]|\d+[.)]|#\.)[ \t]+)*(?:\.\.[ \t]+[\w:-]+::[ \t]+)?")
_RST_START = re.compile(r"[ \t]*(?:(?:[-*+]|\d+[.)]|#\.)[ \t]|\.\.[ \t]|:[\w -]+:|\|[ \t])")
_ADORNMENT = re.compile(r"([=\-~^\"'`#*+.:_<>])\1{2,}[ \t]*")
_TITLE_LINE = re.compile(r"^#{1,6}[ \t].*$", re.MULTILINE)
_OWN_ID = re.compile(r"\{#[^{}]*\}\s*\Z")
_MARKUP = re.compile(r"\[([^\]]*)\]\([^()]*\)|\{[\w:-]+\}`([^`<]*?)[ ]*(?:<[^>]*>)?`|[`*]")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[_-][A-Za-z0-9]{2,8})*(?:@[A-Za-z0-9]+)?")
_FOLDER = "i18n"
"""Gets the pages, a folder for each language."""


def take_over_catalogs(plan: Plan, source: Path, config: Mapping[str, Any], tree: Tree) -> None:
    """Write the pages of each language that has catalogs, and name the languages in the settings.

    Args:
        plan: Gets pages, settings and a note of what is not translated.
        source: Folder of `conf.py`, where `locale_dirs` begin.
        config: Values of `conf.py`.
        tree: The pages of the first language.
    """
    found = _catalogs(source, config)
    first = language_tag(as_text(config.get("language"), "en"))
    written: list[dict[str, Any]] = [{"id": first, "label": OWN_NAMES.get(first, first)}]
    counts: list[str] = []
    for name, paths in sorted(found.items()):
        tag = language_tag(name)
        if tag == first:
            continue
        catalogs = _messages(plan, paths)
        done, total = _write_pages(plan, tag, catalogs, tree)
        counts.append(f"{name}: {done} of {total} texts")
        if done:
            label = OWN_NAMES.get(tag, tag)
            carry_labels(plan, tag, (pair for messages in catalogs.values() for pair in messages.items()))
            written.append({"id": tag, "label": label, "path": tag.lower(), "docs": f"{_FOLDER}/{tag}"})
    if len(written) > 1:
        plan.settings["locales"] = written
        items = plan.settings["navbar"].setdefault("items", [])
        items.append({"type": "locale", "label": "Language", "position": "right"})
    if counts:
        plan.note(
            f"Translations in files of gettext ({', '.join(counts)})",
            f"Those are pages in {_FOLDER} now, for which the files of gettext are not read again; other texts are shown "
            "in the first language. `octavo translations` lists them and writes files for translators.",
            count=sum(map(len, found.values())),
            files=[relative(path, plan.site_dir) for paths in found.values() for path in paths][:5],
        )


def _catalogs(source: Path, config: Mapping[str, Any]) -> dict[str, list[Path]]:
    """Find the catalogs: name of a language → files."""
    folders = [as_text(one) for one in as_list(config.get("locale_dirs"))] or ["locales"]
    found: dict[str, list[Path]] = {}
    for folder in folders:
        # `locale_dirs` begins with the folder of conf.py and may lead out of the site.
        for path in sorted((source / folder).glob("*/LC_MESSAGES/**/*.po")):
            name = path.relative_to(source / folder).parts[0]
            if _LANGUAGE.fullmatch(name):
                found.setdefault(name, []).append(path)
    return found


def _messages(plan: Plan, paths: list[Path]) -> dict[str, dict[str, str]]:
    """Read the translations of a language: name of the catalog → message → translation, without unfinished ones."""
    found: dict[str, dict[str, str]] = {}
    for path in paths:
        name = path.as_posix().rpartition("/LC_MESSAGES/")[2].removesuffix(".po")
        try:
            messages = [one for one in read_messages(read_text(path)) if one.text and not one.is_fuzzy]
        except (ExchangeError, UnreadableError) as error:
            file = relative(path, plan.site_dir)
            plan.note(f"{file} cannot be read", str(error), files=[file])
            continue
        found[name] = {_in_line(one.source): one.text.strip() for one in messages}
    return found


def _write_pages(plan: Plan, tag: str, catalogs: Mapping[str, dict[str, str]], tree: Tree) -> tuple[int, int]:
    """Write the pages that have a translated text; gives how many texts have one, and of how many."""
    everywhere = {source: text for messages in catalogs.values() for source, text in messages.items()}
    done = total = 0
    for file in tree.files:
        name = file.rpartition(".")[0]
        # A catalog is that of one document, or of all in a folder. Sphinx asks no other one; the same text has the same words.
        own = [messages for catalog, messages in catalogs.items() if name == catalog or name.startswith(f"{catalog}/")]
        known = {**everywhere, **{source: text for messages in own for source, text in messages.items()}}
        original = tree.text(file)
        page = (_RstTranslation if file.endswith(".rst") else _Translation)(known, original)
        text = page.text()
        done, total = done + page.done, total + page.total
        if page.done:
            # Catalogs hold the texts that the page has now: later changes make the translation an outdated one.
            text = with_revision(text, revision_of(original.encode()))
            plan.files[f"{_FOLDER}/{tag}/{tree.path(file)}"] = text
    return done, total


class _Translation:
    """Puts translations in the place of the texts of a page."""

    def __init__(self, known: Mapping[str, str], original: str) -> None:
        self._known = known
        self._titles = Counter(map(_id_of_title, _TITLE_LINE.findall(original)))
        self._lines = original.replace("\r\n", "\n").split("\n")
        self.done = self.total = 0

    def text(self) -> str:
        """Give the translated page."""
        written: list[str] = []
        start = _end_of_front_matter(self._lines)
        written += self._lines[:start]
        lines = iter(range(start, len(self._lines)))
        block: list[str] = []
        code, opened = "", [""]
        for number in lines:
            line = self._lines[number]
            fence = _FENCE.match(line)
            if code:
                written.append(line)
                if fence and fence["fence"].startswith(code) and not fence["rest"].strip():
                    code = ""
                continue
            if not line.strip() or _START.match(line):
                written += self._block(block)
                block = []
            if fence and not fence["name"] and not fence["rest"].strip() and fence["fence"] == opened[-1]:
                opened.pop()
                written.append(line)
            elif fence:
                is_code = fence["name"] in _OF_CODE if fence["name"] else fence["fence"][0] != ":"
                if is_code:
                    code = fence["fence"]
                else:
                    opened.append(fence["fence"])
                written.append(line if is_code else fence["head"] + self._part(fence["rest"]))
            elif option := _OPTION.fullmatch(line):
                written.append(option[1] + self._part(option[2]))
            elif line.lstrip().startswith("|"):
                written.append("|".join(self._cell(cell) for cell in _CELL.split(line)))
            elif not line.strip() or _NO_TEXT.match(line):
                written.append(line)
            else:
                block.append(line)
        return "\n".join([*written, *self._block(block)])

    def _block(self, lines: list[str]) -> list[str]:
        """Translate a paragraph, an item of a list or a title."""
        if not lines:
            return []
        marks = _MARKS.match(lines[0])
        head = marks[0] if marks else ""
        text = self._find(" ".join([lines[0][len(head) :], *lines[1:]]))
        if text is None:
            return lines
        name = _id_of_title(lines[0])
        keeps_id = name and self._titles[name] == 1 and not _OWN_ID.search(text)
        return [f"{head}{text}{f' {{#{name}}}' if keeps_id else ''}"]

    def _part(self, text: str) -> str:
        return self._find(text) or text if text.strip() else text

    def _cell(self, cell: str) -> str:
        found = self._find(cell)
        return cell if found is None else f" {found} "

    def _find(self, text: str) -> str | None:
        source = _in_line(text)
        if not _LETTER.search(source):
            return None
        found = self._known.get(source)
        self.total += 1
        self.done += found is not None
        return found


class _RstTranslation(_Translation):
    """The same for a page in reStructuredText. Titles get no id: labels, by which links find them, stay."""

    def text(self) -> str:
        """Give the translated page."""
        written: list[str] = []
        block: list[str] = []
        for line in self._lines:
            indent = len(line) - len(line.lstrip())
            is_more = bool(block and line.strip()) and (
                indent == self._indent_of(block[0]) or _ADORNMENT.fullmatch(line)
            )
            if block and (not is_more or _RST_START.match(line)):
                written += self._rst_block(block)
                block = []
            if line.strip():
                block.append(line)
            else:
                written.append(line)
        return "\n".join([*written, *self._rst_block(block)])

    def _indent_of(self, line: str) -> int:
        head = _RST_MARKS.match(line)
        return head.end() if head else 0

    def _rst_block(self, lines: list[str]) -> list[str]:
        if len(lines) > 1 and _ADORNMENT.fullmatch(lines[-1]):
            has_line_above = len(lines) > 2 and _ADORNMENT.fullmatch(lines[0]) is not None
            title = self._find(" ".join(lines[has_line_above:-1]))
            if title is None:
                return lines
            # Signs of East Asian scripts are twice as wide, which docutils counts too.
            width = sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in title)
            adornment = lines[-1].strip()[0] * max(width, len(lines[-1].strip()))
            return [*([adornment] if has_line_above else []), title, adornment]
        if not lines:
            return []
        head = lines[0][: self._indent_of(lines[0])]
        text = self._find(" ".join([lines[0][len(head) :], *lines[1:]]))
        return lines if text is None else [f"{head}{text}"]


def _end_of_front_matter(lines: list[str]) -> int:
    if not lines or lines[0].rstrip() != "---":
        return 0
    return next((number for number, line in enumerate(lines[1:], 2) if line.rstrip() == "---"), 0)


def _id_of_title(line: str) -> str:
    """Give the id of a title in the first language; empty where a line is not a title."""
    block = _MARKS.match(line)
    if block is None or not block["level"]:
        return ""
    return slugify_docutils(_MARKUP.sub(lambda found: found[1] or found[2] or "", line[block.end() :]))


def _in_line(text: str) -> str:
    return " ".join(text.split())
