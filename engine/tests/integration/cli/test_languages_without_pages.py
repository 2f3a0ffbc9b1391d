"""Languages for whose pages the settings name no place."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from octavo.cli.main import octavo

from .test_translation_files import CONFIG, run, site_of


def listed(site: Path) -> str:
    return CliRunner().invoke(octavo, ["translations", "--site", str(site)], catch_exceptions=False).output


def test_language_without_a_place_for_pages_is_said(tmp_path: Path) -> None:
    site = site_of(tmp_path, {"octavo.toml": CONFIG.replace('docs = "i18n/ar"', ""), "docs/a.md": "Words.\n"})
    said = (
        'ar: no pages, since the settings name no place for them. Add docs = "i18n/ar" or suffix = "ar" to this language '
        "in octavo.toml.\n"
    )
    assert listed(site).endswith(said)
    assert run(site, "export", "ar", str(site / "ar.po")).output.endswith(f"to translate or review.\n{said}")
    site = site_of(tmp_path, {"octavo.toml": CONFIG, "docs/a.md": "Words.\n"})
    assert "no pages" not in listed(site) + run(site, "export", "ar", str(site / "ar.po")).output
