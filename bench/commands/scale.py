"""`scale`: ten times the pages in ten folders, against ten times the time."""

from __future__ import annotations

from bench.builders import MAKERS, Builder, MakeBuilder
from bench.corpus import COPIES, Corpus, load_corpus, page_paths
from bench.errors import BenchError, Unavailable
from bench.figures import Bound, summarise
from bench.processes import Run
from bench.report import Report

TIME_FACTOR = 11
MEMORY_LIMIT_MIB = 1024


def run(report: Report, *, runs: int, with_peers: bool) -> None:
    """Build both sizes cold, in turn, `runs` times."""
    corpus = load_corpus()
    report.head(f"Scale: {corpus.pages:,} and {corpus.pages * COPIES:,} pages, cold, {runs} × in turn")
    rows = []
    for name in ["Octavo", *(["Hugo"] if with_peers else [])]:
        try:
            rows += _measure(report, corpus, MAKERS[name], runs)
        except Unavailable as error:
            report.skip(name, error)
        except BenchError as error:
            report.fail(name, error)
    if rows:
        report.say("\nmedian (min-max); s; MiB, RSS and PSS summed over the process tree\n")
        report.table(["builder", "pages", "wall", "CPU", "RSS", "PSS"], rows)


def _measure(report: Report, corpus: Corpus, make: MakeBuilder, runs: int) -> list[list[str]]:
    small, large = make(corpus, 1, ""), make(corpus, COPIES, "-large")
    small_sources = page_paths(corpus.folder)
    large_sources = [f"part-{number}/{page}" for number in range(COPIES) for page in small_sources]
    small_runs, large_runs = [], []
    for _ in range(runs):
        small_runs.append(_build_cold(small, small_sources))
        large_runs.append(_build_cold(large, large_sources))
    pss_mib = _peak_pss(large) if large_runs[0].processes > 1 else None
    if small.name == "Octavo":
        _judge(report, small_runs, large_runs, pss_mib)
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


def _judge(report: Report, small: list[Run], large: list[Run], pss_mib: float | None) -> None:
    factor = summarise([run.wall_s for run in large]).median / summarise([run.wall_s for run in small]).median
    report.bound(Bound(f"{COPIES} times the pages, wall", factor, TIME_FACTOR, "× the time"))
    memory_mib = summarise([run.peak_mib for run in large]).median if pss_mib is None else pss_mib
    basis = "RSS" if pss_mib is None else "PSS of the tree"
    report.bound(Bound(f"{COPIES} times the pages, peak memory", memory_mib, MEMORY_LIMIT_MIB, "MiB", basis=basis))


def _row(builder: Builder, pages: int, runs: list[Run], pss_mib: float | None) -> list[str]:
    return [
        builder.name,
        f"{pages:,}",
        summarise([run.wall_s for run in runs]).format(),
        summarise([run.cpu_s for run in runs]).format(),
        summarise([run.peak_mib for run in runs]).format(0),
        "-" if pss_mib is None else f"{pss_mib:.0f}",
    ]
