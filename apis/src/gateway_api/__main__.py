"""`python -m gateway_api`."""

from __future__ import annotations

from gateway_api.cli import gateway

gateway(prog_name="python -m gateway_api")
