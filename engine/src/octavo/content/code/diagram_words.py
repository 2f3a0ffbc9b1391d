"""What the source of a diagram says to a reader: its labels, without the signs that draw it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from octavo.lazy import regex as re

SEPARATOR = " · "
"""Between labels, as between the cells of a table: readers see both in the hits of a search."""

_FRONT_MATTER = re.compile(r"\A\s*---\n.*?\n---\n", re.DOTALL)
_DIRECTIVE = re.compile(r"%%\{(?:(?!%%\{).)*?\}%%", re.DOTALL)
_BREAK = re.compile(r"<br\s*/?>|\\n|</?\w+[^<>]*>", re.IGNORECASE)
_QUOTED = re.compile(r'"([^"]*)"')
_BOXED = re.compile(
    r"\[([^\[\]]+)\]|\(([^()]+)\)|\{([^{}]+)\}|\|([^|]+)\||(?:--|==|-\.) ([^-=.|>\[({]+) (?:---?|-->|===?|==>|\.-|\.->)"
)
_SAID = re.compile(r"^[^:]*[^:\s]\s*:\s*([^:\s].*)$")
_NAMED = re.compile(r"^(?:title|section|subgraph|participant|actor|accTitle|accDescr|box)\b[:\s]*(?:\S+\s+as\s+)?(.*)$")
_SILENT = re.compile(
    r"^(?:%%|style\b|classDef\b|class\s+[\w,]+\s+\w+\s*;?$|linkStyle\b|click\b|direction\b|autonumber\b|activate\b|deactivate\b|"
    r"dateFormat\b|axisFormat\b|todayMarker\b|tickInterval\b|excludes\b|end$)"
)
_KIND = re.compile(
    r"^(flowchart|graph|sequenceDiagram|classDiagram|stateDiagram|erDiagram|gantt|pie|journey|mindmap|timeline|gitGraph|"
    r"quadrantChart|requirementDiagram|C4[A-Z]\w+|sankey|xychart|block|packet|architecture|kanban|zenuml)"
    r"(?:-v2|-beta)?(?:\s+(?:TB|TD|BT|RL|LR|showData)\b)?(?:\s*;|\s|$)"
)
_GRAPHS = ("flowchart", "graph", "sequenceDiagram", "C4", "block", "architecture")
"""Kinds with names that only the source uses beside the labels that readers see."""

_MEASURED = ("gantt", "pie", "journey", "quadrantChart")
"""Kinds with a label before a colon, and numbers and dates behind it."""

_TREES = ("mindmap", "kanban")
"""Kinds of which each line is a label, or a name with one."""

_SIGNS = re.compile(r"\[\*\]|[^\w.,'’/@#$%&+-]+|(?<!\w)[-.+#~]+|[-.]{2,}")


def diagram_words(code: str) -> str:
    """Give the labels of a Mermaid diagram in the order of its source, each once; the words of its lines without any."""
    text = _DIRECTIVE.sub("", _FRONT_MATTER.sub("", code)).strip()
    kind = _KIND.match(text)
    lines = [" ".join(_BREAK.sub(" ", line).split()) for line in (text[kind.end() :] if kind else text).split("\n")]
    spoken = [line for line in lines if line and not _SILENT.match(line)]
    labels = _each_once(label for line in spoken for label in _of_line(line, kind[1] if kind else ""))
    return SEPARATOR.join(labels or _each_once(map(_words, spoken)))


def _each_once(labels: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(filter(None, (" ".join(label.split()) for label in labels))))


def _of_line(line: str, kind: str) -> Iterator[str]:
    if quoted := _QUOTED.findall(line):
        yield from quoted
    elif named := _NAMED.match(line):
        yield _words(named[1]) if kind not in _GRAPHS else _boxed(named[1]) or named[1]
    elif kind.startswith(_GRAPHS):
        yield from _labels(line)
    elif kind in _TREES:
        yield _boxed(line) or _words(line)
    else:
        yield _words(line.partition(":")[0] if kind in _MEASURED else line)


def _labels(line: str) -> Iterator[str]:
    yield from (_bare(next(filter(None, found))) for found in _BOXED.findall(line))
    if said := _SAID.match(_BOXED.sub("", line)):
        yield _bare(said[1])


def _boxed(text: str) -> str:
    """Give the first label of a part such as `kiln [The kiln]`; empty where it has only a name."""
    return next(_labels(text), "")


def _bare(label: str) -> str:
    """Take off the further signs of a shape: `((round))`, `[/slanted/]`."""
    return label.strip("[](){}/\\ ")


def _words(line: str) -> str:
    return " ".join(_SIGNS.split(line))
