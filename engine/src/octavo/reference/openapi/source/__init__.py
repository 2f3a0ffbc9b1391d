"""Reading a description: fetch, parse, bundle, check, and the places of problems."""

MAX_BYTES = 16_000_000
"""Longest description that is read."""
