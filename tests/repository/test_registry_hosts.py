"""Packages are named without the place that they come from: everybody has registries, mirrors and proxies of their own."""

from __future__ import annotations

import re

from tests.repository.files import text_files

HOSTS = re.compile(r"\bpypi[.]org|\bpythonhosted[.]org|\bnpmjs[.](?:org|com)|\bdeb[.]debian[.]org")


def test_no_file_names_the_host_of_a_package_registry() -> None:
    found = [
        f"{name}:{number}"
        for name, text in text_files().items()
        for number, line in enumerate(text.splitlines(), 1)
        if HOSTS.search(line)
    ]
    assert found == []
