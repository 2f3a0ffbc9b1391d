"""The command line: one command per file, no logic."""

from recto.cli.main import main

__all__ = ["main"]
