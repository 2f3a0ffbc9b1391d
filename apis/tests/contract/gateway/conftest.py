"""The gateway on SQLite and on PostgreSQL, a provider on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from apis.tests.contract.gateway.gateway import Gateway, run_gateway, settings_for
from apis.tests.contract.gateway.postgres import Cluster, find_programs, run_cluster
from apis.tests.contract.gateway.providers import MODELS, FakeProvider, run_provider


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    programs = find_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql); half of the contract is not tested")
    with run_cluster(programs) as running:
        yield running


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def shared_gateway(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    folder = tmp_path_factory.mktemp("gateway")
    url = request.getfixturevalue("cluster").fresh_database() if request.param == "postgresql" else None
    with run_gateway(settings_for(folder, url)) as running:
        yield running


@pytest.fixture
def gateway(shared_gateway: Gateway) -> Gateway:
    """A gateway in the state of a first start, once on each database."""
    shared_gateway.reset()
    return shared_gateway


@pytest.fixture
def sqlite_gateway(tmp_path: Path) -> Iterator[Gateway]:
    """A gateway of one's own, on SQLite."""
    with run_gateway(settings_for(tmp_path)) as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def own_gateway(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Gateway]:
    """A gateway of one's own, once on each database."""
    url = request.getfixturevalue("cluster").fresh_database() if request.param == "postgresql" else None
    with run_gateway(settings_for(tmp_path, url)) as running:
        yield running


@pytest.fixture(scope="session")
def sqlite_shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    """A gateway on SQLite for tests that change nothing."""
    with run_gateway(settings_for(tmp_path_factory.mktemp("gateway"))) as running:
        yield running


@pytest.fixture(scope="session")
def shared_provider() -> Iterator[FakeProvider]:
    with run_provider() as running:
        yield running


@pytest.fixture
def provider(shared_provider: FakeProvider) -> FakeProvider:
    shared_provider.models = list(MODELS)
    shared_provider.requests.clear()
    shared_provider.release.clear()
    return shared_provider
