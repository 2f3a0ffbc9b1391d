"""`docs/` is a site that Octavo builds without a finding, and whose links out of the folder lead somewhere."""

from __future__ import annotations

import shutil
from pathlib import Path

from octavo.publish.build import build_site
from tests.documentation.generate import DOCS, ROOT


def test_site_builds_without_a_finding(tmp_path: Path) -> None:
    site = tmp_path / "docs"
    shutil.copytree(DOCS, site, ignore=shutil.ignore_patterns("build", ".octavo"))
    (tmp_path / "engine").symlink_to(ROOT / "engine")  # the source that the reference of extensions is made from
    assert build_site(site, None, has_search=False).diagnostics == []
