"""Settings: a flag wins over the environment, which wins over the defaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway_api.settings import DASHBOARD_ORIGINS, SITE_ORIGINS, load_settings, words

HERE = Path("/data")


def test_defaults() -> None:
    settings = load_settings(data_dir=HERE, environment={})
    assert settings.database_url == "sqlite:////data/gateway.sqlite"
    assert (settings.key_file, settings.models_dir) == (HERE / "auth-material.key", HERE / "models")
    assert settings.allowed_hosts == ("localhost", "127.0.0.1", "::1")
    assert settings.allowed_origins == (*SITE_ORIGINS, *DASHBOARD_ORIGINS)


def test_environment_and_flags() -> None:
    environment = {
        "GATEWAY_DATA_DIR": "/env",
        "GATEWAY_DATABASE_URL": "postgresql://env/x",
        "GATEWAY_ALLOWED_HOSTS": " a.example , b.example,",
    }
    settings = load_settings(environment=environment)
    assert (settings.data_dir, settings.database_url) == (Path("/env"), "postgresql://env/x")
    assert settings.allowed_hosts == ("a.example", "b.example")
    flagged = load_settings(environment=environment, data_dir=HERE, database_url="sqlite:///flag")
    assert (flagged.data_dir, flagged.database_url) == (HERE, "sqlite:///flag")


@pytest.mark.parametrize(("host", "added"), [("127.0.0.1", ()), ("::1", ()), ("10.0.0.5", ("10.0.0.5",))])
def test_address_to_listen_on_is_answered(host: str, added: tuple[str, ...]) -> None:
    found = load_settings(environment={}, host=host).allowed_hosts
    assert found == ("localhost", "127.0.0.1", "::1", *added)


@pytest.mark.parametrize(
    ("environment", "flag", "origins"),
    [
        ({}, None, (*SITE_ORIGINS, *DASHBOARD_ORIGINS)),
        ({}, False, SITE_ORIGINS),
        ({"GATEWAY_DASHBOARD": "off"}, None, SITE_ORIGINS),
        ({"GATEWAY_DASHBOARD": "off"}, True, (*SITE_ORIGINS, *DASHBOARD_ORIGINS)),
        ({"GATEWAY_ALLOWED_ORIGINS": "http://a:1"}, None, ("http://a:1",)),
        ({"GATEWAY_ALLOWED_ORIGINS": "http://a:1"}, True, ("http://a:1", *DASHBOARD_ORIGINS)),
        (
            {"GATEWAY_ALLOWED_ORIGINS": "http://localhost:9090"},
            True,
            ("http://localhost:9090", "http://127.0.0.1:9090"),
        ),
    ],
)
def test_dashboard_is_a_switch_and_lists_are_exact(
    environment: dict[str, str], flag: bool | None, origins: tuple[str, ...]
) -> None:
    assert load_settings(environment=environment, dashboard=flag).allowed_origins == origins


def test_words() -> None:
    assert words(None) == words("") == words(" , ") == ()
    assert words("a, b") == ("a", "b")
