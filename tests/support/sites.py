"""Small sites in a folder of their own, with everything that is asked of them: assembled, built, read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import brotli
import msgspec
import pytest

from octavo.checks.findings import SourceLines, complete_findings
from octavo.config import load_config
from octavo.content.compile import ContentOptions, compile_document
from octavo.contract.addresses import html_file, payload_file
from octavo.diagnostics import Diagnostic
from octavo.documents.body import split_document
from octavo.manifest import MANIFEST_PATH, Manifest, parse_manifest
from octavo.publish.build import Build, build_site
from octavo.rendering.theme import load_theme
from octavo.site import (
    CategoryNode,
    DocNode,
    DocumentSummary,
    Edition,
    LastCommit,
    Page,
    SidebarNode,
    Site,
    assemble_site,
    find_sources,
)

COUNTED = "counted: "
"""Begins the names of properties that are added up over a run."""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"/>'
TWO_LOCALES = """[[locales]]
id = "en"
label = "English"
[[locales]]
id = "fr"
label = "Français"
path = "fr"
docs = "i18n/fr"
"""
NEXT_VERSION = """[[versions]]
name = "next"
label = "Next"
path = "next"
docs = "docs-next"
banner = "unreleased"
"""
TWO_VERSIONS = """[[versions]]
name = "2"
label = "2.0"
[[versions]]
name = "1"
label = "1.0"
path = "v1"
docs = "docs-v1"
banner = "unmaintained"
"""
"""Settings of the last one may follow."""
HOME = {"pages/index.mdx": "---\ntitle: Home\nlayout: landing\n---\n\nWelcome.\n"}
"""A landing page, for sites whose documents have none at the root."""


def page(title: str = "", body: str = "Text.", **front: Any) -> str:
    """Write a Markdown file; keyword arguments become its front matter."""
    settings = ({"title": title} if title else {}) | front
    lines = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in settings.items())
    return f"---\n{lines}---\n\n{body}\n" if lines else f"{body}\n"


class SiteFolder:
    """A site's folder, and what becomes of it."""

    def __init__(self, root: Path, files: Mapping[str, str | bytes], config: str) -> None:
        self.root = root
        self.out = root.parent / f"{root.name}-out"
        self.write({"octavo.toml": f'title = "Site"\n{config}', **files})

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write files, given as path from the site's folder → content."""
        for path, content in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)

    def assemble(self, *, history: Mapping[str, LastCommit] | None = None, includes_drafts: bool = False) -> Site:
        """Compile and assemble the site."""
        config = load_config(self.root)
        sources = find_sources(self.root, config)
        summaries = {source.path: self._summary(source.path) for source in sources}
        return assemble_site(
            config, sources, summaries, site_dir=self.root, history=history or {}, includes_drafts=includes_drafts
        )

    def _summary(self, path: str) -> DocumentSummary:
        text = (self.root / path).read_text(encoding="utf-8")
        document = compile_document(text, source_path=path, load=self._load, options=ContentOptions())
        return split_document(document, body_key="")[0]

    def _load(self, path: str) -> str | None:
        file = self.root / path
        return file.read_text(encoding="utf-8") if file.is_file() else None

    def findings(self) -> list[str]:
        """List what assembling finds, each as `path:line:column: level: message suggestion [code]`."""
        site = self.assemble()
        lines = SourceLines(self.root)
        return [as_line(problem) for problem in complete_findings(site.diagnostics, site.config, lines)]

    def build(self, *, precompress: bool = False) -> Build:
        """Build and publish the site."""
        return build_site(self.root, self.out, precompress=precompress)

    def check(self) -> list[str]:
        """Build the site and list all findings, as `findings` does."""
        return [as_line(problem) for problem in self.build().diagnostics]

    def html(self, route: str) -> str:
        """Read the published page of a route."""
        return (self.out / html_file(route)).read_text(encoding="utf-8")

    def payload(self, route: str) -> dict[str, Any]:
        """Read the published payload of a route."""
        return dict(json.loads((self.out / payload_file(route)).read_bytes()))

    def shared(self, address: str) -> dict[str, Any]:
        """Read a shared file by the address that a payload gives, base URL not included."""
        return dict(json.loads((self.out / address.lstrip("/")).read_bytes()))

    def manifest(self) -> Manifest:
        """Read the manifest of the published folder."""
        return parse_manifest((self.out / MANIFEST_PATH).read_bytes())

    def published(self) -> dict[str, bytes]:
        """Read the whole published folder, as address → content."""
        return read_folder(self.out)

    def pages(self) -> dict[str, bytes]:
        """Read what readers can ask for: all but the search index, whose files bear random names."""
        return {name: content for name, content in self.published().items() if not name.startswith("_octavo/search/")}


@pytest.fixture
def count(record_property: Callable[[str, object], None]) -> Callable[[str, int], None]:
    """Count what a test has looked at, for the last lines of the run: `count("links checked", 12)`."""
    return lambda what, number: record_property(COUNTED + what, number)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how much the tests have looked at; a count of zero would be a test that looks at nothing."""
    totals: dict[str, int] = {}
    for report in terminalreporter.getreports("passed"):
        for name, number in report.user_properties:
            if str(name).startswith(COUNTED):
                what = str(name).removeprefix(COUNTED)
                totals[what] = totals.get(what, 0) + int(str(number))
    if totals:
        terminalreporter.line("pages: " + ", ".join(f"{number} {what}" for what, number in sorted(totals.items())))


MakeSite = Callable[..., SiteFolder]
"""`make_site({path: content}, config="…", name="site")`."""


@pytest.fixture
def make_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeSite:
    # Checks keep what they compile in the user's cache folder.
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user-cache"))

    def make(files: Mapping[str, str | bytes], config: str = "", name: str = "site") -> SiteFolder:
        return SiteFolder(tmp_path / name, files, config)

    return make


def use_small_theme() -> Iterator[None]:
    """Build with the theme's first chunks only, until resumed: each build copies megabytes of diagram chunks else.

    Each file is compressed once.
    """
    theme = load_theme()
    first = {theme.client, *theme.styles, *theme.page_styles.values(), *theme.fonts.values()}
    small = msgspec.structs.replace(theme, files={name: file for name, file in theme.files.items() if name in first})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("octavo.publish.build.load_theme", lambda: small)
        # Every build that compresses has the theme's files, which take 0.4 s of processor time and come out the same.
        patch.setattr("brotli.compress", cache(brotli.compress))
        yield


def as_line(problem: Diagnostic) -> str:
    """Write a finding as one line."""
    text = f"{problem.message} {problem.suggestion}".strip()
    return f"{problem.span}: {problem.level}: {text} [{problem.code}]"


def read_folder(folder: Path) -> dict[str, bytes]:
    """Read all files below a folder, as path from there → content."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def edition_of(site: Site, prefix: str = "") -> Edition:
    """Find the edition whose routes begin with a prefix."""
    return next(edition for edition in site.editions if edition.prefix == prefix)


def page_at(site: Site, route: str) -> Page:
    """Find the page of a route."""
    return site.by_route[route]


def outline(nodes: list[SidebarNode]) -> list[Any]:
    """Show a sidebar: a document as "Label /route", a link as "Label → href", a category as ("Label /route", items)."""
    return [_outline(node) for node in nodes]


def _outline(node: SidebarNode) -> Any:
    if isinstance(node, DocNode):
        return f"{node.label} {node.page.route}"
    if isinstance(node, CategoryNode):
        return (f"{node.label} {node.page.route if node.page else '-'}", outline(node.items))
    return f"{node.label} → {node.href}"
