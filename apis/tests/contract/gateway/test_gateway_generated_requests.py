"""Requests made from the document, by the hundred: all checks, alone and in stories along the links."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from apis.tests.contract.gateway.gateway import Gateway
from gateway_api.demo.load import load_demo

CONFIG = Path(__file__).parent / "schemathesis.toml"
EXAMPLES = int(os.environ.get("GATEWAY_GENERATED_EXAMPLES", "4"))
"""Examples of each operation, in `make soak` as many as the long run has."""

LONG = 120
"""Makes 3,000 requests and more; 80 make 2,966."""

LEAST_REQUESTS = 900 if EXAMPLES < LONG else 3_000
SEED = "8989"
LIMIT_S = 500 if EXAMPLES < LONG else 3_000


@pytest.mark.timeout(LIMIT_S + 30)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_generated_requests_find_nothing(own_gateway: Gateway, tmp_path: Path) -> None:
    load_demo(own_gateway.database)
    command = [
        *(str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(CONFIG), "run"),
        *(f"{own_gateway.address}/openapi.json", "--url", own_gateway.address),
        *("--checks", "all", "--max-examples", str(EXAMPLES), "--seed", SEED, "--warnings", "off", "--no-color"),
        *("--generation-database", "none", "--continue-on-failure"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=LIMIT_S)
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2_000:]
    made = re.search(r"([\d,]+) generated", done.stdout)
    assert made, done.stdout[-2_000:]
    print(f"{made[1]} requests")
    assert int(made[1].replace(",", "")) >= LEAST_REQUESTS
