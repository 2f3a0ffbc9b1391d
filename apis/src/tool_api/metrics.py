"""Figures of one running API in the Prometheus text format."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    """Counters of one application; nothing global, so that two applications in a process do not add up."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        names = ["method", "operation", "status"]
        self._requests = Counter("tool_api_requests_total", "Requests answered.", names, registry=self._registry)
        self._seconds = Histogram(
            "tool_api_request_seconds", "Time to the answer.", ["operation"], registry=self._registry
        )
        self._servers = Gauge("tool_api_servers", "Servers by state.", ["state"], registry=self._registry)

    def count(self, method: str, operation: str, status: int, seconds: float) -> None:
        self._requests.labels(method, operation, str(status)).inc()
        self._seconds.labels(operation).observe(seconds)

    def text(self, servers: dict[str, int]) -> bytes:
        for state, number in servers.items():
            self._servers.labels(state).set(number)
        return generate_latest(self._registry)
