"""Findings between pages: links, addresses, settings."""

from __future__ import annotations

from octavo.checks.addresses import check_addresses
from octavo.checks.baseline import Compared, compare_findings, load_baseline, save_baseline
from octavo.checks.elsewhere import links_to_other_sites
from octavo.checks.findings import SourceLines, complete_findings
from octavo.checks.idle_settings import find_idle_settings
from octavo.checks.links import LinkChecker, check_collisions
from octavo.checks.requests import find_refused_requests
from octavo.checks.search_rules import check_search_rules
from octavo.checks.settings import check_publication, check_settings

__all__ = [
    "Compared",
    "LinkChecker",
    "SourceLines",
    "check_addresses",
    "check_collisions",
    "check_publication",
    "check_search_rules",
    "check_settings",
    "compare_findings",
    "complete_findings",
    "find_idle_settings",
    "find_refused_requests",
    "links_to_other_sites",
    "load_baseline",
    "save_baseline",
]
