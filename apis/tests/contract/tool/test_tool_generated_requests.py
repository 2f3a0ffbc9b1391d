"""Requests made from the document, by the hundred: all checks, alone and in stories along the links."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from apis.tests.contract.tool.serving import tool_server

CONFIG = Path(__file__).parent / "schemathesis.toml"
EXAMPLES = int(os.environ.get("TOOL_GENERATED_EXAMPLES", "12"))
"""Examples of each operation; the long run raises it."""

LEAST_REQUESTS = 400 if EXAMPLES < 250 else 3_000
SEED = "8080"
LIMIT_S = 500 if EXAMPLES < 250 else 3_000


@pytest.mark.timeout(LIMIT_S + 30)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_generated_requests_find_nothing(tmp_path: Path) -> None:
    with tool_server(tmp_path / "state") as server:
        command = [
            *(str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(CONFIG), "run"),
            *(f"{server.address}/api/openapi.json", "--url", server.address),
            *("--checks", "all", "--max-examples", str(EXAMPLES), "--seed", SEED, "--warnings", "off", "--no-color"),
            *("--generation-database", "none", "--continue-on-failure"),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=LIMIT_S)
        assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2_000:]
        assert server.events("failure") == []
    made = re.search(r"([\d,]+) generated", done.stdout)
    assert made, done.stdout[-2_000:]
    print(f"{made[1]} requests")
    assert int(made[1].replace(",", "")) >= LEAST_REQUESTS
