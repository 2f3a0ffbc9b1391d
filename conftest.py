"""Fixtures for the tests of all parts."""

pytest_plugins = ["tests.support.certificates", "tests.support.sites"]
