"""`rebuild`: one word changed in one page, then a build in a new process; twenty different pages."""

from __future__ import annotations

from bench.builders import Builder, make_octavo
from bench.corpus import change_a_word, load_corpus, page_paths
from bench.errors import BenchError
from bench.figures import Bound, summarise
from bench.processes import Run
from bench.report import Report

LIMIT_S = 0.5
PAGES = 20


def run(report: Report, *, pages: int = PAGES) -> None:
    """Touch pages spread evenly over the corpus, one after another.

    The word is in the first paragraph, which is mostly the page's description as well: the harder case, since
    other pages may quote a description.
    """
    corpus = load_corpus()
    sources = page_paths(corpus.folder)
    report.head(f"Rebuild of {corpus.pages:,} pages after one changed word, new process, {pages} pages in turn")
    builder = make_octavo(corpus)
    builder.clear()
    builder.build()
    touched = [sources[number * len(sources) // pages] for number in range(pages)]
    runs = [_rebuild(builder, source, f"Touched{number}") for number, source in enumerate(touched)]
    wall = summarise([run.wall_s for run in runs])
    worst = touched[max(range(pages), key=lambda number: runs[number].wall_s)]
    report.table(
        ["", "median", "best", "worst"],
        [
            ["wall, s", f"{wall.median:.3f}", f"{wall.low:.3f}", f"{wall.high:.3f}"],
            _row("CPU, s", [run.cpu_s for run in runs], 3),
            _row("RSS of the tree, MiB", [run.peak_mib for run in runs], 0),
        ],
    )
    report.say(f"worst: {worst}")
    report.bound(Bound("rebuild after one touched page, median", wall.median, LIMIT_S, "s"))
    report.bound(Bound("rebuild after one touched page, worst", wall.high, LIMIT_S, "s"))


def _rebuild(builder: Builder, source: str, word: str) -> Run:
    """Change, build, and see the change in the published page.

    Raises:
        BenchError: the page does not have the new word.
    """
    change_a_word(builder.pages / source, word)
    run = builder.build()
    page = builder.out / builder.page_of(source)
    if word not in page.read_text(encoding="utf-8"):
        raise BenchError(f"{source} was changed, but its page still says what it said before.")
    return run


def _row(label: str, values: list[float], digits: int) -> list[str]:
    summary = summarise(values)
    return [label, *(f"{value:.{digits}f}" for value in (summary.median, summary.low, summary.high))]
