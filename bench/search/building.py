"""What the index adds to a build: 1,000 pages cold, and one page touched."""

from __future__ import annotations

from bench.builders import make_recto
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
    builder = make_recto(corpus, suffix="-search")
    walls: dict[str, list[float]] = {"--no-search": [], "": []}
    cpus: dict[str, list[float]] = {"--no-search": [], "": []}
    for _ in range(runs):
        for option, times in walls.items():
            builder.clear()
            built = builder.build(*filter(None, [option]))
            times.append(built.wall_s)
            cpus[option].append(built.cpu_s)
    wall, cpu = ({option: summarise(values) for option, values in table.items()} for table in (walls, cpus))
    rows = [[option or "with the index", wall[option].format(), cpu[option].format()] for option in walls]
    report.table(["cold build", "wall, s", "CPU, s"], rows)
    factor = wall[""].median / wall["--no-search"].median
    report.bound(Bound("cold build with the index, times the build without", factor, MOST_TIMES, "times"))
    sources = page_paths(corpus.folder)
    touched = [sources[number * len(sources) // TOUCHED] for number in range(TOUCHED)]
    rebuilds = []
    for number, source in enumerate(touched):
        change_a_word(builder.pages / source, f"Touched{number}")
        rebuilds.append(builder.build().wall_s)
    report.bound(Bound("rebuild after one touched page, index included", summarise(rebuilds).median, REBUILD_S, "s"))
