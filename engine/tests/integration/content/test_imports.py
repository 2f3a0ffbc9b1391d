"""What compiling imports, which the start of a process pays for."""

from __future__ import annotations

import subprocess
import sys


def test_lexers_are_imported_only_when_needed() -> None:
    script = (
        "import sys; from octavo.content.compile import *;"
        "compile_document('# a', source_path='a.md', load={}.get, options=ContentOptions());"
        "print([name for name in sys.modules if name.startswith(('pygments', 'yaml'))])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    modules = found.stdout.strip()
    assert "pygments.lexers" not in modules
    assert "yaml" not in modules
