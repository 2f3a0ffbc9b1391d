"""The measurement of imported sites, on a small one."""

from __future__ import annotations

from pathlib import Path

from bench.import_sites import measure


def test_imported_site_is_measured_page_by_page(tmp_path: Path) -> None:
    files = {
        "mkdocs.yml": "site_name: Kites\nsite_url: https://kites.example/\n",
        "docs/index.md": "# Kites\n\nThey fly.\n",
        "docs/raw.md": "# Raw\n\nA template: {{ wind }}.\n",
    }
    for name, text in files.items():
        path = tmp_path / "kites" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found = measure(tmp_path / "kites")
    wanted = {"published": True, "engine": "mkdocs", "pages": 2, "built": 2, "clean": "100.0", "strict": "50.0"}
    assert {key: found.get(key) for key in wanted} == wanted
    assert found["kinds"] == {"foreign-syntax": 1}
