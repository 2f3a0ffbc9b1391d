"""Client programs on this machine: found, registered, and given the addresses of servers."""

from tool_api.clients.entries import ClientEntries
from tool_api.clients.places import DASHED, discover, parse_client, servers_file

__all__ = ["DASHED", "ClientEntries", "discover", "parse_client", "servers_file"]
