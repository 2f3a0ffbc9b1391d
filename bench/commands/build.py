"""`build`: Octavo and its peers on the same 1,000 pages, cold and warm, in turn."""

from __future__ import annotations

from collections import defaultdict

import msgspec

from bench.builders import MAKERS, Builder, empty_trash
from bench.corpus import Corpus, change_a_word, load_corpus, page_paths
from bench.errors import BenchError, Unavailable
from bench.figures import Bound, Summary, summarise
from bench.processes import Run
from bench.report import Report

Kind = str
"""`cold`: output and caches deleted. `warm`: again, nothing changed. `touched`: again, one word changed."""

MEMORY_LIMIT_MIB = 400
ZENSICAL_FACTOR = 15
HUGO_SHARE, HUGO_SHARE_WITH_SEARCH = 0.5, 0.8
"""Of Hugo's wall time, cold."""
WARM_S, TOUCHED_S = 0.15, 0.25


class Series(msgspec.Struct):
    """Everything measured of one builder."""

    builder: Builder
    runs: dict[Kind, list[Run]]
    pages: int = 0
    shared_memory: Run | None = None
    """A further cold run, not timed, whose memory is summed as PSS."""

    def wall(self, kind: Kind) -> Summary:
        return summarise([run.wall_s for run in self.runs[kind]])

    def cpu(self, kind: Kind) -> Summary:
        return summarise([run.cpu_s for run in self.runs[kind]])

    def rss(self, kind: Kind) -> Summary:
        return summarise([run.peak_mib for run in self.runs[kind]])

    def largest(self, kind: Kind) -> Summary:
        return summarise([run.largest_mib for run in self.runs[kind]])

    @property
    def peak_mib(self) -> float:
        """Peak of a cold build: PSS where processes share pages, else RSS, which is the same then."""
        return self.shared_memory.peak_mib if self.shared_memory else self.rss("cold").median


def run(report: Report, *, runs: int, names: list[str]) -> None:
    """Measure the named builders `runs` times each, in turn."""
    corpus = load_corpus()
    report.head(f"Build of {corpus.pages:,} pages, {runs} × in turn")
    report.say(f"corpus: {corpus.origin}")
    series = _prepare(report, corpus, names)
    sources = page_paths(corpus.folder)
    for number in range(runs):
        for entry in list(series):
            try:
                _take_turn(entry, sources, number)
            except BenchError as error:
                report.fail(entry.builder.name, error)
                series.remove(entry)
    empty_trash()
    for entry in series:
        _measure_shared_memory(entry)
    if series:
        _print(report, series)
        _judge(report, series)


def _prepare(report: Report, corpus: Corpus, names: list[str]) -> list[Series]:
    series = []
    for name in names:
        try:
            builder = MAKERS[name](corpus, 1, "")
        except Unavailable as error:
            report.skip(name, error)
            continue
        report.say(f"{builder.name} {builder.version}: {' '.join(builder.command)}")
        series.append(Series(builder, defaultdict(list)))
    return series


def _take_turn(series: Series, sources: list[str], number: int) -> None:
    """Build cold, warm and, where rebuilding is a claim, with one page touched."""
    builder = series.builder
    builder.clear(is_timed=True)
    series.runs["cold"].append(builder.build())
    series.pages = builder.check_output(sources)
    series.runs["warm"].append(builder.build())
    builder.check_output(sources)
    if builder.name.startswith("Octavo"):
        change_a_word(builder.pages / sources[number], f"Touched{number}")
        series.runs["touched"].append(builder.build())
        builder.check_output(sources)


def _measure_shared_memory(series: Series) -> None:
    """Sum PSS in a run of its own where RSS would count shared pages several times; it is too slow for a timed run."""
    if max(run.processes for run in series.runs["cold"]) > 1:
        series.builder.clear()
        series.shared_memory = series.builder.build(memory="pss")


def _print(report: Report, series: list[Series]) -> None:
    report.say(
        "\nmedian (min-max); s; MiB. RSS: peak of the sum over the process tree, every 20 ms, shared pages counted"
    )
    report.say(
        "in each process. PSS: in one further cold run, every 0.1 s or so, shared pages shared out; - where there is but one"
    )
    report.say("process. Largest: ru_maxrss of the largest process.\n")
    rows = [
        [
            entry.builder.name,
            kind,
            entry.wall(kind).format(),
            entry.cpu(kind).format(),
            entry.rss(kind).format(0),
            f"{entry.shared_memory.peak_mib:.0f}" if entry.shared_memory and kind == "cold" else "-",
            entry.largest(kind).format(0),
            str(entry.pages),
            *(_ratio(entry, series, other, kind) for other in ("Hugo", "Zensical")),
        ]
        for entry in series
        for kind in entry.runs
    ]
    header = ["builder", "build", "wall", "CPU", "RSS", "PSS", "largest", "pages", "wall / Hugo", "wall / Zensical"]
    report.table(header, rows)
    report.say()


def _ratio(entry: Series, series: list[Series], other: str, kind: Kind) -> str:
    """Divide wall time by another builder's of the same kind; a touched page is compared with the other's warm build."""
    for peer in series:
        if peer.builder.name == other:
            same_kind = kind if kind in peer.runs else "warm"
            return f"{entry.wall(kind).median / peer.wall(same_kind).median:.3f}"
    return "-"


def _judge(report: Report, series: list[Series]) -> None:
    """Hold Octavo to the bounds; those that need an absent peer are reported as skipped."""
    by_name = {entry.builder.name: entry for entry in series}
    octavo = by_name.get("Octavo")
    if octavo is None:
        report.skip("bounds of the build", "Octavo itself was not measured")
        return
    wall = octavo.wall("cold").median
    searching = by_name.get("Octavo+search")
    if hugo := by_name.get("Hugo"):
        peer = hugo.wall("cold").median
        report.bound(Bound("cold build, wall", wall / peer, HUGO_SHARE, "×", basis="of Hugo's median"))
        if searching is not None:
            share = searching.wall("cold").median / peer
            report.bound(Bound("… with search", share, HUGO_SHARE_WITH_SEARCH, "×", basis="of Hugo's median"))
    else:
        report.skip("cold build against Hugo", "Hugo was not measured")
    if zensical := by_name.get("Zensical"):
        factor = zensical.wall("cold").median / wall
        report.bound(Bound("cold build, times faster than Zensical", factor, ZENSICAL_FACTOR, "×", is_floor=True))
    else:
        report.skip("cold build against Zensical", "Zensical was not measured")
    for entry in (octavo, *([searching] if searching is not None else [])):
        name = entry.builder.name
        report.bound(Bound(f"{name}, nothing changed, wall", entry.wall("warm").median, WARM_S, "s"))
        report.bound(Bound(f"{name}, one page changed, wall", entry.wall("touched").median, TOUCHED_S, "s"))
    basis = "PSS of the tree" if octavo.shared_memory else "RSS"
    report.bound(Bound("cold build, peak memory", octavo.peak_mib, MEMORY_LIMIT_MIB, "MiB", basis=basis))
