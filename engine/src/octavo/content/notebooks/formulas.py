"""Formulas as notebooks have them: LaTeX without the marks that Markdown needs around it."""

from __future__ import annotations

from octavo.lazy import regex as re

_BEGIN = re.compile(
    r"^\\begin\{(?P<name>(?:equation|align|gather|multline|eqnarray|alignat|flalign|split)\*?)\}", re.MULTILINE
)
_WHOLE = re.compile(r"\A(?P<mark>\$\$?)(?P<formula>[^$]+)(?P=mark)\Z")
_BRACKETS = re.compile(r"\A\\\[(?P<formula>.+)\\\]\Z|\A\\\((?P<inline>.+)\\\)\Z", re.DOTALL)


def with_marks(latex: str) -> str | None:
    """Write LaTeX that is a formula as a whole in a block of its own; None for other LaTeX, such as a table."""
    latex = latex.strip()
    if whole := _WHOLE.match(latex):
        formula = whole["formula"]
    elif brackets := _BRACKETS.match(latex):
        formula = brackets["formula"] or brackets["inline"]
    elif (begin := _BEGIN.match(latex)) and latex.endswith(f"\\end{{{begin['name']}}}"):
        formula = latex
    else:
        return None
    # A blank line would end the block.
    formula = "\n".join(line for line in formula.strip().split("\n") if line.strip())
    return f"$$\n{formula}\n$$"


def bare_formulas(text: str) -> list[tuple[int, int]]:
    """Find the formulas of a text that are environments of LaTeX, without marks: list of (start, end)."""
    found: list[tuple[int, int]] = []
    position = marks = 0
    open_names: set[str] = set()
    for begin in _BEGIN.finditer(text) if "\\begin{" in text else ():
        if begin.start() < position or begin["name"] in open_names:
            continue
        marks += text.count("$$", position, begin.start())
        position = begin.start()
        closing = f"\\end{{{begin['name']}}}"
        end = text.find(closing, begin.end())
        if end < 0:
            open_names.add(begin["name"])
        elif marks % 2 == 0:
            position = end + len(closing)
            found.append((begin.start(), position))
    return found
