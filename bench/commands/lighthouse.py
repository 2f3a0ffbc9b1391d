"""`lighthouse`: Google's audit of two pages, or of a page of each kind, mobile preset, with the machine's own browser."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from bench import install, paths
from bench.errors import BenchError
from bench.figures import Bound, summarise
from bench.processes import run_measured
from bench.report import Report
from bench.serving import serve_site

PAGES = {"landing page": "/", "muxing": "/codegate/features/muxing"}
KINDS = PAGES | {
    "quickstart": "/codegate/quickstart",
    "theme preview": "/theme-preview",
    "API overview": "/codegate/reference/api",
    "API operation": "/codegate/reference/api/workspaces/v1-create-workspace",
    "API schemas": "/codegate/reference/api/schemas",
    "command": "/toolhive/reference/cli/thv_run",
    "category": "/category/using-the-toolhive-cli",
    "questions": "/toolhive/faq",
    "search": "/search",
}
DOCUMENTATION = {
    "docs: overview": "/",
    "docs: guide": "/write/blocks",
    "docs: settings": "/reference/settings",
    "docs: findings": "/reference/findings/",
    "docs: command": "/reference/cli/octavo_build",
    "docs: Python": "/reference/python/extensions",
    "docs: playground": "/playground",
    "docs: comparison": "/explain/comparison",
}
BLOG = {
    "blog: list": "/blog/",
    "blog: post": "/blog/2026-05-12-curves",
    "blog: tag": "/blog/tags/release",
    "changes": "/releases/",
}
CATEGORIES = ["performance", "accessibility", "best-practices", "seo"]
GOAL = 100
RUN_TIMEOUT_S = 180


class Audit(msgspec.Struct, frozen=True):
    """One run over one page."""

    scores: dict[str, float]
    """Category → 0 to 100."""
    failing: dict[str, str]
    """Id of each audit that took points away → what it found first, or nothing."""


def run(report: Report, *, runs: int, has_all_kinds: bool = False) -> None:
    """Audit the pages `runs` times in turn: two, or with `has_all_kinds` those of each kind, of the documentation and a blog too."""
    report.head(f"Lighthouse, mobile preset, median of {runs}")
    script = install.lighthouse()
    audits: dict[str, list[Audit]] = {}
    kinds = ((paths.SITE, KINDS), (paths.DOCS, DOCUMENTATION), (paths.LIBRARY, BLOG))
    for folder, pages in kinds if has_all_kinds else ((paths.SITE, PAGES),):
        with serve_site(folder) as address:
            for _ in range(runs):
                for label, route in pages.items():
                    audits.setdefault(label, []).append(_audit(script, address + route))
    report.table(["page", *CATEGORIES], [_row(label, taken) for label, taken in audits.items()])
    for label, taken in audits.items():
        failing = {name: found for audit in taken for name, found in audit.failing.items()}
        report.say(f"{label}, audits below full score: {'' if failing else 'none'}")
        for name, found in sorted(failing.items()):
            report.say(f"  {name}: {found}".rstrip(": "))
    for label, taken in audits.items():
        for category in CATEGORIES:
            median = summarise([audit.scores[category] for audit in taken]).median
            report.bound(Bound(f"{label}, {category}", median, GOAL, "points", is_floor=True))


def _audit(script: Path, url: str) -> Audit:
    """Run Lighthouse in a process of its own.

    Raises:
        BenchError: it failed, or could not load the page.
        Unavailable: there is no Node.
    """
    result = paths.WORK / "lighthouse.json"
    result.unlink(missing_ok=True)
    command: list[str | Path] = [
        *(install.node(), script, url, "--quiet", "--output=json", f"--output-path={result}"),
        *(f"--only-categories={','.join(CATEGORIES)}", "--chrome-flags=--headless=new --no-sandbox"),
    ]
    browser = install.chromium()
    env = {"CHROME_PATH": str(browser)} if browser else {}
    # Profiles and logs of the browser go where everything else of the benchmarks is.
    env |= {"TMPDIR": str(_folder_for_profiles())}
    run_measured(command, cwd=paths.WORK, log=paths.WORK / "logs" / "lighthouse.log", env=env, timeout_s=RUN_TIMEOUT_S)
    return parse_audit(msgspec.json.decode(result.read_bytes()))


def parse_audit(content: dict[str, Any]) -> Audit:
    """Read Lighthouse's own JSON.

    Raises:
        BenchError: it holds an error instead of scores.
    """
    if error := content.get("runtimeError"):
        raise BenchError(f"Lighthouse: {error.get('message', error)}")
    scores = {name: (content["categories"][name]["score"] or 0) * 100 for name in CATEGORIES}
    weighing = [
        reference["id"]
        for name in CATEGORIES
        for reference in content["categories"][name]["auditRefs"]
        if reference["weight"] > 0
    ]
    results = content["audits"]
    # An audit without a score did not apply to the page.
    below = [name for name in weighing if results[name]["score"] is not None and results[name]["score"] < 1]
    return Audit(scores, {name: _first_finding(results[name]) for name in below})


def _first_finding(result: dict[str, Any]) -> str:
    """Say in one line what an audit found: its figure, or the first element or message of its list."""
    if shown := result.get("displayValue"):
        return str(shown)
    items = result.get("details", {}).get("items", [])
    first = items[0] if items else {}
    found = first.get("node", {}).get("selector") or first.get("description") or first.get("url") or ""
    return str(found).partition("\n")[0][:160]


def _row(label: str, audits: list[Audit]) -> list[str]:
    return [label, *(summarise([audit.scores[name] for audit in audits]).format(0) for name in CATEGORIES)]


def _folder_for_profiles() -> str:
    folder = paths.WORK / "tmp"
    folder.mkdir(parents=True, exist_ok=True)
    return os.fspath(folder)
