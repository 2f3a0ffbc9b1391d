"""Names: which ones pages and files can have in the published folder, and the labels that are made of them."""

from __future__ import annotations

from octavo.site.naming.labels import label_of_name
from octavo.site.naming.names import (
    OWN_FILES,
    FileNames,
    explain_answered,
    explain_bad_file,
    explain_bad_route,
    explain_unportable,
    fold,
)
from octavo.site.naming.route_table import RouteTable
from octavo.site.naming.secret_files import held_secret

__all__ = [
    "OWN_FILES",
    "FileNames",
    "RouteTable",
    "explain_answered",
    "explain_bad_file",
    "explain_bad_route",
    "explain_unportable",
    "fold",
    "held_secret",
    "label_of_name",
]
