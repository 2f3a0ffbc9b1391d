"""`versions`: one, three and ten versions of a site from tags, in each of which 5 % of the pages have changed, built cold."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bench import paths
from bench.builders import Builder, make_octavo_with_search
from bench.corpus import Corpus, change_a_word, has_word, load_corpus, page_paths
from bench.figures import Bound, summarise
from bench.processes import MIB, Run
from bench.report import Report

NUMBERS = (1, 3, 10)
RUNS = 1
LIMIT = 2.0
"""Of the cost of one version, for ten."""
_CHANGED = 20
"""One page in so many changes in a version."""
_SEED = 7
_VERSIONS = """
[versions]
from = "tags"
pattern = "v*"
next = ""
"""


class Cost(msgspec.Struct, frozen=True):
    """What a number of versions costs."""

    runs: list[Run]
    published_mib: float
    """What the files of the published folder take up on disk, those with several names once."""
    cache_mib: float
    html: int
    """Published pages."""


def run(report: Report, *, runs: int = RUNS, numbers: Sequence[int] = NUMBERS, has_corpus: bool = True) -> None:
    """Build each number of versions of our site and of the corpus `runs` times in turn."""
    ours = Corpus(paths.SITE / "docs", len(page_paths(paths.SITE / "docs")), "the site of the two products")
    sites = {"our site": ours, **({"the corpus": load_corpus()} if has_corpus else {})}
    for name, pages in sites.items():
        report.head(f"Versions of {name}: {pages.pages:,} pages, {_list(numbers)} from tags, 5 % changed in each")
        builders = {number: _make(pages, number, settings=pages is ours) for number in numbers}
        costs = _measure(builders, runs)
        first = costs[min(numbers)]
        report.table(
            ["versions", "pages", "CPU, s", "wall, s", "RSS, MiB", "published, MiB", "cache, MiB", "CPU ×", "disk ×"],
            [_row(number, cost, first) for number, cost in costs.items()],
        )
        most = max(numbers)
        for what, ratio in _ratios(costs[most], first).items():
            report.bound(Bound(f"{most} versions of {name}, {what}", ratio, LIMIT, "× that of one"))


def _list(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _make(corpus: Corpus, number: int, *, settings: bool) -> Builder:
    """Lay a site out in a repository with a tag for each version."""
    suffix = f"-versions-{'ours' if settings else 'corpus'}-{number}"
    builder = make_octavo_with_search(corpus, 1, suffix)
    if settings:
        _take_what_pages_use(builder)
    toml = builder.folder / "octavo.toml"
    toml.write_text(toml.read_text(encoding="utf-8") + _VERSIONS, encoding="utf-8")
    (builder.folder / ".gitignore").write_text("/.octavo\n/out\n", encoding="utf-8")
    _git(builder.folder, "init", "--quiet")
    chosen = random.Random(_SEED)
    pages = [page for page in page_paths(builder.pages) if _can_change(builder.pages / page)]
    for version in range(1, number + 1):
        if version > 1:
            for page in chosen.sample(pages, max(1, len(pages) // _CHANGED)):
                change_a_word(
                    builder.pages / page, f"Changed{chr(64 + version)}"
                )  # of letters: it may be changed again
        _git(builder.folder, "add", "--all")
        _git(builder.folder, "commit", "--quiet", "--message", f"Version {version}")
        _git(builder.folder, "tag", f"v{version}.0")
    return builder


def _can_change(page: Path) -> bool:
    """Return whether the first paragraph of a page is text; an import would be changed like one."""
    return has_word(page) and "\nimport " not in page.read_text(encoding="utf-8")


def _take_what_pages_use(builder: Builder) -> None:
    """Take over what the pages of our site show. Its references are left out: they exist once for all versions."""
    for name in ("static", "components"):
        shutil.copytree(paths.SITE / name, builder.folder / name)
    for category in builder.pages.rglob("_category_.yaml"):
        category.unlink()  # some name the page of a command
    (builder.pages / "theme-preview.mdx").unlink()  # names a sidebar of our settings


def _git(folder: Path, *words: str) -> None:
    author = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *author, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def _measure(builders: dict[int, Builder], runs: int) -> dict[int, Cost]:
    taken: dict[int, list[Run]] = {number: [] for number in builders}
    for _ in range(runs):
        for number, builder in builders.items():
            builder.clear(is_timed=True)
            taken[number].append(builder.build())
    return {
        number: Cost(
            taken[number],
            _size_mib(builder.out),
            sum(map(_size_mib, builder.caches)),
            len(builder.output_files()),
        )
        for number, builder in builders.items()
    }


def _size_mib(folder: Path) -> float:
    """Sum what the files below a folder take up; hard links count once."""
    seen: dict[tuple[int, int], int] = {}
    for root, _, names in os.walk(folder):
        for name in names:
            state = (Path(root) / name).lstat()
            seen[state.st_dev, state.st_ino] = state.st_blocks * 512
    return sum(seen.values()) / MIB


def _ratios(cost: Cost, first: Cost) -> dict[str, float]:
    def ratio(read: str) -> float:
        return float(_median(cost.runs, read) / _median(first.runs, read))

    disk = (cost.published_mib + cost.cache_mib) / (first.published_mib + first.cache_mib)
    return {"CPU": ratio("cpu_s"), "memory": ratio("peak_mib"), "disk": disk}


def _median(runs: list[Run], name: str) -> float:
    return summarise([getattr(run, name) for run in runs]).median


def _row(number: int, cost: Cost, first: Cost) -> list[str]:
    ratios = _ratios(cost, first)
    return [
        str(number),
        f"{cost.html:,}",
        *(summarise([getattr(run, name) for run in cost.runs]).format() for name in ("cpu_s", "wall_s")),
        f"{_median(cost.runs, 'peak_mib'):.0f}",
        f"{cost.published_mib:.0f}",
        f"{cost.cache_mib:.0f}",
        f"{ratios['CPU']:.2f}",
        f"{ratios['disk']:.2f}",
    ]
