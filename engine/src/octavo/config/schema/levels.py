"""`[diagnostics]`: how much each kind of finding weighs."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

import msgspec

from octavo.config.table import Table
from octavo.diagnostics import Level


class DiagnosticLevels(Table, frozen=True, kw_only=True):
    """Level of each finding."""

    errors: Level | None = None
    """Level of all findings that are errors by default, unless this table sets a level for them."""
    released: Level = "warn"
    """Highest level of findings in old versions from tags or branches, which usually cannot be corrected any more. The
    latest release and the current documents have the levels below."""
    broken_links: Level = "error"
    broken_anchors: Level = "warn"
    broken_assets: Level = "error"
    duplicate_routes: Level = "warn"
    duplicate_anchors: Level = "warn"
    sidebar_membership: Level = "warn"
    missing_alt: Level = "warn"
    vanished_addresses: Level = "error"
    """An address in `addresses.txt` no longer has a page or a redirect."""
    vanished_anchors: Level = "warn"
    """A heading in `addresses.txt` is no longer on its page."""
    # The kinds below weigh what the finding itself says, unless a level is given.
    address_clash: Level | None = None
    """A file and a folder have the same address."""
    announcement_routes: Level | None = None
    blog: Level | None = None
    card: Level | None = None
    category_file: Level | None = None
    commands: Level | None = None
    """A description of commands cannot be read, or contradicts itself."""
    component: Level | None = None
    """A React component of the site cannot be compiled, run, or rendered."""
    component_import: Level | None = None
    """A component imports a module that is not available."""
    component_props: Level | None = None
    """A page passes props of the wrong type to a component."""
    component_react: Level | None = None
    """A component uses a React feature that is not published."""
    crossed_html: Level | None = None
    displayed_sidebar: Level | None = None
    duplicate_definition: Level | None = None
    """A link or a footnote is defined twice."""
    duplicate_id: Level | None = None
    empty_heading: Level | None = None
    empty_link: Level | None = None
    encoding: Level | None = None
    contrast: Level | None = None
    """Two colors have too little contrast."""
    critic_mark: Level | None = None
    """The text contains CriticMarkup, such as `{++ ++}`."""
    empty_block: Level | None = None
    """An admonition, a tab or a group without content."""
    export: Level | None = None
    extension: Level | None = None
    """An extension cannot be loaded, has failed, or took too long."""
    extension_finding: Level | None = None
    """An extension reports a problem."""
    extension_input: Level | None = None
    """An extension has an undeclared input; found by `octavo check --extensions`."""
    external_link: Level | None = None
    """A link to another site does not work; found by `octavo check --external`."""
    expression: Level | None = None
    foreign_syntax: Level | None = None
    """Syntax of another engine is shown as text."""
    formula: Level | None = None
    """A formula has an error."""
    fence_option: Level | None = None
    """A word after a code fence is nearly an option."""
    front_matter: Level | None = None
    front_matter_key: Level | None = None
    """A front matter key is unknown."""
    heading_order: Level | None = None
    highlight_range: Level | None = None
    idle_setting: Level | None = None
    """A setting has no effect."""
    icon: Level | None = None
    """An icon does not exist."""
    image_content: Level | None = None
    import_: Level | None = msgspec.field(default=None, name="import")
    large_file: Level | None = None
    """A file is too large for readers or hosts."""
    link_space: Level | None = None
    long_address: Level | None = None
    malformed_address: Level | None = None
    """An address is malformed."""
    malformed_tag: Level | None = None
    mdx_syntax: Level | None = None
    """MDX syntax in a CommonMark file."""
    mermaid: Level | None = None
    misplaced_html: Level | None = None
    """An HTML tag that browsers ignore where it is."""
    missing_partial: Level | None = None
    missing_prop: Level | None = None
    missing_snippet: Level | None = None
    """A snippet, or the section of it that a line includes, does not exist."""
    missing_switch: Level | None = None
    """The site has several languages or versions, and no switch between them."""
    missing_version: Level | None = None
    """A version that `[versions]` asks for cannot be read from the repository."""
    no_pages: Level | None = None
    """The site has no page at all."""
    notebook: Level | None = None
    """A notebook is damaged, or has shown something that no page can show."""
    offline_search: Level | None = None
    """The search index is too large for readers' browsers to store it."""
    openapi: Level | None = None
    openapi_unreachable: Level | None = None
    pagination: Level | None = None
    recursive_partial: Level | None = None
    refused_request: Level | None = None
    """A script sends a request that the content security policy blocks."""
    reserved_address: Level | None = None
    """A page, file, or redirect has a reserved address."""
    search_rule: Level | None = None
    """A rule or a synonym in `search.toml` has no effect."""
    second_title: Level | None = None
    secret_file: Level | None = None
    """A file of the static folder holds a password, a key or a token."""
    sidebar: Level | None = None
    similar_address: Level | None = None
    """Two addresses differ only by case or Unicode normalization."""
    slot: Level | None = None
    """A slot has the wrong name or version."""
    slow_code: Level | None = None
    social_card: Level | None = None
    """A page has no social card, because the font does not contain its title."""
    special_file: Level | None = None
    """A file is not a regular file."""
    stray_end: Level | None = None
    stray_mark: Level | None = None
    """`**`, a backtick, `##` or brackets are shown as text, because something is missing beside them."""
    stub_component: Level | None = None
    """A component is a placeholder that an import has created."""
    style_sheet: Level | None = None
    """A style sheet of the site contains something that browsers drop."""
    table: Level | None = None
    table_cells: Level | None = None
    tabs: Level | None = None
    themed_image: Level | None = None
    too_deep: Level | None = None
    too_many_partials: Level | None = None
    translation_suffix: Level | None = None
    """A file is named like a translation in a language that the site does not have."""
    unclosed: Level | None = None
    unclosed_comment: Level | None = None
    unclosed_fence: Level | None = None
    unclosed_html: Level | None = None
    undefined_footnote: Level | None = None
    undefined_reference: Level | None = None
    unknown_admonition: Level | None = None
    unknown_attribute: Level | None = None
    """The name of an attribute is nearly one that exists, and has no effect."""
    unknown_component: Level | None = None
    unknown_language: Level | None = None
    unknown_scheme: Level | None = None
    unknown_variable: Level | None = None
    """A variable does not exist."""
    unused_label: Level | None = None
    """A translation in `[labels]` belongs to no text of the site."""
    untranslated_words: Level | None = None
    """The user interface is not translated into a language of the site."""
    unportable_address: Level | None = None
    """A file name is not valid on Windows."""
    unsafe_address: Level | None = None
    """A file name contains invalid characters."""
    unsafe_link: Level | None = None
    unset_url: Level | None = None
    """The address of the site is not set."""
    unreadable: Level | None = None
    """A file cannot be read."""
    unused_footnote: Level | None = None
    unused_redirect: Level | None = None
    """A redirect has no effect, because a page or a file has its address."""
    unused_content: Level | None = None
    unused_file: Level | None = None
    """A Markdown file that starts with an underscore is included by no page."""
    version_mark: Level | None = None
    """`<Since>`, `<Changed>` or `<Removed>` without a version."""

    def by_code(self) -> dict[str, Level]:
        """Levels that are given, by the code of the finding, such as `unknown-component`."""
        plural = {"missing-alt": self.missing_alt, "duplicate-anchor": self.duplicate_anchors}
        given = {code: level for name, code in _optional_codes() if (level := getattr(self, name)) is not None}
        return {**plural, **given}

    def of_unnamed(self, code: str, level: Level) -> Level:
        """Level of a finding of level `level` whose kind `by_code` does not have."""
        return level if self.errors is None or level != "error" or code in _NOT_LOWERED else self.errors

    def with_errors(self, named: Collection[str]) -> DiagnosticLevels:
        """Apply `errors` to the kinds that are errors by default and have a level in every table.

        Args:
            named: Keys that the table of the file has; their levels stay.
        """
        if self.errors is None:
            return self
        return msgspec.structs.replace(self, **{name: self.errors for name in _errors() if name not in named})


_NOT_LOWERED = frozenset(
    [
        "render",
        "no-pages",
        "broken-link",
        "broken-anchor",
        "broken-asset",
        "duplicate-route",
        "vanished-address",
        "vanished-anchor",
    ]
)
"""Kinds whose findings have the level of the settings from the start; and failures of the theme, with which nothing is published."""


@cache
def _errors() -> tuple[str, ...]:
    """Names of the levels that are "error" by default; kept for the same reason as `_optional_codes`."""
    return tuple(field.name for field in msgspec.structs.fields(DiagnosticLevels) if field.default == "error")


@cache
def _optional_codes() -> tuple[tuple[str, str], ...]:
    """(field, code of its findings) of the levels that a site may leave out.

    Kept, because msgspec evaluates the annotations of the whole class each time: 5 ms of each build and each save in `octavo dev`.
    """
    return tuple(
        (field.name, field.encode_name.replace("_", "-"))
        for field in msgspec.structs.fields(DiagnosticLevels)
        if field.default is None and field.name != "errors"
    )
