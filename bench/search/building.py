"""What the index adds to a build: 1,000 pages cold, and one page touched."""

from __future__ import annotations

from bench.builders import make_octavo, make_octavo_with_search
from bench.corpus import change_a_word, load_corpus, page_paths
from bench.figures import Bound, summarise
from bench.report import Report

RUNS = 3
TOUCHED = 10
MOST_TIMES = 1.6
REBUILD_S = 0.8


def run(report: Report, *, runs: int = RUNS) -> None:
    """Measure, with and without the index in turn."""
    report.head("Search: what the index adds to a build of 1,000 pages")
    corpus = load_corpus()
    searching = make_octavo_with_search(corpus, 1, "-bench")
    builders = {"--no-search": make_octavo(corpus, 1, "-bench"), "with the index": searching}
    walls: dict[str, list[float]] = {label: [] for label in builders}
    cpus: dict[str, list[float]] = {label: [] for label in builders}
    for _ in range(runs):
        for label, builder in builders.items():
            builder.clear()
            built = builder.build()
            walls[label].append(built.wall_s)
            cpus[label].append(built.cpu_s)
    wall, cpu = ({label: summarise(values) for label, values in table.items()} for table in (walls, cpus))
    rows = [[label, wall[label].format(), cpu[label].format()] for label in builders]
    report.table(["cold build", "wall, s", "CPU, s"], rows)
    factor = wall["with the index"].median / wall["--no-search"].median
    report.bound(Bound("cold build with the index, times the build without", factor, MOST_TIMES, "times"))
    sources = page_paths(corpus.folder)
    touched = [sources[number * len(sources) // TOUCHED] for number in range(TOUCHED)]
    rebuilds = []
    for number, source in enumerate(touched):
        change_a_word(searching.pages / source, f"Touched{number}")
        rebuilds.append(searching.build().wall_s)
    report.bound(Bound("rebuild after one touched page, index included", summarise(rebuilds).median, REBUILD_S, "s"))
