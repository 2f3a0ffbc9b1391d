"""What a site loses when it is imported, on one page: counted, with files and a remedy, the greatest gain first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from octavo.diagnostics import Diagnostic
from octavo.importing.model import Note, Plan
from octavo.importing.stubs import Stub
from octavo.lazy import regex as re
from octavo.site import PAGE_SUFFIXES

_QUOTED = re.compile(r'(?P<kept>"octavo\[[^"]*"|"</?[A-Za-z][\w.:-]*>")|"(?:[^"\\]|\\.){1,400}"')
"""What differs from page to page; the name of a package to install does not, nor does that of an element."""
_EXPRESSION = re.compile(r'The expression ".*?"(?= in "<[^"<>]*>"| is not)', re.DOTALL)
"""An expression, which may hold quotes itself."""
_LOOKS_LIKE = re.compile(r"looks like (?P<what>[^;]+?)(?:;|$)")
_TAG_NAME = re.compile(r'"(?P<name></?[A-Z][\w.]*)')
_SHORTCODE = re.compile(r'The (?:shortcode|directive|role) "[^"]+"')
_MOST_FILES = 5
_LONGEST_CELL = 400
REPORT_NAME = "import-report.md"
"""Name of the report, beside `octavo.toml`."""
_CONSTRUCTS = frozenset(
    {
        "expression",
        "export",
        "foreign-syntax",
        "import",
        "mdx-syntax",
        "missing-partial",
        "unknown-component",
        "front-matter",
        "front-matter-key",
        "tabs",
        "malformed-tag",
        "stray-end",
        "unclosed",
        "unclosed-fence",
        "unclosed-html",
        "table",
        "unsafe-link",
    }
)
"""Kinds of findings that speak of what an engine knows and this one does not; all others are mistakes in the content."""
_NAMED = frozenset({"front-matter-key", "import", "missing-partial", "unknown-component", "foreign-syntax"})
"""Kinds that are counted by what is named in them: each component is a piece of work of its own."""


class Item(msgspec.Struct, frozen=True):
    """One kind of loss."""

    what: str
    remedy: str
    count: int
    pages: int
    """Pages that it concerns; 0 where it concerns none by itself."""
    files: list[str]
    places: list[str] = []
    """The first places as file and line, in different files."""
    is_construct: bool = True


class Report(msgspec.Struct, frozen=True):
    """The whole report."""

    engine: str
    reason: str
    site: str
    pages: int
    clean_pages: int
    """Pages without any finding about constructs."""
    items: list[Item]
    mistakes: list[Item]
    """Findings about content, not about the engine: links that lead nowhere and the like."""
    notes: list[Note]


def make_report(
    plan: Plan, reason: str, pages: int, findings: Iterable[Diagnostic], stubs: Sequence[Stub] = ()
) -> Report:
    """Count findings.

    Args:
        plan: What was written.
        reason: Why the engine was recognized.
        pages: Pages of the site.
        findings: Those of a check of the written site.
        stubs: Components that were left out.
    """
    groups: dict[tuple[str, str], list[Diagnostic]] = {}
    for finding in findings:
        groups.setdefault((finding.code, _kind(finding)), []).append(finding)
    items = sorted(
        [*(_item(code, what, found) for (code, what), found in groups.items()), *map(_stub_item, stubs)],
        key=lambda one: (-one.pages, -one.count, one.what),
    )
    touched = {
        finding.span.path
        for (code, _), found in groups.items()
        if code in _CONSTRUCTS - {"front-matter", "front-matter-key"}
        for finding in found
    } | {file for stub in stubs for file in stub.files}
    return Report(
        engine=plan.engine,
        reason=reason,
        site=str(plan.site_dir),
        pages=pages,
        clean_pages=max(pages - len({path for path in touched if path.endswith(PAGE_SUFFIXES)}), 0),
        items=[one for one in items if one.is_construct],
        mistakes=[one for one in items if not one.is_construct],
        notes=plan.notes,
    )


def _kind(finding: Diagnostic) -> str:
    """Say what a finding is about, so that the same thing on many pages counts as one."""
    message = finding.message.rstrip(".")
    if match := _LOOKS_LIKE.search(message):
        name = _TAG_NAME.match(message)
        return f"{match['what']}: {name['name']}" if name and finding.code == "mdx-syntax" else match["what"]
    if match := _SHORTCODE.match(message):
        return match[0]
    if finding.code in _NAMED and finding.code != "foreign-syntax":
        return message
    message = _EXPRESSION.sub("An expression", message)
    return _QUOTED.sub(lambda found: found["kept"] or "…", re.sub(r"\d+", "n", message))


def _item(code: str, what: str, found: list[Diagnostic]) -> Item:
    files = list(dict.fromkeys(finding.span.path for finding in found))
    first = {finding.span.path: finding.span.line for finding in reversed(found)}
    suggestions = [finding.suggestion for finding in found if finding.suggestion]
    is_same = len(set(suggestions)) == 1
    remedy = suggestions[0] if is_same else f"For the first: {suggestions[0]}" if suggestions else ""
    return Item(
        what=f"{what} [{code}]",
        remedy=remedy,
        count=len(found),
        pages=len([path for path in files if path.endswith(PAGE_SUFFIXES)]),
        files=files[:_MOST_FILES],
        places=[f"{path}:{first[path]}" for path in files[:_MOST_FILES]],
        is_construct=code in _CONSTRUCTS,
    )


def _stub_item(stub: Stub) -> Item:
    return Item(
        what=f'"<{stub.name}>" is a program{f" ({stub.origin})" if stub.origin else ""}: pages show its title and its content only [stub-component]',
        remedy=f"{f'It was not taken over: {stub.reason}. ' if stub.reason else ''}Write it as Markdown in {stub.name}.mdx, in the folder of components.",
        count=len(stub.files),
        pages=len(stub.files),
        files=stub.files[:_MOST_FILES],
    )


def write_markdown(report: Report) -> str:
    """Write a report as one page of Markdown."""
    lines = [
        f"# Import of a {report.engine} site",
        "",
        f"Recognized because {report.reason}",
        "",
        f"- Pages: {report.pages}",
        f"- Pages on which every construct is known: {report.clean_pages}",
        "",
    ]
    lines += _section("Constructs that are not known", report.items, "Every construct of the pages is known.")
    lines += ["## Settings and files that are not carried over", ""]
    folder = f"{report.site.rstrip('/')}/"
    lines += [_note_line(note).replace(folder, "") for note in report.notes] or ["Nothing."]
    lines += ["", *_section("Mistakes in the content", report.mistakes, "None were found.")]
    return "\n".join(lines).rstrip() + "\n"


def _section(title: str, items: list[Item], nothing: str) -> list[str]:
    if not items:
        return [f"## {title}", "", nothing, ""]
    rows = [
        f"| {one.pages} | {one.count} | {_cell(one.what)} | {_cell(one.remedy)} | {_cell(', '.join((one.places or one.files)[:2]))} |"
        for one in items[:40]
    ]
    head = ["| Pages | Times | What | Remedy | For example |", "| ---: | ---: | --- | --- | --- |"]
    more = [f"\n{len(items) - 40} more kinds; `--json` lists all."] if len(items) > 40 else []
    return [f"## {title}", "", *head, *rows, *more, ""]


def _cell(text: str) -> str:
    shown = text if len(text) <= _LONGEST_CELL else f"{text[:_LONGEST_CELL]}…"
    return re.sub(r"([|<{\\])", r"\\\1", shown.replace("\n", " "))


def _note_line(note: Note) -> str:
    files = f" ({', '.join(note.files[:_MOST_FILES])})" if note.files else ""
    count = f", {note.count} times" if note.count > 1 else ""
    return f"- {note.what}{count}{files}. {note.remedy}"


def to_json(report: Report) -> dict[str, Any]:
    """Give a report as JSON values."""
    found: dict[str, Any] = msgspec.to_builtins(report)
    return found
