"""From compiled documents to a site: routes, sidebars, links, assets, redirects, the ledger of addresses."""

from __future__ import annotations

from octavo.site.addresses import (
    LEDGER_NAME,
    find_vanished,
    keep_addresses,
    ledger_problem,
    list_addresses,
    load_ledger,
    parse_ledger,
    renew_addresses,
    split_address,
    write_ledger,
)
from octavo.site.assemble import Root, assemble_site, edition_roots, find_sources, with_summaries
from octavo.site.assets import AssetStore
from octavo.site.folding import fold_items, is_large, opens_too_much
from octavo.site.history import Change, find_head, load_history
from octavo.site.links import PLACE, LinkResolver, Target
from octavo.site.model import (
    CategoryNode,
    DocNode,
    DocumentSummary,
    Edition,
    EditionInfo,
    EditionKey,
    LinkNode,
    Page,
    PageLink,
    SidebarNode,
    Site,
    Source,
)
from octavo.site.naming import Names as FileNames
from octavo.site.naming import explain_bad_file, explain_bad_route, explain_unportable, fold
from octavo.site.redirects import WHOLE_FOLDER, Redirects
from octavo.site.routes import document_id, document_route, other_slash_form
from octavo.site.sidebar import is_group, is_shown, sidebar_label
from octavo.site.sources import (
    CATEGORY_NAMES,
    MARKDOWN_SUFFIXES,
    collect_sources,
    docs_root,
    excluded_paths,
    explain_special,
    find_left_out,
    is_inside,
    is_plain,
    list_folder,
    mount_root,
    pages_root,
    walk_files,
)
from octavo.site.suggest import Names, nearest

__all__ = [
    "CATEGORY_NAMES",
    "LEDGER_NAME",
    "MARKDOWN_SUFFIXES",
    "PLACE",
    "WHOLE_FOLDER",
    "AssetStore",
    "CategoryNode",
    "Change",
    "DocNode",
    "DocumentSummary",
    "Edition",
    "EditionInfo",
    "EditionKey",
    "FileNames",
    "LinkNode",
    "LinkResolver",
    "Names",
    "Page",
    "PageLink",
    "Redirects",
    "Root",
    "SidebarNode",
    "Site",
    "Source",
    "Target",
    "assemble_site",
    "collect_sources",
    "docs_root",
    "document_id",
    "document_route",
    "edition_roots",
    "excluded_paths",
    "explain_bad_file",
    "explain_bad_route",
    "explain_special",
    "explain_unportable",
    "find_head",
    "find_left_out",
    "find_sources",
    "find_vanished",
    "fold",
    "fold_items",
    "is_group",
    "is_inside",
    "is_large",
    "is_plain",
    "is_shown",
    "keep_addresses",
    "ledger_problem",
    "list_addresses",
    "list_folder",
    "load_history",
    "load_ledger",
    "mount_root",
    "nearest",
    "opens_too_much",
    "other_slash_form",
    "pages_root",
    "parse_ledger",
    "renew_addresses",
    "sidebar_label",
    "split_address",
    "walk_files",
    "with_summaries",
    "write_ledger",
]
