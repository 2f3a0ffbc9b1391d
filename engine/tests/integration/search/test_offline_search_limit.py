"""How much of a search index readers' browsers are asked to keep: `search.most_offline_megabytes`."""

from __future__ import annotations

import json
import random
from pathlib import Path

from octavo.publish.build import Build, build_site
from octavo.search.shards.files import MODE_PATH, SHARDS_FOLDER


def write_large_site(folder: Path) -> Path:
    """One page of which the index is larger than 1 MB."""
    rng = random.Random(3)
    words = ["".join(rng.choices("bcdfgaeiou", k=7)) for _ in range(9_000)]
    paragraphs = [" ".join(rng.choices(words, k=60)) for _ in range(900)]
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "index.md").write_text("# Start\n\n" + "\n\n".join(paragraphs))
    return folder


def build(site: Path, out: Path, most: int, *, is_strict: bool = False) -> Build:
    (site / "octavo.toml").write_text(
        f'title = "Kiln"\nurl = "https://example.org"\noffline = true\n\n[search]\nmost_offline_megabytes = {most}\n'
    )
    return build_site(site, out, is_strict=is_strict)


def bundles(out: Path) -> list[str]:
    """List the published files that hold a whole index, and check that the file about the search says whether there is one."""
    found = [path.name for path in (out / SHARDS_FOLDER).glob("all-*.json")]
    mode = json.loads((out / MODE_PATH).read_bytes())
    assert mode["bundle"] == (f"all-{mode['root']}.json" in found)
    return found


def test_index_that_is_too_large_is_no_bundle_and_a_finding(tmp_path: Path) -> None:
    site, out = write_large_site(tmp_path / "site"), tmp_path / "out"
    refused = build(site, out, 1, is_strict=True)
    assert not refused.is_published
    assert [one.level for one in refused.diagnostics] == ["error"]
    for _ in range(2):  # the second build takes all over from the first
        limited = build(site, out, 1)
        (finding,) = limited.diagnostics
        assert (finding.code, finding.level, finding.span.line) == ("offline-search", "warn", 6)
        assert "MB, more than the 1 that" in finding.message
        assert limited.is_published
        assert bundles(out) == []
    assert build(site, out, 30).diagnostics == []
    assert len(bundles(out)) == 1
    assert build(site, out, 0).diagnostics == []
