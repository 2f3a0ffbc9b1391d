"""The engines that are compared, each over the same pages: ours, MiniSearch, Pagefind."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from bench import install, paths
from bench.errors import Unavailable
from bench.relevance.measure import DEPTH, Search, unique
from bench.search.records import PageSource
from bench.search.speed import SETTINGS
from octavo.search.index.record import make_records
from octavo.search.index.settings import IndexSettings
from octavo.search.index.tantivy_index import IndexReader, IndexWriter, make_entries
from octavo.search.query.parameters import parse_parameters
from octavo.search.ranking.engine import Engine
from octavo.search.text.tokens import make_stream

FOLDER = paths.WORK / "relevance"
MINISEARCH = "7.2.0"
PAGEFIND = "1.5.2"
Answers = Mapping[str, Sequence[str]]
"""Query → pages, best first."""


def route_of(page: PageSource) -> str:
    """Address of a page, without its host."""
    return "/" + page.facts.url.split("/", 3)[3]


def our_engine(pages: Sequence[PageSource], folder: Path | None = None, settings: IndexSettings = SETTINGS) -> Engine:
    """Index pages."""
    folder = folder or FOLDER / "octavo"
    shutil.rmtree(folder, ignore_errors=True)
    writer = IndexWriter(folder)
    for page in pages:
        records = make_records(page.facts, page.document.headings, page.document.text)
        writer.add(make_entries(records, route_of(page)))
    writer.commit(settings)
    return Engine(IndexReader(folder))


def our_search(engine: Engine) -> Search:
    """Search pages by our engine."""

    def search(query: str) -> Sequence[str]:
        found = engine.search(parse_parameters({"query": query, "hitsPerPage": 60}))
        return unique(["/" + hit.candidate.url.split("/", 3)[3].partition("#")[0] for hit in found.ranked])[:DEPTH]

    return search


def holds_first(engine: Engine, query: str, form: str) -> bool:
    """Tell whether the first hit holds an identifier, as a token."""
    found = engine.search(parse_parameters({"query": query, "hitsPerPage": 1})).ranked
    if not found:
        return False
    record = found[0].record
    texts = [text for text in (*record.hierarchy, record.content) if text]
    return any(form == name or form in stream.parts for stream in map(make_stream, texts) for _, name in stream.names)


def minisearch(pages: Sequence[PageSource], queries: Sequence[str]) -> Answers:
    """Ask MiniSearch, set up as the local search of VitePress is: sections, `prefix`, `fuzzy: 0.2`, titles boosted.

    Raises:
        Unavailable: npm cannot install it.
    """
    package = {"private": True, "dependencies": {"minisearch": MINISEARCH}}
    return _node("minisearch", package, {"sections": _sections(pages), "queries": queries, "depth": DEPTH})


def pagefind(pages: Sequence[PageSource], queries: Sequence[str]) -> Answers:
    """Ask Pagefind with its defaults.

    Raises:
        Unavailable: it cannot be installed.
    """
    site = FOLDER / "pagefind-site"
    shutil.rmtree(site, ignore_errors=True)
    for page in pages:
        file = site / route_of(page).strip("/") / "index.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_html(page), encoding="utf-8")
    package = {"private": True, "type": "module", "dependencies": {"pagefind": PAGEFIND}}
    return _node("pagefind", package, {"site": str(site), "queries": queries, "depth": DEPTH})


def _node(name: str, package: Mapping[str, Any], given: Mapping[str, Any]) -> Answers:
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(json.dumps(package))
    command = [shutil.which("npm") or "npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"]
    try:
        subprocess.run(command, cwd=folder, check=True, timeout=install.INSTALL_TIMEOUT_S)
        shutil.copyfile(paths.BENCH / "relevance" / f"{name}.mjs", folder / "run.mjs")
        (folder / "input.json").write_text(json.dumps(given))
        done = subprocess.run(
            [install.node(), "run.mjs"], cwd=folder, capture_output=True, text=True, check=True, timeout=900
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"{name} cannot be run: {error}") from error
    return {query: unique(found)[:DEPTH] for query, found in json.loads(done.stdout).items()}


def _sections(pages: Sequence[PageSource]) -> list[dict[str, Any]]:
    """Cut pages at their headings, as VitePress does."""
    sections = []
    for page in pages:
        texts: dict[int, list[str]] = {-1: []}
        for chunk in page.document.text:
            texts.setdefault(chunk.heading, []).append("" if chunk.kind == "heading" else chunk.text)
        for index, parts in texts.items():
            heading = page.document.headings[index] if index >= 0 else None
            sections.append(
                {
                    "id": f"{route_of(page)}#{heading.anchor if heading else ''}",
                    "title": heading.text if heading else page.facts.title,
                    "titles": [page.facts.title] if heading else [],
                    "text": "\n".join(parts),
                }
            )
    return sections


def _html(page: PageSource) -> str:
    body = [f"<h1>{escape(page.facts.title)}</h1>"]
    for chunk in page.document.text:
        if chunk.kind == "heading":
            heading = page.document.headings[chunk.heading]
            level = max(2, heading.level)
            body.append(f'<h{level} id="{escape(heading.anchor)}">{escape(heading.text)}</h{level}>')
        elif chunk.kind == "code":
            body.append(f"<pre><code>{escape(chunk.text)}</code></pre>")
        else:
            body.append(f"<p>{escape(chunk.text)}</p>")
    title = escape(page.facts.title)
    return f'<!doctype html><html lang="en"><title>{title}</title><body><main data-pagefind-body>{"".join(body)}</main></body></html>'
