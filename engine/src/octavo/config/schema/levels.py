"""`[diagnostics]`: how much each kind of finding weighs."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from octavo.diagnostics import Level


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of every table of the file: unknown keys are refused."""


class DiagnosticLevels(_Table, frozen=True, kw_only=True):
    """How much each kind of finding weighs."""

    errors: Level | None = None
    """Level of every finding that would be an error, where this table gives its kind no level of its own."""
    broken_links: Level = "error"
    broken_anchors: Level = "warn"
    broken_assets: Level = "error"
    duplicate_routes: Level = "warn"
    duplicate_anchors: Level = "warn"
    sidebar_membership: Level = "warn"
    missing_alt: Level = "warn"
    vanished_addresses: Level = "error"
    """An address that `addresses.txt` lists has neither a page nor a redirect any more."""
    vanished_anchors: Level = "warn"
    """A heading that `addresses.txt` lists is no longer in its page."""
    # The kinds below weigh what the finding itself says, unless a level is given.
    address_clash: Level | None = None
    """A file lies where another one needs a folder."""
    announcement_routes: Level | None = None
    blog: Level | None = None
    card: Level | None = None
    category_file: Level | None = None
    component: Level | None = None
    """A component of the site in React that cannot be compiled, run or drawn."""
    component_import: Level | None = None
    """An import of a component that is no file of the site and no public module."""
    component_props: Level | None = None
    """A page gives a component values that are not of the types its file names, or not all of them."""
    component_react: Level | None = None
    """A component uses what the published copy of React is without."""
    crossed_html: Level | None = None
    displayed_sidebar: Level | None = None
    duplicate_id: Level | None = None
    empty_heading: Level | None = None
    empty_link: Level | None = None
    encoding: Level | None = None
    contrast: Level | None = None
    """Two colors of the theme are too close to each other to be read."""
    critic_mark: Level | None = None
    """A mark of an editor, `{++ ++}` and its relatives, that is still there."""
    empty_block: Level | None = None
    """An admonition, a tab or a group without content."""
    export: Level | None = None
    extension: Level | None = None
    """An extension cannot be loaded, has failed, or took too long."""
    extension_finding: Level | None = None
    """What an extension reports."""
    extension_input: Level | None = None
    """A function of an extension depends on what it did not declare; found by `octavo check --extensions`."""
    external_link: Level | None = None
    """A link to another site that `octavo check --external` has not found there."""
    expression: Level | None = None
    foreign_syntax: Level | None = None
    """A construct of another engine that is shown to readers as text."""
    formula: Level | None = None
    """A formula that cannot be read."""
    front_matter: Level | None = None
    front_matter_key: Level | None = None
    """A key that is not known, or means something to another engine only."""
    heading_order: Level | None = None
    highlight_range: Level | None = None
    icon: Level | None = None
    """An icon that is left out."""
    image_content: Level | None = None
    import_: Level | None = msgspec.field(default=None, name="import")
    large_file: Level | None = None
    """A picture that is too heavy for a page, or a file that hosts of static sites refuse."""
    link_space: Level | None = None
    long_address: Level | None = None
    malformed_address: Level | None = None
    """An address of another host that no browser can read."""
    malformed_tag: Level | None = None
    mdx_syntax: Level | None = None
    """A construct of MDX in a file that is CommonMark."""
    mermaid: Level | None = None
    missing_partial: Level | None = None
    missing_prop: Level | None = None
    missing_snippet: Level | None = None
    """A file that a line takes in, or a part of it, is not there."""
    missing_version: Level | None = None
    """A version that `[versions]` asks for cannot be read from the repository."""
    no_pages: Level | None = None
    """The site has no page at all."""
    offline_search: Level | None = None
    """The search index is too large for readers' browsers to store it."""
    openapi: Level | None = None
    openapi_unreachable: Level | None = None
    pagination: Level | None = None
    recursive_partial: Level | None = None
    reserved_address: Level | None = None
    """A page, file or redirect has the name of a file that a build writes itself."""
    search_rule: Level | None = None
    """A page that `search.toml` names is gone, or is none that search finds."""
    second_title: Level | None = None
    sidebar: Level | None = None
    similar_address: Level | None = None
    """Two routes differ only by case, or by their Unicode normal form."""
    slot: Level | None = None
    """A file in `slots/` that no place of a page shows, or that was written for another version of its contract."""
    slow_code: Level | None = None
    social_card: Level | None = None
    """A page without a social card, since the font lacks characters of its title."""
    special_file: Level | None = None
    """A link that is not followed, or a pipe, in the place of a page or a static file."""
    stray_end: Level | None = None
    stub_component: Level | None = None
    """A component that an import could not take over, and that nobody has written since."""
    table: Level | None = None
    table_cells: Level | None = None
    tabs: Level | None = None
    themed_image: Level | None = None
    too_deep: Level | None = None
    too_many_partials: Level | None = None
    unclosed: Level | None = None
    unclosed_comment: Level | None = None
    unclosed_fence: Level | None = None
    unclosed_html: Level | None = None
    undefined_footnote: Level | None = None
    undefined_reference: Level | None = None
    unknown_admonition: Level | None = None
    unknown_component: Level | None = None
    unknown_language: Level | None = None
    unknown_scheme: Level | None = None
    unknown_variable: Level | None = None
    """`{{ name }}` of no variable."""
    untranslated_words: Level | None = None
    """The theme has no words in a language of the site."""
    unportable_address: Level | None = None
    """A page or a file has a name that no file on Windows can have."""
    unsafe_address: Level | None = None
    """A name has characters that no server would serve."""
    unsafe_link: Level | None = None
    unset_url: Level | None = None
    """The site is built for publication, and `url` does not say where."""
    unreadable: Level | None = None
    """A file that may not be read, or that vanished during the build."""
    unused_redirect: Level | None = None
    """A redirect starts at the address of a page or a file, which goes before it."""
    unused_content: Level | None = None
    unused_file: Level | None = None
    """A Markdown file with an underscore in front that no page takes in."""

    def by_code(self) -> dict[str, Level]:
        """Levels that are given, by the code of the finding, such as `unknown-component`."""
        plural = {"missing-alt": self.missing_alt, "duplicate-anchor": self.duplicate_anchors}
        given = {
            field.encode_name.replace("_", "-"): level
            for field in msgspec.structs.fields(self)
            if field.default is None and field.name != "errors" and (level := getattr(self, field.name)) is not None
        }
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
        levels = {
            field.name: self.errors
            for field in msgspec.structs.fields(self)
            if field.default == "error" and field.name not in named
        }
        return msgspec.structs.replace(self, **levels)


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
