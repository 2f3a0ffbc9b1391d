"""What differs between engines, on Podman: the tests of servers in containers, with its service in place of Docker's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from apis.tests.contract.tool import engine
from apis.tests.contract.tool.containers.test_tool_docker import (
    test_allowed_host_and_port_is_reached_and_others_are_not,
    test_dead_server_is_started_again_by_policy_and_answers,
    test_deleted_server_leaves_no_container_and_no_network,
    test_missing_mount_is_refused_and_leaves_nothing,
    test_name_of_a_foreign_container_is_taken,
    test_sse_server_without_network_is_reached_and_reaches_nothing,
    test_stopped_server_was_not_killed,
)

REASON = engine.podman_missing()
pytestmark = [
    pytest.mark.skipif(bool(REASON), reason=f"Podman is NOT tested here: {REASON}"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

__all__ = [
    "test_allowed_host_and_port_is_reached_and_others_are_not",
    "test_dead_server_is_started_again_by_policy_and_answers",
    "test_deleted_server_leaves_no_container_and_no_network",
    "test_missing_mount_is_refused_and_leaves_nothing",
    "test_name_of_a_foreign_container_is_taken",
    "test_sse_server_without_network_is_reached_and_reaches_nothing",
    "test_stopped_server_was_not_killed",
]


@pytest.fixture(scope="module")
def running() -> Iterator[engine.Engine]:
    with ExitStack() as stack:
        # Podman refuses a folder for its state whose path is longer than 50 characters.
        folder = stack.enter_context(TemporaryDirectory(prefix="podman-", ignore_cleanup_errors=True))
        try:
            started = stack.enter_context(engine.engine(Path(folder), engine.Podman))
        except engine.DoesNotStartError as error:
            pytest.skip(f"Podman is NOT tested here: its service does not start: {error}")
        engine.make_image(started.path)
        yield started
