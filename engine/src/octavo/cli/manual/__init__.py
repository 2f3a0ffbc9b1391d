"""`octavo explain` and `octavo schema`: what Octavo says of itself."""

from __future__ import annotations

import difflib
import json
from typing import TYPE_CHECKING, Literal

import click

from octavo.errors import UsageError

if TYPE_CHECKING:
    from octavo.manual import Entry, Setting


@click.command(short_help="Say what a finding, a setting or a key means.")
@click.argument("name", required=False)
def explain(name: str | None) -> None:
    """Say what NAME means and what to do. Without NAME, list the codes of all findings and errors.

    NAME is the code of a finding or an error, the word in brackets at the end of a message such as broken-link; a
    setting of octavo.toml such as search.mode; a table of settings such as search; or a key of front matter.
    """
    from octavo.manual import FRONT_MATTER_KEYS, list_settings, load_catalogue

    catalogue = load_catalogue()
    if name is None:
        width = max(map(len, catalogue))
        for code, about in catalogue.items():
            click.echo(f"{code:{width}}  {about.title}")
        return
    name = name.strip("[]").lower()
    settings = {_plain(setting.path): setting for setting in list_settings()}
    inside = [setting for path, setting in settings.items() if path.startswith(f"{_plain(name)}.")]
    parts = []
    if entry := catalogue.get(name.replace("_", "-")):
        parts.append(_of_finding(entry))
    if setting := settings.get(_plain(name)):
        parts.append(_of_setting(setting, inside))
    if key := FRONT_MATTER_KEYS.get(name):
        parts.append(f"{name}, in the front matter of a page\n\n{key.sentence}\n\nExample: {key.example}")
    if not parts:
        close = difflib.get_close_matches(name, [*catalogue, *settings, *FRONT_MATTER_KEYS], n=1)
        hint = f' Did you mean "{close[0]}"?' if close else " `octavo explain` lists all codes."
        raise UsageError(
            f'"{name}" is not the code of a finding or an error, a setting, or a key of front matter.{hint}'
        )
    click.echo("\n\n".join(parts))


def _plain(path: str) -> str:
    """Write the path of a setting as readers type it: without the marks of lists, and of keys of one's own."""
    return path.replace("[]", "").replace(".*", "")


def _of_finding(entry: Entry) -> str:
    place = "" if entry.where == "page" else f" ({entry.where})"
    example = "".join(f"    {line}\n" if line else "\n" for line in entry.example.splitlines())
    level = f"\n\nIts level: {entry.setting} in [diagnostics] of octavo.toml." if entry.setting else ""
    return f"{entry.code}: {entry.title}\n\n{entry.cause}\n\nExample{place}:\n\n{example}\nWhat to do: {entry.remedy}{level}"


def _of_setting(setting: Setting, inside: list[Setting]) -> str:
    from octavo.manual import default_in_words, to_toml

    lines = [f"{setting.path}, in octavo.toml\n\n{setting.sentence}\n"]
    if inside:
        width = max(len(one.path) for one in inside)
        lines += [f"{one.path:{width}}  {one.sentence}".rstrip() for one in inside]
    else:
        lines += [
            f"Takes: {setting.type.replace('`', '')}",
            f"Default: {default_in_words(setting)}",
            f"Example: {setting.path.rpartition('.')[2]} = {to_toml(setting.example)}",
        ]
    return "\n".join(lines)


@click.command(short_help="Print a JSON Schema for editors.")
@click.argument("kind", type=click.Choice(["settings", "front-matter", "search-rules", "page-list"]))
def schema(kind: Literal["settings", "front-matter", "search-rules", "page-list"]) -> None:
    """Print the JSON Schema of a file.

    Editors complete and check octavo.toml (settings), front matter, and search.toml (search-rules) with it. The list of
    pages that a build publishes, _octavo/pages.json (page-list), is for programs.
    """
    from octavo.manual import front_matter_schema, page_list_schema, search_rules_schema, settings_schema

    made = {
        "settings": settings_schema,
        "front-matter": front_matter_schema,
        "search-rules": search_rules_schema,
        "page-list": page_list_schema,
    }
    click.echo(json.dumps(made[kind](), indent=2, ensure_ascii=False))
