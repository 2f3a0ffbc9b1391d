"""Which names pages and files can have in the published folder."""

from __future__ import annotations

from octavo.site.naming.names import FileNames, explain_bad_file, explain_bad_route, explain_unportable, fold
from octavo.site.naming.route_table import RouteTable

__all__ = ["FileNames", "RouteTable", "explain_bad_file", "explain_bad_route", "explain_unportable", "fold"]
