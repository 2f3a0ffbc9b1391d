"""The engines that are compared, each over the same pages: ours, those that run in a browser, and Meilisearch."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from bench import install, paths
from bench.errors import Unavailable
from bench.relevance.measure import DEPTH, Search, unique
from bench.search.meilisearch import meilisearch
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
LUNR = "2.3.9"
FLEXSEARCH = "0.8.212"
ORAMA = "3.1.18"
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
    """Return whether the first hit holds an identifier, as a token."""
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
    return _of_sections("minisearch", {"minisearch": MINISEARCH}, pages, queries)


def lunr(pages: Sequence[PageSource], queries: Sequence[str]) -> Answers:
    """Ask Lunr, as the local search of Docusaurus does.

    Raises:
        Unavailable: npm cannot install it.
    """
    return _of_sections("lunr", {"lunr": LUNR}, pages, queries)


def flexsearch(pages: Sequence[PageSource], queries: Sequence[str]) -> Answers:
    """Ask FlexSearch with beginnings of words, and with suggestions where no section holds all of them.

    Raises:
        Unavailable: npm cannot install it.
    """
    return _of_sections("flexsearch", {"flexsearch": FLEXSEARCH}, pages, queries)


def orama(pages: Sequence[PageSource], queries: Sequence[str]) -> Answers:
    """Ask Orama with titles boosted as those of MiniSearch are.

    Raises:
        Unavailable: npm cannot install it.
    """
    return _of_sections("orama", {"@orama/orama": ORAMA}, pages, queries)


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


PEERS: Mapping[str, Callable[[Sequence[PageSource], Sequence[str]], Answers]] = {
    "MiniSearch": minisearch, "Pagefind": pagefind, "Lunr": lunr, "FlexSearch": flexsearch, "Orama": orama,
    "Meilisearch": meilisearch,
}  # fmt: skip


def _of_sections(
    name: str, dependencies: Mapping[str, str], pages: Sequence[PageSource], queries: Sequence[str]
) -> Answers:
    unique_sections = list({section["id"]: section for section in reversed(_sections(pages))}.values())[::-1]
    package = {"private": True, "type": "module", "dependencies": dependencies}
    return _node(name, package, {"sections": unique_sections, "queries": queries, "depth": DEPTH})


def _node(name: str, package: Mapping[str, Any], given: Mapping[str, Any]) -> Answers:
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(json.dumps(package))
    command = [shutil.which("npm") or "npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"]
    try:
        subprocess.run(command, cwd=folder, check=True, timeout=install.INSTALL_TIMEOUT_S)
        shutil.copyfile(paths.BENCH / "relevance" / f"{name}.mjs", folder / "run.mjs")
        (folder / "input.json").write_text(json.dumps(given))
        # Answers come in a file: what a process leaves in a pipe when it exits is cut at the size of the pipe.
        subprocess.run([install.node(), "run.mjs"], cwd=folder, stdout=subprocess.DEVNULL, check=True, timeout=900)
        answers = json.loads((folder / "output.json").read_bytes())
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise Unavailable(f"{name} cannot be run: {error}") from error
    return {query: unique(found)[:DEPTH] for query, found in answers.items()}


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
    return f'<!doctype html><html lang="{page.facts.language}"><title>{title}</title><body><main data-pagefind-body>{"".join(body)}</main></body></html>'
