"""Every setting of `octavo.toml`, read off the structs: for the reference, and as a JSON Schema for editors."""

from __future__ import annotations

import types
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from octavo.config import Config, SearchRules
from octavo.manual.catalogue import load_catalogue
from octavo.manual.fields import default_of, encoded_names, field_sentences, sentence_of

NO_SETTINGS = frozenset({"search.rules"})
"""Fields of the structs that cannot be written in the file."""
SENTENCES = {
    "Config.routing": "How Octavo derives routes from file names. Change it to keep the addresses of a site that used another engine.",
    "Config.title": "Name of the site, shown in the top bar, the browser tab, and link previews.",
    "Config.tagline": "Short description of the site, used on pages without a description and in `llms.txt`.",
    "Config.favicon": "Icon of the browser tab: an address in the static folder, such as `/img/mark.svg`.",
    "Config.site_version": "Version of the content, published in the metadata of the site.",
    "Config.title_delimiter": "Character between the title of the page and the title of the site in the browser tab.",
    "Config.shows_last_update": "Show the date of the last change on each page, from git or from the front matter.",
    "Config.locales": "Languages of the site. By default, there is one.",
    "Config.versions": "Versions of the documentation. By default, there is one.",
    "Config.sidebars": "Sidebars with their entries. Each document is in exactly one.",
    "Config.blogs": "Folders with dated posts, such as a blog or news.",
    "Config.commands": "Command-line programs whose commands have reference pages.",
    "Config.openapi": "APIs whose OpenAPI descriptions have reference pages.",
    "Config.redirects": "Redirects from old addresses.",
    "Config.announcements": "Announcement bars above the top bar.",
    "Config.diagnostics": "Level of each finding: `error`, `warn`, or `ignore`. Findings with the level `error` fail the build.",
    "Config.navbar": "The top bar.",
    "Config.footer": "The footer of all pages.",
    "Config.color_mode": "Light and dark mode.",
    "Locale.label": "Name of the language in the language itself, such as `Deutsch`.",
    "Locale.dir": "Text direction. With `auto`, it depends on the language.",
    "Version.name": "Name of the version in other settings and in git.",
    "Version.label": "Name of the version for readers.",
    "Version.banner": 'Banner above the pages of the version: none, "unreleased", or "no longer maintained".',
    "Sidebar.id": "Name of the sidebar in other settings.",
    "Sidebar.label": "Name of the sidebar for readers.",
    "Sidebar.is_collapsed": "Collapse categories until the reader opens one of their pages. By default, they are open in sidebars with up to 40 entries, all levels counted, and collapsed in larger ones.",
    "Sidebar.items": "Entries of the sidebar, from top to bottom.",
    "SidebarEntry.label": "Text of the entry. By default, that of the document.",
    "SidebarEntry.items": "Entries of the category.",
    "SidebarEntry.link": "Target of the label of the category. By default, the label only opens the category.",
    "SidebarEntry.is_collapsed": "Collapse the category until the reader opens one of its pages. By default, as `is_collapsed` of the sidebar says.",
    "SidebarEntry.is_collapsible": "Let readers expand and collapse the category.",
    "SidebarEntry.class_name": "CSS class for your style sheets.",
    "SidebarEntry.badge": "Short text behind the label. By default, `sidebar_badge` of the document.",
    "CategoryLink.type": "`doc` for a document, `generated-index` for a page with a card for each document of the category.",
    "CategoryLink.title": "Title of the generated page. By default, the label.",
    "CategoryLink.description": "Description of the category, for the page and for link previews.",
    "CategoryLink.keywords": "Keywords of the generated page.",
    "CategoryLink.image": "Image for link previews of the generated page.",
    "Navbar.title": "Text beside the logo. By default, the title of the site.",
    "Navbar.logo": "Logo in the top bar.",
    "Navbar.hide_on_scroll": "Hide the top bar while the reader scrolls down.",
    "Navbar.items": "Entries of the top bar.",
    "Logo.alt": "Alternative text. Leave it empty if the title beside the logo says the same.",
    "Logo.href": "Address that the logo links to.",
    "NavItem.label": "Text of the entry.",
    "NavItem.position": "Side of the top bar.",
    "Footer.logo": "Logo in the footer.",
    "Footer.copyright": "Last line of the footer.",
    "Footer.columns": "Columns of links.",
    "FooterColumn.title": "Heading of the column.",
    "FooterColumn.items": "Links of the column.",
    "ColorMode.respect_system": "Use the mode of the operating system until the reader selects one.",
    "ColorMode.has_switch": "Show the switch between light and dark mode.",
    "ThemeSettings.widths": "Widths of the parts of a page.",
    "ThemeSettings.code": "Colors of code.",
    "ColorPair.light": "Color in light mode.",
    "ColorPair.dark": "Color in dark mode.",
    "Widths.sidebar": "Width of the sidebar.",
    "Fonts.headings": "Font of headings.",
    "Fonts.text": "Font of text.",
    "Fonts.code": "Font of code.",
    "Font.family": "Name of the font.",
    "FontFile.style": "Normal or italic.",
    "CodeTheme.light": "Pygments style in light mode.",
    "CodeTheme.dark": "Pygments style in dark mode.",
    "Script.is_module": "Load it as a JavaScript module.",
    "HeadTag.tag": "Name of the element.",
    "HeadTag.attributes": "Attributes of the element.",
    "SocialCards.background": "Background color, as `#rrggbb`.",
    "SocialCards.color": "Color of the title, as `#rrggbb`.",
    "Feedback.is_enabled": "Ask readers below each document.",
    "Feedback.question": 'Text of the question. By default, "Was this page helpful?" in the language of the page.',
    "Announcement.background": "Background color, as in CSS.",
    "Announcement.color": "Text color, as in CSS.",
    "Announcement.is_closeable": "Let readers close the bar.",
    "Announcement.is_enabled": "Show the bar.",
    "Search.is_enabled": "Provide search.",
    "Search.app_id": "Application id that clients send.",
    "Search.index_name": "Name of the search index.",
    "Search.placeholder": 'Text of the search button and the empty search field. By default, "Search docs" in the language of the page.',
    "ApiReference.description": "Description for link previews. By default, that of the API description.",
    "ApiReference.sidebar_label": "Text of the entry in the sidebar.",
    "ApiReference.sidebar_position": "Position of the entry in the sidebar.",
    "Guide.label": "Text of the link.",
}
"""Fields whose name says enough to a reader of the code, but not to a reader of a table."""


EXAMPLES: dict[str, Any] = {
    "title": "My documentation",
    "label": "Guides",
    "id": "docs",
    "name": "v2",
    "path": "v2",
    "url": "https://docs.example.com",
    "href": "/guides/install",
    "src": "/img/logo.svg",
    "src_dark": "/img/logo-dark.svg",
    "alt": "Logo of Octavo",
    "favicon": "/img/mark.svg",
    "icon": "/img/icon.png",
    "image": "/img/card.png",
    "edit_url": "https://git.example.com/docs/edit/main/",
    "glossary": "glossary.toml",
    "doc": "reference/api",
    "docs": "docs/v2",
    "spec": "openapi/shop.json",
    "source": "commands/pot.yaml",
    "folder": "blog",
    "from": "/old/page",
    "to": "/new/page",
    "content": "Version 2 is out.",
    "slug": "/guides",
    "accent": "#8c1d2f",
    "light": "#2a49c4",
    "dark": "#a5b6ff",
    "text": "42rem",
    "column": "48rem",
    "sidebar": "18rem",
    "contents": "16rem",
    "page": "90rem",
    "family": "Source Sans 3",
    "heading_weight": 500,
    "locales": "en",
    "endpoint": "/feedback",
    "host": "https://insights.example.com",
    "command": "shop serve",
    "introduction": "docs/_shop.md",
    "url_env": "SHOP_SPEC_URL",
    "consent_script": "/consent.js",
    "missing_results_url": "https://example.com/report?q={query}",
    "font": "fonts/title.ttf",
    "sidebar_position": 2,
    "tagline": "Everything about our product",
    "exclude": "docs/internal/**",
    "styles": "/css/site.css",
    "scripts": "/js/site.js",
    "variable_files": "../pyproject.toml",
    "search_origins": "https://www.example.com",
    "allowed_hosts": "docs.example.com",
    "trusted_proxies": "10.0.0.0/8",
    "hosts": "https://search.example.com",
    "google": "G-0123456789",
    "autogenerated": "guides",
    "category": "Guides",
    "routes": "/guides/*",
    "keywords": "install",
    "also": "guides/install",
    "append": "includes/links.md",
    "shortcodes": "layouts/shortcodes",
    "description": "How to install and use it",
    "sidebar_label": "API",
    "copyright": "Copyright 2026 Example",
    "class_name": "is-new",
    "badge": "New",
    "background": "#1c1b19",
    "color": "#ffffff",
    "integrity": "sha384-…",
    "weight": "100 900",
    "synonyms": "frequently asked questions",
    "extensions": "mark",
}
"""Key → what a site could write."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """One key of `octavo.toml`."""

    path: str
    """Keys from the root of the file, such as `search.insights.is_enabled`; `[]` marks a list of tables, `*` any key."""
    type: str
    """What it takes, in words."""
    default: Any
    """`msgspec.NODEFAULT` where it must be given."""
    sentence: str

    example: Any
    """A value that it takes."""
    kind: Any
    """Its type in the struct."""


@cache
def list_settings() -> tuple[Setting, ...]:
    """List every setting, tables before what they contain. Reading their sentences out of the source takes 0.3 s."""
    return tuple(_settings_of(Config, "", ()))


def default_in_words(setting: Setting) -> str:
    """Say what holds where a setting is not given: TOML, or that it is required, or that there is no default."""
    if setting.default is msgspec.NODEFAULT:
        return "none, it is required"
    is_table = isinstance(setting.default, msgspec.Struct)
    return "none" if setting.default is None or is_table else to_toml(setting.default)


def _settings_of(struct: type[msgspec.Struct], prefix: str, above: tuple[type, ...]) -> Iterator[Setting]:
    sentences = field_sentences(struct)
    for name, field in encoded_names(struct).items():
        path = f"{prefix}{name}"
        if path in NO_SETTINGS:
            continue
        inner = [(mark, table) for mark, table in tables_in(field.type) if table not in above]
        sentence = sentences.get(field.name) or SENTENCES.get(f"{struct.__name__}.{field.name}", "")
        if struct.__name__ == "DiagnosticLevels" and not sentence:
            sentence = _about_finding(name)
        if not sentence and inner:
            sentence = sentence_of(inner[0][1])
        default = default_of(field)
        yield Setting(
            path=path,
            type=type_in_words(field.type),
            default=default,
            sentence=sentence,
            example=_example(name, field.type, default),
            kind=field.type,
        )
        for mark, table in inner:
            yield from _settings_of(table, f"{path}{mark}.", (*above, struct, table))


def _example(name: str, kind: Any, default: Any) -> Any:
    """Choose a value that a reader could write: not the default where there is a choice."""
    origin, arguments = get_origin(kind), [one for one in get_args(kind) if one is not type(None)]
    if origin in (Union, types.UnionType):
        return _example(name, arguments[0], default)
    if origin is Literal:
        return next(one for one in arguments if one != default)
    if kind is bool:
        return not default
    if kind is str and (name in EXAMPLES or default in (None, "", msgspec.NODEFAULT)):
        return EXAMPLES.get(name, "text")
    if kind in (int, float) and default in (None, msgspec.NODEFAULT):
        return EXAMPLES.get(name, 1)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _table(kind, {})
    is_empty = default is msgspec.NODEFAULT or not default
    if origin is list and is_empty:
        return [_example(name, arguments[0], None)]
    if origin is dict and is_empty:
        return {"name": _example(name, arguments[1], None)}
    return default


def _table(struct: type[msgspec.Struct], given: dict[str, Any]) -> dict[str, Any]:
    """Write a table with the keys that it must have."""
    must = {key: field for key, field in encoded_names(struct).items() if field.required}
    return {**{key: _example(key, field.type, msgspec.NODEFAULT) for key, field in must.items()}, **given}


def _about_finding(name: str) -> str:
    entry = next((entry for entry in load_catalogue().values() if entry.setting == name), None)
    return f"{entry.title}." if entry else ""


def tables_in(kind: Any, mark: str = "") -> Iterator[tuple[str, type[msgspec.Struct]]]:
    """List the tables that a type contains, each with the mark of where: `[]` in a list, `.*` under any key."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield mark, kind
        return
    origin, arguments = get_origin(kind), get_args(kind)
    inner = f"{mark}[]" if origin is list else f"{mark}.*" if origin is dict else mark
    for argument in arguments[-1:] if origin is dict else arguments:
        yield from tables_in(argument, inner)


_WORDS = {str: "text", int: "integer", float: "number", bool: "true or false", Any: "any value", object: "any value"}


def type_in_words(kind: Any) -> str:
    """Say what a type takes."""
    if kind in _WORDS:
        return _WORDS[kind]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return "table"
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " or ".join(f"`{argument}`" for argument in arguments)
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(type_in_words(one) for one in arguments if one is not type(None)))
    if origin is list:
        return f"list of {_PLURALS.get(type_in_words(arguments[0]), type_in_words(arguments[0]))}"
    if origin is dict:
        return f"table of {_PLURALS.get(type_in_words(arguments[1]), type_in_words(arguments[1]))}"
    return str(kind)


_PLURALS = {"text": "texts", "table": "tables", "integer": "integers", "any value": "any values"}


def to_toml(value: Any) -> str:
    """Write a value as TOML, in one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, str):
        return msgspec.json.encode(value).decode()
    if isinstance(value, list):
        return f"[{', '.join(map(to_toml, value))}]"
    if isinstance(value, msgspec.Struct):
        given = {
            field.encode_name: getattr(value, field.name)
            for field in msgspec.structs.fields(value)
            if getattr(value, field.name) != default_of(field)
        }
        return to_toml(given)
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {to_toml(one)}' for key, one in value.items())} }}" if value else "{}"
    return '""'


def settings_schema() -> dict[str, Any]:
    """Make the JSON Schema of `octavo.toml`, with the sentences as descriptions."""
    schema = _described(msgspec.json.schema(Config), "octavo.toml")
    definitions = schema["$defs"]
    # `[markdown]` may hold the keys of a folder, for the whole site, beside the folders: see `tidy_markdown`.
    for form in definitions["Config"]["properties"]["markdown"]["anyOf"]:
        if "additionalProperties" in form:
            form["properties"] = definitions["MarkdownFolder"]["properties"]
    # A table in place of the list has a field of its own here: see `tidy_versions`.
    properties = definitions["Config"]["properties"]
    del properties["versions_from"]
    listed = properties["versions"]
    shape = {key: listed.pop(key) for key in ("type", "items") if key in listed}
    listed["anyOf"] = [shape, {"$ref": "#/$defs/VersionsFrom"}]
    return schema


def search_rules_schema() -> dict[str, Any]:
    """Make the JSON Schema of `search.toml`."""
    return _described(msgspec.json.schema(SearchRules), "search.toml")


def _described(schema: dict[str, Any], title: str) -> dict[str, Any]:
    structs = {struct.__name__: struct for struct in all_tables(Config)}
    for name, definition in schema["$defs"].items():
        struct = structs[name]
        sentences = field_sentences(struct)
        names = encoded_names(struct)
        for key, part in definition.get("properties", {}).items():
            sentence = sentences.get(names[key].name) or SENTENCES.get(f"{name}.{names[key].name}", "")
            if name == "DiagnosticLevels" and not sentence:
                sentence = _about_finding(key)
            if sentence:
                part["description"] = sentence
    schema["$defs"].get("Search", {}).get("properties", {}).pop("rules", None)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}


def all_tables(struct: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    """List a struct and all that it contains."""
    found = [struct]
    for table in found:
        inner = (one for field in msgspec.structs.fields(table) for _, one in tables_in(field.type))
        found += [one for one in dict.fromkeys(inner) if one not in found]
    return found
