"""Commands that work on the database beside the server; each imports what it needs when it runs."""

from gateway_api.commands.ingest import follow
from gateway_api.commands.maintain import backup, export, prune, vacuum

COMMANDS = (follow, export, backup, prune, vacuum)

__all__ = ["COMMANDS"]
