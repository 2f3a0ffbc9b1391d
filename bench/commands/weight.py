"""`weight`: what a typical page costs a reader, as a browser receives it."""

from __future__ import annotations

import contextlib

import brotli
from playwright.sync_api import Browser

from bench import paths
from bench.builders import MAKERS, Builder
from bench.corpus import load_corpus, typical_page
from bench.errors import BenchError, Unavailable
from bench.figures import Bound
from bench.pages import route_of
from bench.report import Report
from bench.serving import serve_folder, serve_octavo, serve_site
from bench.visit import Request, Visit, inline_scripts, observe_visit, open_browser

TEXT_LIMIT_KB = 25
"""HTML and style sheets."""
FONTS_LIMIT_KB = 60
SCRIPTS_LIMIT_KB = 70
INLINE_LIMIT_KB = 1.5
CLS_LIMIT = 0.0
"""Nothing may move; a shift of a hundredth is one that a reader sees."""

_TEXT = ("Document", "Stylesheet")

SCREENS = [(1440, 900), (390, 844)]
"""Width and height in CSS pixels: a desk and a telephone."""

MUXING = "/codegate/features/muxing"

SHIPPED = "Octavo+search"
HEADER = ["page", "screen", "HTML", "CSS", "fonts", "other", "before load", "scripts", "inline", "early", "CLS"]


def run(report: Report, *, with_peers: bool) -> None:
    """Visit one page of the site and one of the corpus, and the latter at the peers'."""
    report.head("Page weight: first visit, empty cache, brotli")
    rows: list[list[str]] = []
    with open_browser() as browser:
        with serve_site() as address:
            rows += _measure(report, browser, "site: muxing", address + MUXING, is_judged=True)
        corpus = load_corpus()
        source = typical_page(corpus)
        report.say(f"page of the corpus: {source}")
        for name in [SHIPPED, *(("Hugo", "Zensical", "Material") if with_peers else ())]:
            try:
                builder = MAKERS[name](corpus, 1, "-weight")
                builder.build(*(["--precompress"] if name == SHIPPED else []))
                with _served(builder) as address:
                    url = address + route_of(builder.page_of(source))
                    rows += _measure(report, browser, f"corpus: {name}", url, is_judged=name == SHIPPED)
            except Unavailable as error:
                report.skip(f"page weight of {name}", error)
            except BenchError as error:
                report.fail(f"page weight of {name}", error)
    report.say(
        "\nkB (1,000 bytes) on the wire, answers' headers included. Before load: all that was asked for until the load"
    )
    report.say(
        "event. Scripts: all files of the visit. Inline: script in the page, not compressed. Early: script files asked"
    )
    report.say("for before the first contentful paint.\n")
    report.table(HEADER, rows)


def _served(builder: Builder) -> contextlib.AbstractContextManager[str]:
    if builder.command[0] == str(paths.VENV_BIN / "octavo"):
        return serve_octavo(builder.folder, builder.out)
    return serve_folder(builder.out)


def _measure(report: Report, browser: Browser, label: str, url: str, *, is_judged: bool) -> list[list[str]]:
    """Visit on both screens; the worse of the two is held to the bounds."""
    visits = [observe_visit(browser, url, width_px=width, height_px=height) for width, height in SCREENS]
    if is_judged:
        _judge(report, label, visits)
    for visit in visits[:1]:
        if visit.foreign:
            report.say(f"{label}: {visit.foreign} requests to other hosts are not counted")
        if unfinished := [_describe(request) for request in visit.requests if not request.is_finished]:
            report.say(f"{label}: not counted whole, a worker's for instance: {'; '.join(unfinished)}")
        _list_requests(report, label, visit)
    return [_row(label, screen, visit) for screen, visit in zip(SCREENS, visits, strict=True)]


def _judge(report: Report, label: str, visits: list[Visit]) -> None:
    limits = [
        ("HTML and style sheets", max(_kb(_kinds(visit, *_TEXT)) for visit in visits), TEXT_LIMIT_KB, "kB"),
        ("fonts", max(_kb(_kinds(visit, "Font")) for visit in visits), FONTS_LIMIT_KB, "kB"),
        ("all scripts of a first visit", max(_kb(visit.scripts()) for visit in visits), SCRIPTS_LIMIT_KB, "kB"),
        ("inline script", max(_inline_kb(visit) for visit in visits), INLINE_LIMIT_KB, "kB"),
        ("scripts asked for before the first paint", max(len(_early(visit)) for visit in visits), 0, "files"),
        ("requests to other hosts", max(visit.foreign for visit in visits), 0, "files"),
        ("layout shift", max(visit.cls for visit in visits), CLS_LIMIT, "CLS"),
    ]
    for claim, figure, limit, unit in limits:
        report.bound(Bound(f"{label}, {claim}", figure, limit, unit))


def _list_requests(report: Report, label: str, visit: Visit) -> None:
    """Print every request in the order of its start, in ms from the first."""
    report.say(f"\n{label}: {visit.url.partition('//')[2].partition('/')[2]}")
    start_s = visit.requests[0].started_s
    marks = [(visit.painted_s, "— first contentful paint"), (visit.load_s, "— load event")]
    lines = [(request.started_s, _describe(request)) for request in visit.requests]
    for moment_s, line in sorted(lines + marks):
        report.say(f"  {(moment_s - start_s) * 1000:6.0f} ms  {line}")


def _describe(request: Request) -> str:
    name = request.url.partition("//")[2].partition("/")[2] or "/"
    return f"{request.wire_bytes:7,} B  {request.encoding or '-':>4}  {request.type:<10}  {name}"


def _row(label: str, screen: tuple[int, int], visit: Visit) -> list[str]:
    before = visit.before_load()
    known = {"Document": "HTML", "Stylesheet": "CSS", "Font": "fonts"}
    kinds = {name: [request for request in before if request.type == type_] for type_, name in known.items()}
    others = [request for request in before if request.type not in known]
    return [
        label,
        f"{screen[0]}×{screen[1]}",
        *(f"{_kb(kinds[name]):.1f}" for name in ("HTML", "CSS", "fonts")),
        f"{_kb(others):.1f}",
        f"{_kb(before):.1f}",
        f"{_kb(visit.scripts()):.1f}",
        f"{_inline_kb(visit):.2f}",
        str(len(_early(visit))),
        f"{visit.cls:.3f}",
    ]


def _kinds(visit: Visit, *types: str) -> list[Request]:
    """Take what was asked for until the load event, of some types."""
    return [request for request in visit.before_load() if request.type in types]


def _early(visit: Visit) -> list[Request]:
    return [request for request in visit.scripts() if request.started_s < visit.painted_s]


def _kb(requests: list[Request]) -> float:
    return sum(request.wire_bytes for request in requests) / 1000


def _inline_kb(visit: Visit) -> float:
    """Compressed like the page that holds it, as every other figure of the table."""
    return len(brotli.compress(inline_scripts(visit.html).encode())) / 1000
