"""Check `octavo.toml` for what is allowed, and does nothing for readers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from octavo.checks.search_rules import idle_synonyms
from octavo.config import CONFIG_NAME, Config, NavItem, SidebarEntry, line_of_text
from octavo.diagnostics import Diagnostic, Span
from octavo.lazy import regex as re
from octavo.site import nearest

CODE = "idle-setting"

_Problem = tuple[str, str, str]
"""A text by which its line is found, message, suggestion."""

_DIRECTIVES = frozenset(
    "base-uri child-src connect-src default-src font-src form-action frame-ancestors frame-src img-src manifest-src "  # noqa: SIM905
    "media-src navigate-to object-src prefetch-src report-to report-uri require-trusted-types-for sandbox script-src "
    "script-src-attr script-src-elem style-src style-src-attr style-src-elem trusted-types upgrade-insecure-requests "
    "worker-src".split()
)
_WILDCARD = re.compile(r"[*?]")
_MACRO = re.compile(r"\\(?:[A-Za-z@]+|[^A-Za-z@\s])")
_MARKDOWN = re.compile(r"\[[^\[\]\n]+\]\([^()\s]+\)|\*\*\w[^*\n]*\*\*")


def find_idle_settings(
    config: Config, text: str, *, extensions: Iterable[str] | None, names_in: Callable[[str], Collection[str] | None]
) -> Iterator[Diagnostic]:
    """Find settings that have no effect.

    Args:
        config: The settings.
        text: The text of `octavo.toml`.
        extensions: Names of the extensions; None where one cannot be loaded.
        names_in: Lists the names in a folder, by its path from the site's folder; None where there is no such folder.
    """
    for word, message, suggestion in (
        *_bar(config),
        *(problem for sidebar in config.sidebars for problem in _entries(sidebar.items)),
        *_announcements(config),
        *_folders(config, names_in),
        *_redirects(config),
        *_formulas(config),
        *_synonyms(config),
        *_names(config, None if extensions is None else frozenset(extensions)),
    ):
        yield Diagnostic(CODE, "warn", Span(CONFIG_NAME, line_of_text(text, word)), message, suggestion)


def _synonyms(config: Config) -> Iterator[_Problem]:
    for word, others in config.search.synonyms.items():
        if not others:
            yield word, f'"{word}" has an empty list of synonyms.', "Write words that mean the same, or remove it."
        yield from idle_synonyms([word, *others], [(word, other) for other in others])


def _bar(config: Config) -> Iterator[_Problem]:
    for item in config.navbar.items:
        yield from _item(item, "the top bar")
    for column in config.footer.columns:
        if not column.items:
            yield column.title, f'The column "{column.title}" of the footer is empty.', "Add entries, or remove it."
        for item in column.items:
            yield from _item(item, "the footer")


def _item(item: NavItem, place: str) -> Iterator[_Problem]:
    if item.type != "link":
        return
    shown = item.href or item.sidebar or item.icon or "items"
    if not item.label:
        yield (
            shown,
            f"An entry of {place} has no text: there is nothing to read and nothing to hear.",
            "Give it a label.",
        )
    elif not item.href and not item.sidebar and not item.items:
        yield item.label, f'The entry "{item.label}" of {place} leads nowhere.', "Give it an href, a sidebar or items."
    for inner in item.items:
        yield from _item(inner, place)


def _entries(entries: Iterable[SidebarEntry]) -> Iterator[_Problem]:
    for entry in entries:
        if entry.category is not None and not entry.items and entry.link is None:
            message = f'The category "{entry.category}" has no entries and leads nowhere.'
            yield entry.category, message, "Add entries or a link, or remove it."
        yield from _entries(entry.items)


def _announcements(config: Config) -> Iterator[_Problem]:
    for bar in config.announcements:
        if not bar.content.strip():
            yield bar.id, f'The announcement "{bar.id}" is empty.', "Give it a content, or remove it."
        elif (mark := _MARKDOWN.search(bar.content)) is not None:
            message = f'"{mark[0]}" is shown as text: the content of an announcement is HTML.'
            yield bar.id, message, 'Write <a href="…">…</a> or <strong>…</strong>.'


def _folders(config: Config, names_in: Callable[[str], Collection[str] | None]) -> Iterator[_Problem]:
    for folder in config.mounts:
        if names_in(folder) is None:
            yield folder, f'mounts: there is no folder "{folder}".', "Paths start at the folder of the site."
    for setting, folder, default in (
        ("static", config.static, "static"),
        ("components", config.components, "components"),
    ):
        # Without the setting, a site may do without the folder.
        if folder != default and names_in(folder) is None:
            message = f'{setting}: there is no folder "{folder}".'
            yield folder, message, "Paths start at the folder of the site."
    for pattern in config.exclude:
        hint = "Patterns start at the folder of the site, without a slash: docs/drafts/**."
        # Only the folders before the first wildcard: all files would have to be listed to know what the rest matches.
        folder = _WILDCARD.split(pattern, maxsplit=1)[0]
        folder = folder.rpartition("/")[0] if folder != pattern else folder
        close = None
        above, _, name = folder.rpartition("/")
        if above and folder != pattern and not pattern.startswith(("/", ".")):
            # Folders of tools and outputs are left out before there are any: only a near miss is a mistake.
            names = names_in(above) or ()
            close = None if name in names else nearest(name, names)
            hint = f'Did you mean "{above}/{close}"?' if close else hint
        if pattern.startswith(("/", "./", "../")) or close is not None:
            yield pattern, f'exclude: "{pattern}" matches no file, so nothing is left out.', hint


def _redirects(config: Config) -> Iterator[_Problem]:
    seen: dict[str, str] = {}
    for redirect in config.redirects:
        source = redirect.source
        if (first := seen.setdefault(source, redirect.to)) != redirect.to:
            message = f'redirects: "{source}" leads to "{first}" and to "{redirect.to}"; only one of them is used.'
            yield redirect.to, message, "Remove one of the two."
        if mark := next((mark for mark in "?#" if mark in source), ""):
            message = f'redirects: "{source}" is never asked for: addresses are compared without what follows "{mark}".'
            yield source, message, "Write the path alone."


def _formulas(config: Config) -> Iterator[_Problem]:
    folders = config.markdown.values() if isinstance(config.markdown, dict) else ()
    for folder in folders:
        for name, body in () if isinstance(folder, str) else folder.formula_macros.items():
            setting = f'markdown.formula_macros: "{name}"'
            if _MACRO.fullmatch(name) is None:
                message = f"{setting} is not a name of a command: none is replaced by it."
                yield name, message, 'Begin it with a backslash, which is written twice between double quotes: "\\\\R".'
            elif body.replace("\\{", "").count("{") != body.replace("\\}", "").count("}"):
                message = f"{setting} has a brace without its other end: formulas that use it cannot be read."
                yield name, message, "Close each brace."


def _names(config: Config, extensions: frozenset[str] | None) -> Iterator[_Problem]:
    for name in config.extension_options:
        if extensions is not None and name not in extensions:
            close = nearest(name, extensions)
            hint = f'Did you mean "{close}"?' if close else "Name it in `extensions` as well, or remove its options."
            yield name, f'extension_options: the site has no extension "{name}".', hint
    for directive in config.content_policy:
        if directive not in _DIRECTIVES:
            close = nearest(directive, _DIRECTIVES)
            hint = f'Did you mean "{close}"?' if close else ""
            yield directive, f'content_policy: browsers know no directive "{directive}".', hint
