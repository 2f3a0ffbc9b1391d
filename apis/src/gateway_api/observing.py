"""What operators see: one JSON line per request, and counters for Prometheus.

Neither has names, texts or keys of anybody: requests appear under the template of their path.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from service_guard import write_json_logs
from service_guard.logs import describe_error

_LOGGER = logging.getLogger("gateway_api")
_BUCKETS_S = (0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 15.0)


def log(event: str, **values: Any) -> None:
    """Write an event with its values as one line of JSON."""
    _LOGGER.info(json.dumps({"time": datetime.now(UTC).isoformat(), "event": event, **values}, default=str))


def log_crash(error: BaseException, **values: Any) -> None:
    """Write where an error came from; its own text may hold what a client has sent, and stays out."""
    now = datetime.now(UTC).isoformat()
    _LOGGER.error(json.dumps({"time": now, "event": "crash", **describe_error(error), **values}, default=str))


def show_logs() -> None:
    """Send events to standard error, and what libraries say, all as JSON."""
    write_json_logs(_LOGGER.name)


class Metrics:
    """Counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "gateway_requests", "Requests answered.", ["method", "route", "status"], registry=self.registry
        )
        self.durations = Histogram(
            "gateway_request_seconds",
            "Time until an answer was sent, event streams left out.",
            ["route"],
            buckets=_BUCKETS_S,
            registry=self.registry,
        )
        self.listeners = Gauge("gateway_alert_listeners", "Open event streams.", registry=self.registry)
