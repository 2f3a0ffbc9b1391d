"""`components`: 1,000 pages with three components of authors each, beside the same texts without, built cold in turn."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec

from bench.builders import Builder, make_octavo
from bench.corpus import load_corpus, page_paths
from bench.errors import BenchError
from bench.figures import Bound, compare_pairs, summarise
from bench.processes import Run
from bench.report import Report

PAIRS = 11
UNUSED_PAIRS = 21
UNUSED_LIMIT = 1.01
"""Processor time of a site without components, as a multiple of that of an engine that does not look for any."""
_LOOKING = "import octavo.pipeline.inputs; from octavo.cli.main import main; main()"
_BLIND = "import octavo.pipeline.inputs as inputs; inputs._load_components = lambda *_: None; "
LIMIT = 1.1
"""Processor time of the pages with components, as a multiple of that of the pages without."""
_TEXT = "Fire the kiln slowly, and open it when number {number} has cooled down to the temperature of the room."
_PLAIN = f"\n\nShare of {{number}}: 12, 7, 30.\n\n{_TEXT}\n\n{_TEXT}\n\nState of this page: number {{number}}.\n"
_USES = f"""

<Chart title="Share of {{number}}" values={{{{[12, 7, 30]}}}}>

{_TEXT}

</Chart>

<Callout tone="calm">

{_TEXT}

</Callout>

State of this page: <Badge tone="new">number {{number}}</Badge>.
"""
_COMPONENTS = {
    "Chart.tsx": """import { useState } from "react";

interface Props {
  title: string;
  values: number[];
  children?: React.ReactNode;
}

export const client = "visible";

export default function Chart({ title, values, children }: Props) {
  const [chosen, choose] = useState(0);
  const most = Math.max(...values);
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      {values.map((value, index) => (
        <button key={index} aria-pressed={index === chosen} onClick={() => choose(index)}>
          <span style={{ width: `${(100 * value) / most}%` }}>{value}</span>
        </button>
      ))}
      {children}
    </figure>
  );
}
""",
    "Callout.tsx": """interface Props {
  tone: string;
  children?: React.ReactNode;
}

export default function Callout({ tone, children }: Props) {
  return <aside className={`callout callout-${tone}`}>{children}</aside>;
}
""",
    "Badge.tsx": """interface Props {
  tone: string;
  children?: React.ReactNode;
}

export default function Badge({ tone, children }: Props) {
  return <strong className={`badge badge-${tone}`}>{children}</strong>;
}
""",
}
_DRAWN = ('class="chart"', 'class="callout callout-calm"', 'class="badge badge-new"')
"""What a page shows of each component."""


def run(report: Report, *, pairs: int = PAIRS) -> None:
    """Build both sites cold in turn, and the one without components once more beside them, as the noise of the measurement."""
    corpus = load_corpus()
    report.head(f"{corpus.pages:,} pages with three components each, {pairs} × in turn with the same texts without")
    sources = page_paths(corpus.folder)
    plain, drawn = make_octavo(corpus, 1, "-plain"), make_octavo(corpus, 1, "-components")
    _append(plain, sources, _PLAIN)
    _append(drawn, sources, _USES)
    _write_components(drawn.folder / "components", _COMPONENTS)
    taken: dict[str, list[Run]] = {"without": [], "with": [], "without again": []}
    for _ in range(pairs):
        for name, builder in (("without", plain), ("with", drawn), ("without again", plain)):
            builder.clear(is_timed=True)
            taken[name].append(builder.build())
    _check(drawn, sources)
    report.table(
        ["components", "CPU, s", "wall, s", "RSS, MiB"],
        [
            [
                name,
                summarise([run.cpu_s for run in runs]).format(),
                summarise([run.wall_s for run in runs]).format(),
                summarise([run.peak_mib for run in runs]).format(0),
            ]
            for name, runs in taken.items()
        ],
    )
    before = [run.cpu_s for run in taken["without"]]
    noise = compare_pairs(before, [run.cpu_s for run in taken["without again"]])
    ratio = compare_pairs(before, [run.cpu_s for run in taken["with"]])
    report.say(f"with : without, CPU: {ratio.format()}; without again : without: {noise.format()}")
    report.bound(
        Bound("three components a page, CPU", ratio.mean, LIMIT, "×", basis=f"95 % in {ratio.low:.3f}–{ratio.high:.3f}")
    )


def run_unused(report: Report, *, pairs: int = UNUSED_PAIRS) -> None:
    """Build a site without components in turn with an engine that does not look for any, and once more beside them."""
    corpus = load_corpus()
    report.head(
        f"{corpus.pages:,} pages without components, {pairs} × in turn with an engine that does not look for any"
    )
    looking = make_octavo(corpus, 1, "-plain")
    options = looking.command[1:]
    looking = msgspec.structs.replace(looking, command=[sys.executable, "-c", _LOOKING, *options])
    blind = msgspec.structs.replace(looking, command=[sys.executable, "-c", _BLIND + _LOOKING, *options])
    taken: dict[str, list[float]] = {"does not look": [], "looks": [], "does not look, again": []}
    for _ in range(pairs):
        for name, builder in zip(taken, (blind, looking, blind), strict=True):
            builder.clear(is_timed=True)
            taken[name].append(builder.build().cpu_s)
    report.table(["engine", "CPU, s"], [[name, summarise(values).format()] for name, values in taken.items()])
    before, after, again = taken.values()
    ratio, noise = compare_pairs(before, after), compare_pairs(before, again)
    report.say(f"looks : does not look, CPU: {ratio.format()}; the same twice: {noise.format()}")
    report.bound(Bound("a site without components, upper end of 95 %", ratio.high, UNUSED_LIMIT, "×"))


def _append(builder: Builder, sources: list[str], text: str) -> None:
    for number, source in enumerate(sources):
        page = builder.pages / source
        page.write_text(page.read_text(encoding="utf-8") + text.format(number=number), encoding="utf-8")


def _write_components(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def _check(builder: Builder, sources: list[str]) -> None:
    """See that every page shows its three components.

    Raises:
        BenchError: one does not.
    """
    builder.check_output(sources)
    outputs = builder.output_files()
    for source in sources[:: max(1, len(sources) // 50)]:
        page = (builder.out / builder.page_of(source)).read_text(encoding="utf-8")
        if missing := [mark for mark in _DRAWN if mark not in page]:
            raise BenchError(f"The page of {source}, one of {len(outputs)}, does not show {missing[0]}.")
