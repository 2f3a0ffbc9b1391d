"""An audit of the Markdown that is published beside pages: nothing of the dialect that they are written in is left.

It reads the Markdown as any other program does, by CommonMark with tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pyromark

LEFTOVERS = {
    "component": re.compile(r"</?[A-Z][A-Za-z.]*[\s/>]"),
    "JSX attribute": re.compile(r"\b(?:className|htmlFor)=|=\{"),
    "JSX comment": re.compile(r"\{/\*|\*/\}"),
    "import": re.compile(r"^(?:import|export)\s.*(?:from\s+['\"]|=)", re.MULTILINE),
    "directive": re.compile(r"^\s*(?::::|!!!\s|\?\?\?\+?\s|\{%|\{\{[<%])", re.MULTILINE),
    "variable": re.compile(r"\{\{.*?\}\}"),
    "attributes": re.compile(r"\{[:#.][\w .#:=\"'-]*\}"),
    "front matter": re.compile(r"^(?:slug|sidebar_\w+|hide_\w+):", re.MULTILINE),
    "mark of the compiler": re.compile("[\x00\ufdd0\ufdd1]"),
}
_TAG = re.compile(r"</?([A-Za-z][\w:.-]*)")
_NO_FORM = frozenset({"sub", "sup", "br"})
"""Elements that Markdown has no form for: of `br` in the cells of tables only."""
_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_YAML_STYLE_METADATA_BLOCKS
    | pyromark.Options.ENABLE_STRIKETHROUGH
)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:|/|#", re.IGNORECASE)


def leftovers(text: str) -> list[tuple[str, str]]:
    """Find what other programs would read as markup that it is not: (what it is, the text)."""
    return list(_find(text))


def leftovers_in(folder: Path) -> dict[str, list[tuple[str, str]]]:
    """Audit the Markdown of a published folder: file → what is left in it, of files where there is something."""
    found = {path.relative_to(folder).as_posix(): leftovers(path.read_text("utf-8")) for path in markdown_files(folder)}
    return {name: left for name, left in found.items() if left}


def markdown_files(folder: Path) -> list[Path]:
    """List the Markdown of the pages of a published folder."""
    return sorted(path for path in folder.rglob("*.md") if "_octavo" not in path.relative_to(folder).parts)


def _find(text: str) -> Iterator[tuple[str, str]]:
    is_in_code = is_in_table = False
    label: list[str] | None = None
    prose: list[str] = []
    for event in pyromark.events(text, options=_OPTIONS):
        match event:
            case {"Start": {"CodeBlock": _} | {"MetadataBlock": _}}:
                is_in_code = True
            case {"End": "CodeBlock" | {"CodeBlock": _} | {"MetadataBlock": _}}:
                is_in_code = False
            case {"Start": {"Table": _}}:
                is_in_table = True
            case {"End": "Table" | {"Table": _}}:
                is_in_table = False
            case {"Start": {"Link": link}}:
                label = []
                if not _ADDRESS.match(link["dest_url"]):
                    yield "address that leads nowhere", link["dest_url"]
            case {"Start": {"Image": picture}}:
                if label is not None:
                    label.append("picture")
                if not _ADDRESS.match(picture["dest_url"]):
                    yield "picture that is nowhere", picture["dest_url"]
            case {"End": "Link"}:
                if not "".join(label or []).strip():
                    yield "link without text", ""
                label = None
            case {"Html": found} | {"InlineHtml": found} if not is_in_code:
                prose.append(found)
                names = {name.lower() for name in _TAG.findall(found)}
                if names - (_NO_FORM if is_in_table else _NO_FORM - {"br"}) or found.startswith("<!"):
                    yield "HTML", found
            case {"Text": found} | {"Code": found}:
                if label is not None:
                    label.append(found)
                if not is_in_code:
                    prose.append(found if "Text" in event else "code")
            case "SoftBreak" | "HardBreak":
                prose.append("\n")
            case {"Start": "Paragraph" | "Item" | "TableCell" | {"Heading": _}}:
                prose.append("\n")
            case _:
                pass
    for name, pattern in LEFTOVERS.items():
        for left in pattern.finditer("".join(prose)):
            yield name, left[0]
