"""Import public sites of other engines, build them, and measure what is lost.

Fetches each site as plain files at a fixed commit, by git over HTTPS, into a folder of its own; nothing of them is kept
in this repository, and no test runs this.

    python -m bench.import_sites WORK [NAME…]

WORK holds the checkouts; one that is there already is used as it is. Prints one line a site: published or not, pages
built of those that the site has, words of the sources that are in no page and under no finding, pages that show raw
syntax without a finding, seconds of the import and of the build.

Three shares of pages are printed, each a part of the one before: `clean` (nothing is lost or shown raw without a finding), `whole`
(and there is no finding about a construct either), `strict` (and no mark of any source language is seen in the text). Only
the last says that a page is as its author left it; a mistake of the author counts against it as well.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.import_words import shown_words, words_in
from bench.public_sites import SITES, fetch

_PLACES = re.compile(r"(?:used|imported|included|shown) (?:at|by|in) (\S+?\.mdx?)\b")
"""Pages that a finding in another file names."""
_TAG = re.compile(r"<(\w+)[\s/>]")
_PARTIAL = re.compile(r"""^import\s+(\w+)\s+from\s+["'][^"'\n]+\.mdx?["']""", re.MULTILINE)
_STUB = re.compile(r'"<(\w+)>" is a stub')
_OF_SITES = frozenset(
    [
        "broken-anchor",
        "broken-asset",
        "broken-link",
        "duplicate-anchor",
        "duplicate-id",
        "duplicate-route",
        "empty-heading",
        "empty-link",
        "external-link",
        "front-matter-key",
        "heading-order",
        "highlight-range",
        "image-content",
        "large-file",
        "link-space",
        "long-address",
        "malformed-address",
        "missing-alt",
        "second-title",
        "sidebar",
        "sidebar-membership",
        "similar-address",
        "style-sheet",
        "table-cells",
        "themed-image",
        "translation-suffix",
        "unknown-admonition",
        "unknown-language",
        "unknown-scheme",
        "unportable-address",
        "unset-url",
        "unused-content",
        "unused-file",
        "unused-footnote",
        "unused-redirect",
    ]
)
"""Kinds of findings about mistakes of the site, which lose no construct of its engine."""
_LINES_TOLD = frozenset(["table-cells", "unused-footnote"])
"""Kinds of findings about mistakes of the site that say of a line that its words are left out."""
_CODE = re.compile(r"<(pre|code|script|style)\b.*?</\1>|(?<=<figcaption>)[^<>]*(?=</figcaption><pre\b)", re.DOTALL)
"""Code, and the name of its file."""
_IN_CODE = re.compile(
    r"^(?P<indent>[ \t>]*)(?P<fence>`{3,}|~{3,})[^\n]*\n.*?^(?P=indent)(?P=fence)[`~]*[ \t]*$|`[^`\n]+`",
    re.DOTALL | re.MULTILINE,
)
"""Code of a source: what it names is not a component that the page uses."""
_RAW = re.compile(
    r"(?:^|\n)[ \t]*(?:!!! \w|\?\?\? \w|=== \"|/// \w|:::\s*\w|import \w[^\n]* from ['\"])|\{\{[<%#]|\{%[^\n]*%\}|--8<--|(?<![\w.<])</?[A-Z][a-z][A-Za-z]*[ />]"
    # What is left of reStructuredText: directives and targets, roles, text between bars, paragraphs that end in two colons, links.
    r"|(?:^|\n)[ \t]*\.\. (?:[a-z][\w:.+-]*::|_[^\n:]+:)|(?<!\w):[a-z][\w:.+-]*:`|(?<![\w|])\|[A-Za-z][\w .-]*\|_{0,2}(?![\w|])|\w::[ \t]*(?:\n|$)|`[^`\n<>]+<[^<>\n]+>`_|`[^`\n]+`_(?!\w)"
)

_ELEMENTS = (
    "a|abbr|article|audio|b|blockquote|br|button|center|cite|code|col|dd|del|details|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|iframe|img"
    "|input|kbd|li|link|main|mark|nav|ol|p|picture|pre|s|script|section|small|source|span|strong|style|sub|summary|sup|svg|table|tbody|td|template|th|thead"
    "|tr|u|ul|video"
)
_SHOWN = re.compile(
    r"\{\{.{0,60}|\{%.{0,60}|\{:.{0,60}|\{[#.][A-Za-z][\w-]*[^\n{}]{0,40}\}|\{![^\n]{0,40}|\[[^\]\n]+\]\([^)\n]*\)|(?<![\w\])])\[[^\]\n]+\]\[[^\]\n]*\]"
    r"|\[\^[^\]\s]+\]|\*\*\w[^\n*]*\*\*|--8<--.{0,40}|<!--.{0,40}|\[TOC\]|\[!\w+\]|::: ?\w.{0,40}|(?<![\w/:]):[a-z][a-z_]+[a-z0-9_-]*:(?![\w:])"
    rf"|(?<![\w.<])</?(?:{_ELEMENTS}|[A-Z][a-z][A-Za-z]+)(?:\s[^<>\n]*)?/?>|&(?:[a-z]+|#\d+);"
    r"|(?:^|\n)[ \t]*(?:!!!|\?\?\?|~~~|```|///|=== \"|#{1,6} ).{0,60}"
)
"""Marks of any of the source languages; wider than `_RAW`, and so with some that a text may have by right."""


def measure(folder: Path) -> dict[str, object]:
    """Import and build a site, and compare what its pages say with its sources."""
    octavo = [sys.executable, "-m", "octavo"]
    started = time.perf_counter()
    done = subprocess.run(
        [*octavo, "import", str(folder), "--force", "--json"], capture_output=True, text=True, check=False
    )
    imported = time.perf_counter() - started
    if done.returncode:
        return {"published": False, "error": done.stderr.strip()[-300:]}
    report = json.loads(done.stdout)
    site = Path(report["site"])
    # Beside the site: a plain folder is its own source, and would publish what was built before.
    # Nor above it: the documents of a site may lie in folders above its configuration.
    out = Path(tempfile.gettempdir()) / "octavo-bench" / f"{folder.parent.name}-{folder.name}"
    shutil.rmtree(out, ignore_errors=True)
    started = time.perf_counter()
    done = subprocess.run(
        [*octavo, "build", str(site), "--out", str(out), "--no-search", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    built = time.perf_counter() - started
    if done.returncode:
        return {"published": False, "error": (done.stderr or done.stdout).strip()[-300:]}
    return {
        "published": True,
        "engine": report["engine"],
        **audit(site, out, json.loads(done.stdout)["findings"]),
        "import_s": round(imported, 1),
        "build_s": round(built, 1),
    }


def audit(site: Path, out: Path, findings: list[dict[str, Any]]) -> dict[str, object]:
    """Count pages, words that are in no page, and pages that show raw syntax.

    A page is clean if it is built, and no word is lost and no raw syntax shown without a finding about a construct; whole
    if it has no such finding either; and strict if its text shows no mark of a source language.
    """
    kinds: dict[str, set[str]] = {}
    reported: dict[str, list[int]] = {}
    for finding in findings:
        if finding["code"] in _LINES_TOLD:
            reported.setdefault(finding["span"]["path"], []).append(finding["span"]["line"])
        if finding["code"] not in _OF_SITES:
            for path in (finding["span"]["path"], *_PLACES.findall(finding["message"])):
                kinds.setdefault(path, set()).add(finding["code"])
    names = [match[1] for one in findings if (match := _STUB.match(one["message"]))]
    stubs = frozenset(names)
    pages = list(pages_of(site))
    is_liquid = (
        re.search('"(?:jekyll|eleventy|macros)"', (site / "octavo.toml").read_text(encoding="utf-8")) is not None
    )
    missing_pages, lost, silent, raw = [], 0, Counter[str](), []
    clean, whole = 0, 0
    words = 0
    unclean: dict[str, list[str]] = {}
    not_strict: dict[str, list[str]] = {}
    for path, route in pages:
        file = out / route.strip("/") if route.endswith(".html") else out / route.strip("/") / "index.html"
        if not file.is_file():
            missing_pages.append(path)
            not_strict[path] = ["(not built)"]
            continue
        text = file.read_text(encoding="utf-8")
        article = (
            re.search(r"<article\b.*</article>", text, re.DOTALL)
            or re.search(r"<main\b.*</main>", text, re.DOTALL)
            or [text]
        )[0]
        shown = shown_words(text)
        source = (site / path).read_text(encoding="utf-8", errors="replace")
        written = _of_notebook(source) if path.endswith(".ipynb") else source
        # A page may have a Markdown file of its own under the name of a stub.
        if stubs & frozenset(_TAG.findall(_IN_CODE.sub("", written))) - frozenset(_PARTIAL.findall(written)):
            kinds.setdefault(path, set()).add("stub-component")
        wanted = words_in(path, written, is_liquid=is_liquid)
        words += wanted.total()
        gone = {word: count for word, count in wanted.items() if word not in shown}
        lost += sum(gone.values())
        prose = _CODE.sub(" ", article)
        shown_text = html.unescape(re.sub(r"<(?!/?[A-Z])[^>]*>", "", prose))
        # Text between bars is a mark of reStructuredText only; elsewhere it may be types of a program.
        is_raw = any(path.endswith(".rst") or match[0][0] != "|" for match in _RAW.finditer(shown_text))
        marks = _SHOWN.findall(html.unescape(re.sub(r"<[^>]*>", "", prose)))
        if marks or gone or is_raw or path in kinds:
            not_strict[path] = [*sorted(kinds.get(path, ())), *(mark.strip() for mark in marks[:4]), *list(gone)[:8]]
        if path in reported:
            lines = source.split("\n")
            said = words_in(path, "\n".join(lines[line - 1] for line in reported[path]))
            gone = {word: count for word, count in gone.items() if word not in said}
        if path not in kinds:
            silent.update(gone)
            if is_raw:
                raw.append(path)
            if gone or is_raw:
                unclean[path] = [*(["(raw)"] if is_raw else []), *gone]
            clean += not gone and not is_raw
            whole += not gone and not is_raw
        else:
            clean += 1
    return {
        "pages": len(pages),
        "built": len(pages) - len(missing_pages),
        "clean": f"{100 * clean / max(len(pages), 1):.1f}",
        "whole": f"{100 * whole / max(len(pages), 1):.1f}",
        "strict": f"{100 * (1 - len(not_strict) / max(len(pages), 1)):.1f}",
        "missing": missing_pages[:5],
        "words": words,
        "lost": lost,
        "lost_in_silence": silent.total(),
        "lost_words": [word for word, _ in silent.most_common(12)],
        "raw_in_silence": len(raw),
        "raw": raw[:5],
        "unclean": dict(list(unclean.items())[:20]),
        "not_strict": not_strict,
        "kinds": dict(Counter(kind for found in kinds.values() for kind in found).most_common()),
        "pages_with_findings": len(kinds),
    }


def _of_notebook(text: str) -> str:
    """Give what readers of a notebook see of it: the texts of its cells, and what these have printed."""
    try:
        cells = json.loads(text)["cells"]
    except (ValueError, KeyError, TypeError):
        return ""
    found = []
    for cell in cells:
        tags = {tag.replace("_", "-") for tag in cell["metadata"].get("tags", ())}
        if "remove-cell" in tags or cell["metadata"].get("nbsphinx") == "hidden":
            continue
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and "remove-input" not in tags:
            found.append(f"```\n{source}\n```")
        elif cell["cell_type"] == "markdown":
            found.append(source)
        printed = [one for one in cell.get("outputs", ()) if one.get("output_type") == "stream"]
        found += [f"```\n{''.join(one['text'])}\n```" for one in printed if "remove-output" not in tags]
    return "\n\n".join(found)


_SEARCH_PAGE = "octavo-pages/search.md"
"""Written by each import, so that it says nothing of the site."""


def pages_of(site: Path) -> Iterator[tuple[str, str]]:
    """List the pages that the old site had: (source, route)."""
    from octavo.config import load_config
    from octavo.documents import Compiler, Library, gather_sources
    from octavo.runtime import Cache, say_nothing
    from octavo.site import assemble_site

    config = load_config(site)
    sources = gather_sources(site, config, site / ".octavo-bench-cache")
    library = Library(Cache(site / ".octavo-bench-cache/documents"))
    library.build(
        sources.all, Compiler.of(site, config, sources.descriptions), report=say_nothing, prepare=lambda _: None
    )
    for page in assemble_site(config, sources.all, library.summaries, site_dir=site, history={}).pages:
        if page.source is not None and page.source.data is None and page.source.path != _SEARCH_PAGE:
            yield page.source.path, page.route


def main() -> None:
    """Measure the sites that are named, or all."""
    work = Path(sys.argv[1])
    for name in sys.argv[2:] or SITES:
        found = measure(fetch(SITES[name], work / name))
        (work / f"{name}.json").write_text(json.dumps(found, ensure_ascii=False, indent=1), encoding="utf-8")
        found.pop("not_strict", None)
        print(json.dumps({"site": name, **found}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
