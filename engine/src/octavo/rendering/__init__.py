"""Pages to HTML: payloads, the theme in V8, the document around it."""

from __future__ import annotations

from octavo.rendering.authored import (
    LAYOUT_PARTS,
    UNDRAWN,
    ComponentDrawer,
    Drawn,
    InnerHtml,
    PageIslands,
    Use,
    draw_authored,
    is_authored,
    use_of,
)
from octavo.rendering.csp import scan_needs, write_policy
from octavo.rendering.document_html import write_font_links
from octavo.rendering.engine import Engines
from octavo.rendering.offline_worker import OFFLINE_WORKER, write_offline_worker
from octavo.rendering.page_record import PageJob, PageRecord, Sink, has_cards, not_found_route
from octavo.rendering.page_renderer import PARALLEL_FROM, PageRenderer
from octavo.rendering.payloads import PayloadMaker
from octavo.rendering.scan import scan_html
from octavo.rendering.theme import (
    PAGE_SHEETS,
    THEME_DIR,
    OfflineTheme,
    Theme,
    load_offline_theme,
    load_theme,
    read_theme_file,
)

__all__ = [
    "LAYOUT_PARTS",
    "OFFLINE_WORKER",
    "PAGE_SHEETS",
    "PARALLEL_FROM",
    "THEME_DIR",
    "UNDRAWN",
    "ComponentDrawer",
    "Drawn",
    "Engines",
    "InnerHtml",
    "OfflineTheme",
    "PageIslands",
    "PageJob",
    "PageRecord",
    "PageRenderer",
    "PayloadMaker",
    "Sink",
    "Theme",
    "Use",
    "draw_authored",
    "has_cards",
    "is_authored",
    "load_offline_theme",
    "load_theme",
    "not_found_route",
    "read_theme_file",
    "scan_html",
    "scan_needs",
    "use_of",
    "write_font_links",
    "write_offline_worker",
    "write_policy",
]
