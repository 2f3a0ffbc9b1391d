"""Settings of a site: what `octavo.toml` may hold, how it is read, and how mistakes in it are explained."""

from __future__ import annotations

from octavo.config.blogs import Author, Blog
from octavo.config.head import HeadTag, Script
from octavo.config.load import load_config, parse_config
from octavo.config.markdown import Extension, MarkdownFolder
from octavo.config.mistakes import explain, line_of_key, line_of_text, line_of_value, read_settings, show_value
from octavo.config.references import ApiReference, CommandReference, Guide, Inventory
from octavo.config.schema import (
    CONFIG_NAME,
    Analytics,
    Announcement,
    CategoryLink,
    ColorMode,
    Config,
    Feedback,
    Footer,
    FooterColumn,
    Images,
    Locale,
    Logo,
    Navbar,
    NavItem,
    Redirect,
    Routing,
    ServerSettings,
    Sidebar,
    SidebarEntry,
    Version,
)
from octavo.config.schema.levels import DiagnosticLevels
from octavo.config.schema.search import Insights, Search, SearchEngine
from octavo.config.search_rules import (
    SEARCH_RULES_NAME,
    RulePart,
    RulePlaces,
    SearchRule,
    SearchRules,
    SearchSynonym,
    parse_search_rules,
)
from octavo.config.server import check_search_engine, check_server
from octavo.config.theme import CodeTheme, ColorPair, Font, FontFile, Fonts, Preset, Stack, ThemeSettings, Widths
from octavo.config.variables import fill_values, load_variables
from octavo.config.versions import find_version_problems
from octavo.config.words import label_in, label_texts, localized, missing_words, site_words

__all__ = [
    "CONFIG_NAME",
    "SEARCH_RULES_NAME",
    "Analytics",
    "Announcement",
    "ApiReference",
    "Author",
    "Blog",
    "CategoryLink",
    "CodeTheme",
    "ColorMode",
    "ColorPair",
    "CommandReference",
    "Config",
    "DiagnosticLevels",
    "Extension",
    "Feedback",
    "Font",
    "FontFile",
    "Fonts",
    "Footer",
    "FooterColumn",
    "Guide",
    "HeadTag",
    "Images",
    "Insights",
    "Inventory",
    "Locale",
    "Logo",
    "MarkdownFolder",
    "NavItem",
    "Navbar",
    "Preset",
    "Redirect",
    "Routing",
    "RulePart",
    "RulePlaces",
    "Script",
    "Search",
    "SearchEngine",
    "SearchRule",
    "SearchRules",
    "SearchSynonym",
    "ServerSettings",
    "Sidebar",
    "SidebarEntry",
    "Stack",
    "ThemeSettings",
    "Version",
    "Widths",
    "check_search_engine",
    "check_server",
    "explain",
    "fill_values",
    "find_version_problems",
    "label_in",
    "label_texts",
    "line_of_key",
    "line_of_text",
    "line_of_value",
    "load_config",
    "load_variables",
    "localized",
    "missing_words",
    "parse_config",
    "parse_search_rules",
    "read_settings",
    "show_value",
    "site_words",
]
