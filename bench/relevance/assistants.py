"""How well `/mcp` answers questions about a site, and what an answer costs: `python -m bench.relevance.assistants OUT [SET]`.

Without SET and with `second`, OUT is the published `site/`; `docs`, `docs_second` and the further ones are about `docs/`. Each set was
written before any of its results was seen; the weights were chosen with the first two, the third was asked afterwards.

A question is answered when one of its sections is given with its text among the first three results, which are pages with up to
three sections each; beside it is counted how often the right section leads one of them, and how often it is at least named, with
its anchor, as one more of their pages. Costs are characters, which tokenizers of
English text and code divide by much the same number on both sides.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import anyio

from octavo.manifest import html_file
from octavo.mcp.finding import SectionFinder
from octavo.mcp.library import CurrentLibrary
from octavo.mcp.tools import Tools
from octavo.search import SearchService
from octavo.server import PublishedBuilds

SETS = (
    "questions",
    "questions_second",
    "questions_third",
    "questions_fourth",
    "questions_fifth",
    "questions_sixth",
    "questions_docs",
    "questions_docs_second",
    "questions_docs_third",
    "questions_docs_fourth",
    "questions_docs_fifth",
    "questions_docs_sixth",
)
QUESTIONS = {name: Path(__file__).with_name(f"{name}.tsv") for name in SETS}
FIRST = 3
_PLACE = r"\n(?:https?://[^/\s]+)?(/\S*?)(?: \(.*\))?$"
_LEADING, _FURTHER = rf"^\d+\. .*{_PLACE}", rf"^Also: .*{_PLACE}"
_ANCHOR = re.compile(r"\(#([^)\s]+)\)")


async def measure(out: Path, name: str) -> None:
    """Ask all questions of a published folder and print what was missed and the sums."""
    builds = PublishedBuilds(out)

    async def name_index() -> str:
        build = await builds.current()
        return build.manifest.search if build else ""

    library = CurrentLibrary(builds.current)
    tools = Tools(library, SectionFinder(SearchService(out, name_index)), None)
    asked = [line.split("\t") for line in QUESTIONS[name].read_text().splitlines()]
    found = leading = named = of_page = cost = html = 0
    for question, *wanted in asked:
        answer = await tools.call("search", {"query": question, "limit": FIRST})
        leads, others = (re.findall(pattern, answer, re.MULTILINE) for pattern in (_LEADING, _FURTHER))
        addresses = [*leads, *others]
        is_found = not set(wanted).isdisjoint(addresses)
        leading += not set(wanted).isdisjoint(leads)
        pages = {address.partition("#")[0] for address in wanted}
        found += is_found
        named += is_found or not set(wanted).isdisjoint(_named(answer, leads))
        of_page += not pages.isdisjoint(address.partition("#")[0] for address in addresses)
        cost += len(answer)
        html += len((out / html_file(wanted[0].partition("#")[0])).read_text())
        if not is_found:
            print(f"missed: {question}: {', '.join(addresses)}")
    count = len(asked)
    print(
        f"section in the first {FIRST}: {found} of {count} ({found / count:.0%}); page: {of_page} ({of_page / count:.0%})"
    )
    print(f"leading one of the first {FIRST}: {leading} of {count} ({leading / count:.0%})")
    print(f"section in the first {FIRST} or named with them: {named} of {count} ({named / count:.0%})")
    print(
        f"characters of an answer against the page's HTML: {cost / count:.0f} against {html / count:.0f} ({cost / html:.1%})"
    )


def _named(answer: str, leads: Sequence[str]) -> set[str]:
    """List the addresses of sections that an answer only names; `leads` are the first addresses of its results."""
    results = re.split(r"^(?=\d+\. )", answer, flags=re.MULTILINE)[1:]
    return {
        f"{lead.partition('#')[0]}#{anchor}"
        for lead, result in zip(leads, results, strict=False)
        for line in re.findall(r"^More on this page: (.*)$", result, re.MULTILINE)
        for anchor in _ANCHOR.findall(line)
    }


if __name__ == "__main__":
    anyio.run(measure, Path(sys.argv[1]).resolve(), "_".join(["questions", *sys.argv[2:3]]))
