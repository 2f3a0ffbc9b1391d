"""What a page's prose mentions that has a place of its own: commands, calls of the two APIs, settings, concepts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatch

import msgspec
import yaml

from site_text.test_api_mentions import GATEWAY, MENTION, TOOL, operation
from site_text.texts import FENCE, FRONT_MATTER, SITE

DOCS = SITE / "docs"
_DATA = list(yaml.safe_load_all((SITE / "commands" / "thv.yaml").read_text(encoding="utf-8")))
COMMANDS = {entry["name"] for entry in _DATA}
OPTIONS = {option["name"] for entry in _DATA for option in entry.get("options", [])}
NOT_PROSE = (
    FRONT_MATTER,
    FENCE,
    re.compile(r"^[ \t]*(?:#{1,6} |:::|import |<!--).*$", re.MULTILINE),
    re.compile(r"<summary>.*?</summary>", re.DOTALL),
    re.compile(r"<[A-Za-z/][^<>]*>"),
)
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\((?P<href>[^)\s]+)\)")
CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
SETTINGS = {
    r"CODEGATE_(?:APP_LOG_LEVEL|LOG_FORMAT|[A-Z_]+_URL)|DASHBOARD_API_BASE_URL": "codegate/how-to/configure.mdx",
    r"TOOLHIVE_(?:DOCKER|PODMAN)_SOCKET": "toolhive/how-to/install.mdx",
    r"TOOLHIVE_SECRETS_PASSWORD|OP_SERVICE_ACCOUNT_TOKEN": "toolhive/how-to/secrets-management.mdx",
}
CONCEPTS = {
    r"codegate/.*": {
        r"\bworkspaces?\b": "codegate/features/workspaces.mdx",
        r"\bmux(?:ing| rules?)\b": "codegate/features/muxing.mdx",
        r"\bdashboard\b": "codegate/how-to/dashboard.mdx",
        r"\bcustom instructions\b": "codegate/features/workspaces.mdx",
    },
    r"toolhive/.*": {
        r"\bpermission profiles?\b": "toolhive/how-to/custom-permissions.mdx",
        r"(?<!own )\bregistry\b": "toolhive/how-to/registry.mdx",
        r"\bauto-discovery\b": "toolhive/how-to/client-configuration.mdx",
    },
}
DEFINES = {"codegate/development/index.mdx": {"codegate/how-to/configure.mdx"}}
"""Pages that say themselves what another page says of the released image."""


class Mention(msgspec.Struct, frozen=True):
    """A place in a page's text."""

    start: int
    end: int
    target: str
    """Path of the page it is about, from the docs folder; with the anchor where it has one."""
    href: str | None
    """Where the text links to; None when it is not a link."""


def blank(text: str) -> str:
    """Put blanks in the place of all that is not prose; positions stay."""
    for pattern in NOT_PROSE:
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return text


def command_page(code: str) -> str | None:
    """Find the page of the command that a code span holds; None where it holds none."""
    words = code.split()
    name = words.pop(0) if words else ""
    while words and f"{name} {words[0]}" in COMMANDS:
        name = f"{name} {words.pop(0)}"
    return f"toolhive/reference/cli/{name.replace(' ', '_')}.md" if " " in name and name in COMMANDS else None


def call_page(code: str) -> str | None:
    """Find the anchor of the API call that a code span names; None where it names none."""
    match = MENTION.fullmatch(code)
    if match is None or match["method"] is None:
        return None
    product, document = ("toolhive", TOOL) if "/v1beta/" in match["path"] else ("codegate", GATEWAY)
    found = operation(document, match["method"], match["path"])
    return f"{product}/reference/api.md#operation/{found['operationId']}" if found else None


def option_page(code: str) -> str | None:
    """Find the anchor of the option that a code span begins with; which command it belongs to, the page knows."""
    match = re.match(r"--([a-z-]+)(?=[ =]|$)", code)
    return f"toolhive/reference/cli/*.md#option-{match[1]}" if match and match[1] in OPTIONS else None


def setting_page(code: str) -> str | None:
    """Find the page of the setting that a code span names."""
    return next((page for pattern, page in SETTINGS.items() if re.fullmatch(pattern, code)), None)


def all_mentions(own: str, text: str) -> Iterator[Mention]:
    """List what a page mentions, in order of the text for each kind; `own` is its path from the docs folder."""
    prose = blank(text)
    links = [(match.start(), match.end(), match["href"]) for match in LINK.finditer(prose)]

    def at(start: int, end: int, target: str) -> Mention:
        href = next((href for first, last, href in links if first <= start and end <= last), None)
        return Mention(start, end, target, href)

    finders = [command_page, call_page, setting_page]
    finders += [option_page] if own.startswith("toolhive/") else []
    for match in CODE.finditer(prose):
        for find in finders:
            if target := find(match[1]):
                yield at(match.start(), match.end(), target)
    plain = CODE.sub(lambda match: " " * len(match[0]), prose)
    plain = re.sub(r"\]\([^)\s]+\)", lambda match: " " * len(match[0]), plain)
    for folder, words in CONCEPTS.items():
        if re.fullmatch(folder, own):
            for pattern, target in words.items():
                yield from (at(*match.span(), target) for match in re.finditer(pattern, plain, re.IGNORECASE))


def leads_there(href: str, target: str) -> bool:
    """Tell whether a link leads to a mention's page; an option is told by its anchor, which several commands have."""
    page, _, anchor = target.partition("#")
    path, _, fragment = href.partition("#")
    if anchor.startswith("option-"):
        return fragment == anchor and fnmatch(path.rpartition("/")[2], "thv*.md")
    return path.rpartition("/")[2] == page.rpartition("/")[2]


def unlinked(own: str, text: str) -> list[Mention]:
    """List the first mentions of a page that are not a link to their own place; mentions in another link are left out."""
    known = {own, *DEFINES.get(own, set())}
    missing = []
    for mention in all_mentions(own, text):
        page = mention.target.partition("#")[0]
        if mention.target in known or page in known:
            continue
        if mention.href is None:
            missing.append(mention)
            known.add(mention.target)
        elif leads_there(mention.href, mention.target):
            known.add(mention.target)
    return missing
