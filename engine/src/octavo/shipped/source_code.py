"""Code from a source file: `::source[../src/acme.py]{lines=10-20}` or `{marker=setup}`.

A marker is a pair of lines of the file that hold `[start:setup]` and `[end:setup]`, as a rule in comments. Files outside the
site's folder are named in the settings:

    [extension_options.source_code]
    files = ["../src/**/*.py"]
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import PurePosixPath

from octavo.extensions import Directive, Extension, Markdown, options
from octavo.shipped.files import read_named

extension = Extension("source_code", inputs=options("source_code").get("files", []))

_MARK = re.compile(r"\[(?:start|end):[\w.-]+\]")
_LINES = re.compile(r"(\d+)(?:-(\d+)?)?")


@dataclass
class Piece:
    """Attributes of the directive."""

    lines: str = ""
    """`10`, `10-20` or `10-`."""
    marker: str = ""
    language: str = ""
    """That of the file's ending by default."""
    title: str = ""


@extension.directive("source", attributes=Piece)
def source(block: Directive[Piece]) -> Markdown:
    """Show a file, or a piece of it, as a block of code."""
    wanted = block.attributes
    text = read_named(block, "source_code")
    if text is None:
        return Markdown("")
    found = text.splitlines()
    if wanted.marker:
        found = _marked(found, block)
    elif wanted.lines:
        found = _numbered(found, block)
    code = textwrap.dedent("\n".join(line for line in found if not _MARK.search(line)))
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    info = wanted.language or PurePosixPath(block.label).suffix.removeprefix(".") or "text"
    if wanted.title:
        quote = "'" if '"' in wanted.title else '"'
        info += f" title={quote}{wanted.title}{quote}"
    return Markdown(f"{fence}{info}\n{code}\n{fence}")


def _marked(found: list[str], block: Directive[Piece]) -> list[str]:
    name = block.attributes.marker
    first = next((number for number, line in enumerate(found) if f"[start:{name}]" in line), None)
    last = next((number for number, line in enumerate(found) if f"[end:{name}]" in line), None)
    if first is None or last is None or last < first:
        missing = "start" if first is None else "end"
        hint = f'Write "[{missing}:{name}]" into a comment of the file.'
        block.warn(f'"{block.label}" has no line with "[{missing}:{name}]"; all of it is shown.', suggestion=hint)
        return found
    return found[first + 1 : last]


def _numbered(found: list[str], block: Directive[Piece]) -> list[str]:
    match = _LINES.fullmatch(block.attributes.lines)
    if match is None:
        block.warn(f'lines is "{block.attributes.lines}"; expected 10, 10-20 or 10-.')
        return found
    first = int(match[1])
    last = int(match[2]) if match[2] else len(found) if "-" in match[0] else first
    if not 1 <= first <= last <= len(found):
        block.warn(f'lines is "{match[0]}", and "{block.label}" has {len(found)} lines.')
    return found[max(first - 1, 0) : last]
