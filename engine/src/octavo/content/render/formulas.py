"""Formulas: LaTeX becomes MathML, which browsers draw without a script."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from octavo.content.escape import escape
from octavo.content.render.latex import corrected, prepare, unknown_commands

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import DocumentText

_LONGEST = 20_000
"""Characters of a formula; a longer one is shown as it is written."""


def draw_formula(context: CompileContext, formula: str, source: DocumentText, offset: int, *, is_block: bool) -> str:
    """Draw a formula; one that cannot be read is shown as it is written, and reported.

    Args:
        context: The page it belongs to.
        formula: LaTeX, without the dollar signs.
        source: The file that contains it.
        offset: Of the formula, in characters of the file.
        is_block: Whether it is on lines of its own.
    """
    macros = tuple(source.dialect.formula_macros.items())
    mathml = _mathml(formula, "block" if is_block else "inline", macros) if len(formula) <= _LONGEST else None
    if mathml is not None:
        if unknown := unknown_commands(mathml):
            names = ", ".join(f'"{name}"' for name in unknown)
            context.report(
                "warn",
                "formula",
                f"This formula shows {names} as written: no command of this name is known.",
                source,
                offset,
                suggestion='Say what it stands for: "[markdown.formula_macros]" of octavo.toml, or \\newcommand in the formula.',
            )
        # What is wider than the column is scrolled to, by keyboard too.
        return f'<span class="formula" tabindex="0">{mathml}</span>' if is_block else mathml
    context.report(
        "warn",
        "formula",
        "This formula cannot be drawn; it is shown as it is written.",
        source,
        offset,
        suggestion="Check its braces and commands; commands of packages are not known.",
    )
    marks = "$$" if is_block else "$"
    return f"<code>{escape(f'{marks}{formula}{marks}')}</code>"


@lru_cache(maxsize=1024)
def _mathml(formula: str, display: str, macros: tuple[tuple[str, str], ...]) -> str | None:
    """Convert LaTeX to MathML; None where it cannot be read."""
    from latex2mathml.converter import convert

    try:
        prepared = prepare(formula, dict(macros), is_block=display == "block")
        return corrected(str(convert(prepared.strip(), display=display)))
    except Exception:  # noqa: BLE001 - the converter raises many kinds; the page is whole without this formula
        return None
