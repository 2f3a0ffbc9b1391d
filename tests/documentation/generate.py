"""Make the reference pages of `docs/` from the code: `python -m tests.documentation.generate`. A test compares them."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from octavo.cli.main import octavo
from octavo.content.dialect import EXTENSIONS
from octavo.look.tokens import COLORS, TOKENS
from octavo.manual import (
    FRONT_MATTER_KEYS,
    Entry,
    Setting,
    front_matter_schema,
    list_settings,
    load_catalogue,
    page_list_schema,
    search_rules_schema,
    settings_schema,
    to_toml,
)
from octavo.reference.command_line import read_application, write_commands
from octavo.words import words_of

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FINDINGS = "reference/findings"
NOTE = "<!-- Made by `python -m tests.documentation.generate`; do not edit. -->"


def page(title: str, description: str, body: str, **more: object) -> str:
    """Put front matter before the body of a page. JSON is YAML, so no text can break it."""
    front = {"title": title, "description": description, **more}
    lines = "\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in front.items())
    return f"---\n{lines}\n---\n\n{NOTE}\n\n{body.strip()}\n"


def cell(text: str) -> str:
    """Make text fit into a cell of a table."""
    return text.replace("|", "\\|").replace("{{", "\\{{") if "|" in text or "{{" in text else text


def table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    """Write a table."""
    lines = [" | ".join(head), " | ".join("---" for _ in head), *(" | ".join(map(cell, row)) for row in rows)]
    return "\n".join(f"| {line} |" for line in lines)


def code(text: str) -> str:
    """Write code in a line, whatever backticks it contains."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def top(setting: Setting) -> str:
    """Name the table at the root of the file that a setting belongs to; empty for a value at the root."""
    return re.split(r"[.\[]", setting.path)[0] if re.search(r"[.\[]", setting.path) else ""


def settings_page() -> str:
    """Every setting, by table."""
    settings = list_settings()
    groups: dict[str, list[Setting]] = {"": []}
    for name, found in groupby(settings, top):
        groups.setdefault(name, []).extend(found)
    parts = [
        (
            "Every setting of `octavo.toml`. A key with dots is in a table: `search.placeholder` is `placeholder` under `[search]`. "
            "`[]` marks a list of tables, written `[[name]]`, and `*` any key of your own. Only `title` is required."
        ),
        (
            "Editors complete and check the file with its [JSON Schema](/schemas/settings.json), which `octavo schema settings` "
            "prints. With Taplo, name the schema in the first line: `#:schema settings.json`."
        ),
    ]
    for name, found in groups.items():
        # In the program a field of its own, in the file a table in place of the list.
        heading = "[versions]` as a table" if name == "versions_from" else f"[{name}]`"
        parts.append(f"## `{heading} {{#{name}}}" if name else "## At the root of the file {#root}")
        parts.append(table(("Setting", "Meaning"), (setting_row(one) for one in found if one.path != "versions_from")))
    return page(
        "Settings of octavo.toml",
        "Every setting of octavo.toml with its type, default, and an example.",
        "\n\n".join(parts),
    )


def setting_row(setting: Setting) -> tuple[str, ...]:
    """Write a setting as a row."""
    takes = setting.type.replace("``", "empty")
    given = "required" if setting.default is msgspec.NODEFAULT else f"default {default(setting.default)}"
    facts = f"Takes {takes}; {given}. Example: {code(to_toml(setting.example))}"
    return code(setting.path.replace("versions_from.", "versions.")), f"{setting.sentence} {facts}"


def default(value: Any) -> str:
    """Write a default."""
    return "none" if value is None or isinstance(value, msgspec.Struct) else code(to_toml(value))


def front_matter_page() -> str:
    """Every key of front matter."""
    rows = ((code(name), code(key.example), key.sentence) for name, key in FRONT_MATTER_KEYS.items())
    body = (
        "Front matter is YAML (between lines of `---`) or TOML (between lines of `+++`) at the beginning of a page. No key is "
        "required. Editors complete and check it with its [JSON Schema](/schemas/front-matter.json), which "
        "`octavo schema front-matter` prints.\n\n" + table(("Key", "Example", "Meaning"), rows)
    )
    return page("Front matter fields", "Every key of a page's front matter, with an example.", body)


def extensions_page() -> str:
    """Every extension of Markdown."""
    rows = ((code(name), syntax) for name, syntax in EXTENSIONS.items())
    body = (
        "Files ending in `.md` are CommonMark with tables, footnotes and Octavo's components. Each extension adds syntax, for "
        'the site or for a folder:\n\n```toml\n[markdown]\nextensions = ["mark", "keys"]\n```\n\n'
        + table(("Extension", "Syntax"), rows)
    )
    return page("Markdown extensions", "The extensions of Markdown that a site or a folder can switch on.", body)


def words_page() -> str:
    """Every word of the theme."""
    rows = ((code(key), word) for key, word in words_of("en").items())
    body = (
        "Keys for `[words.LANGUAGE]`, with the English words. `{name}` is replaced by a value. Keys that end in `.one` and "
        "`.other` belong to counts: a language has one for each of its plural categories (`zero`, `one`, `two`, `few`, `many`, "
        "`other`). [Write in several languages](../languages.md) shows how to use them.\n\n"
        + table(("Key", "English"), rows)
    )
    return page("Words of the theme", "The words around the articles, which a site can say otherwise.", body)


def tokens_page() -> str:
    """Every design token."""
    rows = (
        (
            code(f"--{name}"),
            meaning,
            code(COLORS[name].light) if name in COLORS else "–",
            code(COLORS[name].dark) if name in COLORS else "–",
        )
        for name, meaning in TOKENS.items()
    )
    body = (
        "Custom properties of CSS that a site's style sheets may use and set. They are a contract: their names stay. "
        "[Customize the look](../customize.md) shows how to use them.\n\n"
        + table(("Token", "What it is", "Light", "Dark"), rows)
    )
    return page("Design tokens", "The custom properties that style sheets may use and set.", body)


def protocol_page() -> str:
    """The wire protocol, as the README of the search package has it."""
    text = (ROOT / "engine/src/octavo/search/README.md").read_text(encoding="utf-8").partition("## What becomes")[2]
    body = (
        "The search server speaks the protocol of Algolia's API, so its official clients work.\n\n## What becomes"
        + text
    )
    body = re.sub(
        r"\[[^\]]*\]\(\.\./\.\./\.\./\.\./docs/search\.md\)", "[Decide what search finds](../search.md)", body
    )
    return page("Search protocol", "Routes, parameters, hits, and errors of the search server.", body)


def finding_page(entry: Entry) -> str:
    """A finding or an error."""
    if entry.kind == "error":
        level = "An error ends the command."
    elif entry.setting:
        level = f"Its level is `{entry.setting}` in [`[diagnostics]`](../settings.md#diagnostics)."
    else:
        level = "It always fails the build."
    language = {
        "octavo.toml": "toml",
        "search.toml": "toml",
        "_category_.yaml": "yaml",
        "front matter": "yaml",
        "Python": "python",
        "page.ipynb": "json",
        "page": "md",
        "page.mdx": "md",
    }.get(entry.where, "text")
    title = "Example" if entry.where in ("page", "site") else f"Example: {entry.where}"
    fence = "`" * 5
    extension = (
        f" The page's folder has the extension [`{entry.extension}`](../extensions.md)." if entry.extension else ""
    )
    shown = f'{fence}{language} title="{title}"\n{entry.example.rstrip()}\n{fence}'
    files = "\n\n".join(f'{fence}md title="{name}"\n{text}\n{fence}' for name, text in entry.partials.items())
    parts = [entry.cause + extension, shown, files, f"**What to do.** {entry.remedy}", level]
    description = plain(f"{entry.title}: what causes {entry.code}, and what to do.")
    body = "\n\n".join(part for part in parts if part)
    return page(
        f"{entry.code}: {entry.title}", description, body, sidebar_label=entry.code, slug=f"/{FINDINGS}/{entry.code}"
    )


def plain(text: str) -> str:
    """Take the marks of code out."""
    return text.replace("`", "")


def findings_index() -> str:
    """All findings and errors."""
    entries = load_catalogue().values()
    parts = [
        (
            "Each message ends with a code in brackets. `octavo explain CODE` says in the terminal what these pages say. The level "
            "of a finding is set in [`[diagnostics]`](../settings.md#diagnostics): `error` fails the build, `warn` is shown, and "
            "`ignore` is silent."
        )
    ]
    for kind, heading in (("finding", "Findings"), ("error", "Errors")):
        rows = ((f"[`{one.code}`](./{one.code}.md)", one.title) for one in entries if one.kind == kind)
        parts.append(f"## {heading}\n\n" + table(("Code", "What it is"), rows))
    description = "Every finding and error of Octavo: what causes it, an example, and what to do."
    return page("Findings and errors", description, "\n\n".join(parts))


def to_json(value: dict[str, Any]) -> str:
    """Write a schema."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


SINGLE: dict[str, Callable[[], str]] = {
    "reference/settings.md": settings_page,
    "reference/front-matter.md": front_matter_page,
    "reference/extensions.md": extensions_page,
    "reference/tokens.md": tokens_page,
    "reference/words.md": words_page,
    "reference/search-protocol.md": protocol_page,
    f"{FINDINGS}/index.md": findings_index,
    f"{FINDINGS}/_category_.yaml": lambda: "label: Findings and errors\nposition: 20\n",
    "reference/commands.yaml": lambda: write_commands(read_application(octavo, name="octavo")),
    "static/schemas/settings.json": lambda: to_json(settings_schema()),
    "static/schemas/search-rules.json": lambda: to_json(search_rules_schema()),
    "static/schemas/page-list.json": lambda: to_json(page_list_schema()),
    "static/schemas/front-matter.json": lambda: to_json(front_matter_schema()),
}


def make_files() -> dict[str, str]:
    """Make all files: path from the folder of the documentation → content."""
    made = {path: make() for path, make in SINGLE.items()}
    return made | {f"{FINDINGS}/{entry.code}.md": finding_page(entry) for entry in load_catalogue().values()}


if __name__ == "__main__":
    shutil.rmtree(DOCS / FINDINGS, ignore_errors=True)
    for path, text in make_files().items():
        target = DOCS / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
