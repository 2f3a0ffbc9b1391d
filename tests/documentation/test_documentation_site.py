"""`docs/` is a site that Octavo builds without a finding, and whose links out of the folder lead somewhere."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from bench.relevance.engines import our_engine, our_search, route_of
from bench.relevance.measure import mean_reciprocal_rank
from bench.relevance.queries import load_judged
from bench.relevance.site import load_site_pages, site_settings
from octavo.publish.build import build_site
from tests.documentation.generate import DOCS, ROOT
from tests.support.html import html_files, html_findings
from tests.support.markdown_audit import leftovers_in, markdown_files

FEWEST_QUERIES = 60
LEAST_MRR = 0.9


def test_site_builds_without_a_finding_into_valid_html_and_leaves_nothing_of_its_dialect_in_markdown(
    tmp_path: Path,
) -> None:
    site = tmp_path / "docs"
    shutil.copytree(DOCS, site, ignore=shutil.ignore_patterns("build", ".octavo"))
    subprocess.run(["git", "init", "-q", site], check=True)  # its versions are the tags of its repository
    (tmp_path / "engine").symlink_to(ROOT / "engine")  # the source that the reference of extensions is made from
    assert build_site(site, site / "build", has_search=False).diagnostics == []
    assert len(markdown_files(site / "build")) > 100
    assert leftovers_in(site / "build") == {}
    assert html_findings(html_files(site / "build"), tmp_path) == []


def test_readers_find_the_pages_of_the_documentation(tmp_path: Path) -> None:
    pages, judged = load_site_pages(DOCS), load_judged("docs")
    search = our_search(our_engine(pages, tmp_path / "index", site_settings(DOCS, has_rules=True)))
    assert len({item.query for item in judged}) >= FEWEST_QUERIES
    assert {page for item in judged for page in item.pages} - {route_of(page) for page in pages} == set()
    assert mean_reciprocal_rank(judged, search) >= LEAST_MRR
