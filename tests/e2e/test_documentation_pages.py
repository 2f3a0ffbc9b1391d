"""No kind of page of `docs/`, which looks different from `site/`, breaks a rule of axe, in either mode."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.documentation.generate import DOCS, ROOT
from tests.support.serving import Served, copy_site, publish_site, serve_folder

from .axe import find_violations_in_both_modes
from .conftest import OpenReader
from .pages import DESKTOP, PHONE

KINDS = {
    "overview": "/",
    "tutorial": "/learn/first-site",
    "constructs beside their results": "/write/blocks",
    "components": "/components",
    "playground": "/playground",
    "table of settings": "/reference/settings",
    "command": "/reference/cli/octavo_build",
    "Python API": "/reference/python/extensions/",
    "list of findings": "/reference/findings/",
    "finding": "/reference/findings/broken-link",
    "search page": "/search",
}
NARROW = ("constructs beside their results", "playground")


@pytest.fixture(scope="module")
def documentation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The documentation of this repository."""
    folder = tmp_path_factory.mktemp("documentation")
    (folder / "engine").symlink_to(ROOT / "engine")  # the source that the reference of extensions is made from
    publish_site(copy_site(DOCS, folder / "site"), folder / "out")
    with serve_folder(folder / "out", folder / "server.log") as served:
        yield served


@pytest.mark.parametrize("kind", KINDS)
def test_kind_of_page(kind: str, documentation: Served, open_reader: OpenReader) -> None:
    reader = open_reader(documentation, KINDS[kind], DESKTOP)
    assert find_violations_in_both_modes(reader.page) == []


@pytest.mark.parametrize("kind", NARROW)
def test_kind_of_page_on_a_phone(kind: str, documentation: Served, open_reader: OpenReader) -> None:
    reader = open_reader(documentation, KINDS[kind], PHONE)
    assert find_violations_in_both_modes(reader.page) == []
