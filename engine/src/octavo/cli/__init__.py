"""The command line: one command per file, no logic."""

from octavo.cli.main import main

__all__ = ["main"]
