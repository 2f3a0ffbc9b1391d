"""Redirects of old sites: patterns of other engines and hosts are carried over with a star, the rest is noted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write

PATTERN = "Redirects by a pattern that octavo.toml cannot express"
PAGE = "# Kites\n\nThey fly.\n"


def done(tmp_path: Path, files: dict[str, str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Import a site: (its redirects, the files of each kind of note)."""
    imported = import_site(write(tmp_path / "site", files))
    redirects = {one["from"]: one["to"] for one in imported.plan.settings.get("redirects", [])}
    return redirects, {note.what: note.files for note in imported.report.notes}


def mintlify(*redirects: dict[str, Any]) -> dict[str, str]:
    settings = {"name": "Kite", "navigation": {"pages": ["index", "new/wind"]}, "redirects": list(redirects)}
    return {"docs.json": json.dumps(settings), "index.mdx": PAGE, "new/wind.mdx": PAGE}


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("/old/:slug*", "/new/:slug*", ("/old/*", "/new/*")),
        ("/old/:path+", "/new/:path", ("/old/*", "/new/*")),
        ("/old/:path(.*)", "/new/:path", ("/old/*", "/new/*")),
        ("/old/(.*)", "https://kite.example/v1/$1", ("/old/*", "https://kite.example/v1/*")),
        ("/old/*", "/new/wind", ("/old/*", "/new/wind")),
        ("/old/:slug", "/new/wind#high", ("/old/*", "/new/wind#high")),
        ("/old", "https://kite.example:8080/x?a=1", ("/old", "https://kite.example:8080/x?a=1")),
        ("/old", "new/wind", ("/old", "/new/wind")),
        ("/:lang/old", "/new/wind", None),
        ("/old/:a/:b", "/new/:b/:a", None),
        ("/old/:a*", "/new/:b*", None),
        ("/old", "/new/:a", None),
        ("/old?page=1", "/new/wind", None),
        ("/new/:slug*", "/new/:slug*", None),
        ("/old/:slug*", "/new/:slug*/more", None),
        ("/old", "javascript:alert(1)", None),
    ],
)
def test_patterns_of_addresses(source: str, target: str, expected: tuple[str, str] | None, tmp_path: Path) -> None:
    redirects, notes = done(tmp_path, mintlify({"source": source, "destination": target}))
    assert redirects == dict([expected] if expected else [])
    assert notes == ({} if expected else {PATTERN: [f"{source} → {target}"]})


def test_redirect_from_the_address_of_a_page_is_noted(tmp_path: Path) -> None:
    redirects, notes = done(tmp_path, mintlify({"source": "/new/wind", "destination": "/"}))
    assert not redirects
    assert notes == {"Redirects from the address of a page": ["/new/wind → /"]}


def test_patterns_of_astro_and_next(tmp_path: Path) -> None:
    redirects, notes = done(
        tmp_path / "starlight",
        {
            "astro.config.mjs": """import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';
export default defineConfig({ integrations: [starlight({ title: 'Kite' })],
  redirects: { '/old/[...slug]': '/new/[...slug]', '/[lang]/old': '/new/wind', '/a': { status: 302, destination: '/new/wind' } } });
""",
            "src/content/docs/index.md": "---\ntitle: Kites\n---\nThey fly.\n",
            "src/content/docs/new/wind.md": "---\ntitle: Wind\n---\nIt blows.\n",
        },
    )
    assert redirects == {"/old/*": "/new/*", "/a/": "/new/wind"}
    assert notes == {PATTERN: ["/[lang]/old/ → /new/wind"]}
    redirects, notes = done(
        tmp_path / "nextra",
        {
            "package.json": json.dumps({"dependencies": {"nextra": "4", "next": "15"}}),
            "next.config.mjs": """import nextra from 'nextra';
export default nextra({})({ redirects: async () => [
  { source: '/old/:path*', destination: '/new/:path*', permanent: true },
  { source: '/:a/b', destination: '/new/wind', permanent: true }] });
""",
            "content/index.mdx": PAGE,
            "content/new/wind.mdx": PAGE,
        },
    )
    assert redirects == {"/old/*": "/new/*"}
    assert notes[PATTERN] == ["/:a/b → /new/wind"]


def test_pages_of_jekyll_that_only_lead_on(tmp_path: Path) -> None:
    redirects, notes = done(
        tmp_path,
        {
            "_config.yml": "title: Kite\nbaseurl: /kite\n",
            "index.md": f"---\ntitle: Kites\nredirect_from: /start me\n---\n{PAGE}",
            "old.md": "---\nredirect_to: /kite/new/\n---\n",
            "away.md": "---\nredirect_to: [https://kite.example/away]\n---\n",
            "new.md": f"---\npermalink: /new/\n---\n{PAGE}",
        },
    )
    assert redirects == {"/away.html": "https://kite.example/away", "/old.html": "/new/"}
    assert notes[PATTERN] == ["/start me → /"]


def test_redirect_of_gitbook_to_a_page_that_does_not_exist_is_noted(tmp_path: Path) -> None:
    redirects, notes = done(
        tmp_path,
        {
            ".gitbook.yaml": "redirects:\n  old: wind.md\n  away: https://kite.example/x\n  gone: lost.md\n",
            "SUMMARY.md": "* [Kites](README.md)\n* [Wind](wind.md)\n",
            "README.md": PAGE,
            "wind.md": PAGE,
        },
    )
    assert redirects == {"/old": "/wind", "/away": "https://kite.example/x"}
    assert notes["Redirects to pages that do not exist"] == ["gone → lost.md"]


def test_rules_of_hosts_are_carried(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "mkdocs.yml": "site_name: Kite\nsite_url: https://kite.example/docs/\n",
            "docs/index.md": PAGE,
            "docs/new/wind.md": PAGE,
            "docs/_redirects": """# Moved in 2024
/docs/old/*  /docs/new/:splat  301!   # all of it
/docs/a      https://kite.example/docs/new/wind/
/docs/b      /docs/new/wind/  302  Country=de
/docs/shop   id=:id  /docs/new/wind/
/docs/api/*  https://api.kite.example/:splat  200
/docs/old/*  /docs/
alone
""",
            "netlify.toml": '[build]\npublish = "site"\n[[redirects]]\nfrom = "/docs/c"\nto = "/docs/new/wind/"\n'
            '[[redirects]]\nfrom = "/docs/d"\nto = "/docs/e"\nstatus = 404\n',
            "vercel.json": json.dumps(
                {
                    "redirects": [
                        {"source": "/docs/v/:path*", "destination": "/docs/new/:path*"},
                        {"source": "/docs/w", "destination": "/docs/", "has": [{"type": "host", "value": "k.example"}]},
                    ],
                    "rewrites": [{"source": "/docs/r", "destination": "/docs/"}],
                }
            ),
        },
    )
    imported = import_site(site)
    redirects = {one["from"]: one["to"] for one in imported.plan.settings["redirects"]}
    assert redirects == {
        "/old/*": "/new/*",
        "/a": "/new/wind/",
        "/c": "/new/wind/",
        "/v/*": "/new/*",
    }
    notes = {note.what: note.files for note in imported.report.notes}
    assert notes["Rules of the host that are not plain redirects"] == [
        "docs/_redirects: /docs/b → /docs/new/wind/ (only for Country=de)",
        "docs/_redirects: /docs/shop → /docs/new/wind/ (only for id=:id)",
        "docs/_redirects: /docs/api/* → https://api.kite.example/:splat (status 200)",
        "netlify.toml: /docs/d → /docs/e (status 404)",
        "vercel.json: /docs/w → /docs/ (only for host)",
        "vercel.json: /docs/r → /docs/ (a rewrite)",
    ]
    built = build_site(site, tmp_path / "out", has_search=False)
    assert not [one for one in built.diagnostics if one.code != "unset-url"], built.diagnostics


def test_file_of_a_host_that_cannot_be_read_is_noted(tmp_path: Path) -> None:
    files = {"docs/index.md": PAGE, "mkdocs.yml": "site_name: Kite\n", "vercel.json": "{", "netlify.toml": "a = ["}
    redirects, notes = done(tmp_path, files)
    assert not redirects
    found = notes["Redirects of the host that cannot be read"]
    assert [one.partition(":")[0] for one in found] == ["netlify.toml", "vercel.json"]
