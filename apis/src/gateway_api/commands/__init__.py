"""Commands that work on the database beside the server; each imports what it needs when it runs."""

from gateway_api.commands.ingest import follow

COMMANDS = (follow,)

__all__ = ["COMMANDS"]
