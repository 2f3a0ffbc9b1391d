"""`scale`: many times the pages, in as many folders, against as many times the time."""

from __future__ import annotations

from bench.builders import MAKERS, Builder, MakeBuilder
from bench.corpus import COPIES, Corpus, load_corpus, page_paths
from bench.errors import BenchError, Unavailable
from bench.figures import Bound, summarise
from bench.processes import Run
from bench.report import Report

MORE_TIME = 1.1
"""The time of a page of many may be this times that of a page of few."""
MEMORY_LIMIT_MIB = {10: 600, 100: 2048}
"""Copies of the corpus → most memory of all processes."""
MOST_MINUTES = {100: 5.0}


def run(report: Report, *, runs: int, with_peers: bool, copies: int = COPIES) -> None:
    """Build both sizes cold, in turn, `runs` times."""
    corpus = load_corpus()
    report.head(f"Scale: {corpus.pages:,} and {corpus.pages * copies:,} pages, cold, {runs} × in turn")
    rows = []
    for name in ["Octavo", *(["Hugo"] if with_peers else [])]:
        try:
            rows += _measure(report, corpus, MAKERS[name], runs, copies)
        except Unavailable as error:
            report.skip(name, error)
        except BenchError as error:
            report.fail(name, error)
    if rows:
        report.say("\nmedian (min-max); s; MiB, RSS and PSS summed over the process tree\n")
        report.table(["builder", "pages", "wall", "CPU", "RSS", "PSS"], rows)


def _measure(report: Report, corpus: Corpus, make: MakeBuilder, runs: int, copies: int) -> list[list[str]]:
    small, large = make(corpus, 1, ""), make(corpus, copies, "-large")
    small_sources = page_paths(corpus.folder)
    large_sources = [f"part-{number}/{page}" for number in range(copies) for page in small_sources]
    small_runs, large_runs = [], []
    for _ in range(runs):
        small_runs.append(_build_cold(small, small_sources))
        large_runs.append(_build_cold(large, large_sources))
    pss_mib = _peak_pss(large) if large_runs[0].processes > 1 else None
    if small.name == "Octavo":
        _judge(report, small_runs, large_runs, pss_mib, copies)
    return [
        _row(small, len(small_sources), small_runs, None),
        _row(large, len(large_sources), large_runs, pss_mib),
    ]


def _build_cold(builder: Builder, sources: list[str]) -> Run:
    builder.clear()
    run = builder.build()
    builder.check_output(sources)
    return run


def _peak_pss(builder: Builder) -> float:
    """Sum PSS in a run of its own: it is too slow for a timed one."""
    builder.clear()
    return builder.build(memory="pss").peak_mib


def _judge(report: Report, small: list[Run], large: list[Run], pss_mib: float | None, copies: int) -> None:
    minutes = summarise([run.wall_s for run in large]).median / 60
    factor = minutes * 60 / summarise([run.wall_s for run in small]).median
    report.bound(Bound(f"{copies} times the pages, wall", factor, copies * MORE_TIME, "× the time"))
    if copies in MOST_MINUTES:
        report.bound(Bound(f"{copies} times the pages, wall", minutes, MOST_MINUTES[copies], "min"))
    if copies in MEMORY_LIMIT_MIB:
        memory_mib = summarise([run.peak_mib for run in large]).median if pss_mib is None else pss_mib
        basis = "RSS" if pss_mib is None else "PSS of the tree"
        limit = MEMORY_LIMIT_MIB[copies]
        report.bound(Bound(f"{copies} times the pages, peak memory", memory_mib, limit, "MiB", basis=basis))


def _row(builder: Builder, pages: int, runs: list[Run], pss_mib: float | None) -> list[str]:
    return [
        builder.name,
        f"{pages:,}",
        summarise([run.wall_s for run in runs]).format(),
        summarise([run.cpu_s for run in runs]).format(),
        summarise([run.peak_mib for run in runs]).format(0),
        "-" if pss_mib is None else f"{pss_mib:.0f}",
    ]
