"""Mermaid's own SVG of a diagram, from the library `merman`: it draws what Mermaid would draw in a browser."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import merman

from octavo.diagrams.drawing import DiagramFailure
from octavo.diagrams.measure import Run, is_bold, line_width, text_width, wrap

DIAGRAM_ID = "d"
LABEL_GROUND = ("#fdfcfb", "#1c1b1a")
"""Ground of text beside lines in light and dark mode: no theme uses these colors, so that the page's own can be put
there."""
_THEMES = {"light": ("neutral", LABEL_GROUND[0]), "dark": ("dark", LABEL_GROUND[1])}
_LINE_HEIGHT_OPERATIONS = {"WRAPPED", "WRAPPED_WITH_RAW_WIDTH", "MEASURE"}


class _Measurer(merman.MermanTextMeasurer):  # type: ignore[misc]  # the library has no types
    """Measures text for the layout; what depends on a font's height is left to the library."""

    def measure(self, request: Any) -> Any:
        operation, size, bold = request.operation.name, request.font_size, is_bold(request.font_weight)
        if operation in _LINE_HEIGHT_OPERATIONS:
            lines = wrap([[Run(line, bold)] for line in request.text.split("\n")], size, request.max_width)
            width = max(line_width(line, size) for line in lines)
            return _result("METRICS", width=width, height=len(lines) * request.line_height, line_count=len(lines))
        width = max(text_width(line, size, is_bold=bold) for line in request.text.split("\n"))
        if operation.endswith(("_WIDTH", "COMPUTED_LENGTH")):
            return _result("LENGTH", length=width)
        if operation in {"B_BOX_X", "TITLE_B_BOX_X", "B_BOX_X_WITH_ASCII_OVERHANG"}:
            return _result("HORIZONTAL_EXTENTS", bbox_left=width / 2, bbox_right=width / 2)
        if operation == "MERMAID_CALCULATE_TEXT_DIMENSIONS":
            count = request.text.count("\n") + 1
            return _result("METRICS", width=round(width), height=round(count * size * 1.1), line_count=count)
        return None


def render(source: str, mode: str) -> str | DiagramFailure:
    """Draw a diagram in Mermaid's theme for a mode.

    Args:
        source: The diagram in Mermaid's language.
        mode: `light` or `dark`.

    Returns:
        The SVG as Mermaid writes it, its id being `DIAGRAM_ID`, or why there is none.
    """
    try:
        return str(_engine(mode).render_svg(source, None))
    except merman.MermanError.Binding as error:
        return _failure(source, error)


@cache
def _engine(mode: str) -> Any:
    theme, ground = _THEMES[mode]
    settings = {
        "theme": theme,
        "themeVariables": {"edgeLabelBackground": ground},
        "look": "classic",
        "layout": "dagre",
        "fontFamily": "sans-serif",
        "securityLevel": "strict",
        "journey": {"textPlacement": "tspan"},
    }
    options = {"version": 2, "svg": {"diagram_id": DIAGRAM_ID}, "site_config": settings}
    services = merman.MermanEngineServices().with_text_measurer(_Measurer())
    return merman.MermanEngine(options_json=json.dumps(options), services=services)


def _failure(source: str, error: Any) -> DiagramFailure:
    if error.resource is not None or error.code_name == "MERMAN_RESOURCE_LIMIT_EXCEEDED":
        return DiagramFailure("limit", "it is larger than the renderer allows")
    if error.code_name not in {"MERMAN_PARSE_ERROR", "MERMAN_NO_DIAGRAM"}:
        return DiagramFailure("unsupported", f"the renderer does not support it ({error.message.splitlines()[0]})")
    for finding in json.loads(_engine("light").analyze_json(source, None))["diagnostics"]:
        if finding["severity"] == "error":
            span = finding["span"] or {"byte_start": 0}
            before = source.encode()[: span["byte_start"]].decode(errors="replace")
            column = len(before) - before.rfind("\n")
            return DiagramFailure("syntax", _first_lower(finding["message"]), before.count("\n") + 1, column)
    return DiagramFailure("unsupported", _first_lower(error.message))


def _first_lower(message: str) -> str:
    """Give a message the form in which it can follow a colon."""
    line = message.strip().splitlines()[0].rstrip(".") if message.strip() else "unknown error"
    return line if line[:2].isupper() else line[:1].lower() + line[1:]


def _result(kind: str, **values: Any) -> Any:
    empty = {"width": 0.0, "height": 0.0, "length": 0.0, "line_count": 1}
    optional = {"bbox_left": None, "bbox_right": None, "raw_width": None}
    result_kind = getattr(merman.MermanTextMeasurementResultKind, kind)
    return merman.MermanTextMeasureResult(result_kind=result_kind, **(empty | optional | values))
