"""Fixtures for the tests of all parts."""

from hypothesis import HealthCheck, settings

pytest_plugins = [
    "tests.support.certificates",
    "tests.support.collector",
    "tests.support.order",
    "tests.support.shared_imports",
    "tests.support.sites",
]

# Generated values are tried in 200 ms each by default, and made in a second: on a busy machine tests failed by that alone.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
