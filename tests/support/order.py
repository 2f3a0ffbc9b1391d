"""The order of files in a run: those that take longest come first.

A process works on a file from its first test to its last, so a long file that is begun late keeps one process busy after
the others have ended.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

LONGEST: Sequence[str] = (
    "engine/tests/integration/search/test_static_search.py",
    "apis/tests/contract/tool/containers/test_tool_docker.py",
    "apis/tests/contract/tool/containers/test_tool_podman.py",
    "tests/deploy/test_container.py",
    "apis/tests/contract/tool/test_tool_crashes.py",
    "apis/tests/contract/gateway/test_gateway_statuses.py",
    "apis/tests/contract/gateway/test_gateway_generated_requests.py",
    "apis/tests/contract/test_sandbox_wheel.py",
    "apis/tests/contract/gateway/test_gateway_workspaces.py",
    "apis/tests/contract/gateway/test_gateway_document.py",
    "tests/e2e/test_engines_reading.py",
    "tests/e2e/test_engines.py",
    "tests/e2e/test_responsive.py",
    "tests/e2e/test_search_dialog.py",
    "tests/e2e/test_accessibility.py",
    "tests/e2e/test_analytics.py",
    "tests/e2e/test_live_update.py",
)
"""Files of the stages that start processes, the longest of each stage first."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the longest files; the others stay in the order of their names."""
    places = {config.rootpath / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
