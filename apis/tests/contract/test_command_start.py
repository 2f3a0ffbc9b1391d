"""What the start of `octavo-sandbox` imports."""

from __future__ import annotations

import subprocess
import sys


def test_help_imports_no_server() -> None:
    code = (
        "import sys; from octavo_sandbox.cli import main; main(['--help'], standalone_mode=False); "
        "print([name for name in sys.modules if name.startswith(('gateway_api', 'tool_api', 'fastapi'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
