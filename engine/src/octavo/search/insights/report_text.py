"""The report as text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from octavo.search.insights.page import summary
from octavo.search.insights.report import QueryLine, Week


def format_report(weeks: Sequence[Week]) -> str:
    """Write the report."""
    if not any(week.searches for week in weeks):
        return "No searches are kept for these weeks."
    return "\n\n".join("\n".join(_week(week)) for week in weeks if week.searches)


def _week(week: Week) -> Iterator[str]:
    yield f"Week of {week.begins}: {', '.join(summary(week))}"
    for caption, lines in (
        ("Top queries", week.top),
        ("Without results", week.no_hits),
        ("Searched but not clicked", week.not_clicked),
    ):
        if lines:
            yield f"  {caption}"
            yield from map(_line, lines)


def _line(line: QueryLine) -> str:
    return f"    {line.searches:6}  {line.query}  ({line.hits} results, {line.clicks} clicked)"
