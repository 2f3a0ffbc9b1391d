"""Data that pages are made from is read again only where it has changed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.support.sites import HOME, MakeSite, SiteFolder

SETTINGS = '[[openapi]]\nid = "shop"\ndoc = "api"\nspec = "openapi/shop.json"\nconsole = true\n'


def in_new_process(site: SiteFolder, *, unread: str) -> str:
    """Gather in a new process: the sources, and which of the modules that read data were imported."""
    program = (
        "import sys; from pathlib import Path; from octavo.config import load_config;"
        "from octavo.documents.sources import gather_sources; site = Path(sys.argv[1]);"
        "found = gather_sources(site, load_config(site), site / '.octavo');"
        "print([(source.path, source.data) for source in found.made], found.problems, found.console_servers,"
        "[one.root for one in found.descriptions.values()]);"
        "print(sys.argv[2] in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, site.root, unread], capture_output=True, text=True, check=True
    )
    return f"{done.stdout}{done.stderr}"


@pytest.mark.parametrize(
    ("settings", "files", "changed", "parser"),
    [
        (
            '[[commands]]\nsource = "commands"\ndocs = "reference"\n',
            {"commands/pot.yaml": "name: pot\nsynopsis: Makes pots.\n"},
            "commands/pot.yaml",
            "octavo.reference.command_line",
        ),
        (
            SETTINGS,
            {
                "openapi/shop.json": json.dumps(
                    {
                        "openapi": "3.1.0",
                        "info": {"title": "pots", "version": "1"},
                        "servers": [{"url": "https://pots.example"}],
                        "paths": {"/pots": {"$ref": "pots.yaml"}},
                    }
                ),
                "openapi/pots.yaml": "get: {operationId: list, summary: List pots, responses: {'200': {description: All.}}}\n",
            },
            "openapi/pots.yaml",
            "octavo.reference.openapi.source.parse",
        ),
    ],
)
def test_data_that_has_not_changed_is_not_read_again(
    make_site: MakeSite, settings: str, files: dict[str, str], changed: str, parser: str
) -> None:
    site = make_site({**HOME, **files}, settings)
    first = in_new_process(site, unread=parser)
    assert "pots" in first
    assert first.endswith("True\n")
    assert in_new_process(site, unread=parser) == first.replace("True\n", "False\n")
    site.write({changed: files[changed].replace("pots", "jugs")})
    other = in_new_process(site, unread=parser)
    assert "jugs" in other
    assert other.endswith("True\n")
