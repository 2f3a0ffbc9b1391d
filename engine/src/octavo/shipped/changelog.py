"""Pages of releases from a changelog: a list, and a page of each release. `::changelog[1.2.0]` shows one in any page.

The file is in the form of Keep a Changelog or of GitHub: headings of the second rank such as `## [1.2.0] - 2026-01-31`,
`## v1.2.0 (2026-01-31)` or `## Unreleased`.

    [extension_options.changelog]
    file = "../CHANGELOG.md"
    folder = "releases"
    repository = "https://github.com/acme/acme"

Links of the file start at its folder: one to a document leads to its page, one to another file to the repository.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from octavo.extensions import Directive, Documents, Extension, Finding, Inputs, Markdown, NewDocument, Site, options

_GIVEN = options("changelog")
_FILE = str(_GIVEN.get("file", "../CHANGELOG.md"))
_FOLDER = str(_GIVEN.get("folder", "releases")).strip("/")
_TITLE = str(_GIVEN.get("title", "Releases"))
_REPOSITORY = str(_GIVEN.get("repository", "")).rstrip("/")

extension = Extension("changelog", inputs=[_FILE])

_HEADING = re.compile(r"##[ \t]+\[?(?P<version>[^\]\s(]+)\]?(?:\([^)]*\))?[ \t]*[-–—:(]?[ \t]*(?P<date>[^)\s]+)?")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_DEFINITION = re.compile(r"\[(?P<label>[^\]]+)\]:[ \t]+<?(?P<url>[^\s>]+)>?[ \t]*$", re.MULTILINE)
_KEPT = re.compile(r"`+[^`]*`+|\[[^\]]*\]\([^)]*\)|<[^>]*>|https?://\S+")
"""Code, links and addresses, in which numbers and names stay as they are."""
_REFERENCE = re.compile(
    r"(?<![\w/&#@])(?:#(?P<number>\d+)\b|@(?P<user>[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)(?![\w.@/]))"
)

_TARGET = re.compile(
    r"(?P<code>`+[^`]*`+)|(?P<before>\]\()(?P<target>(?![A-Za-z][A-Za-z0-9+.-]*:|[/#<])[^\s()]+)(?=[\s)])"
)
"""Target of a link or picture that is a path from the file's folder; code, so that what looks like a link in it is none."""


class Release(NamedTuple):
    """A part of the changelog."""

    version: str
    date: str
    """ISO 8601, or empty."""
    text: str
    url: str
    """Where its changes are listed; empty where the file names no address."""
    line: int


@extension.documents
def pages(site: Documents) -> Iterable[NewDocument]:
    """Make the list and the pages."""
    releases = _read(site.inputs)
    lines = []
    for number, release in enumerate(releases, start=1):
        name = _file_of(release.version)
        lines.append(f"- [{release.version}](./{name}){f', {release.date}' if release.date else ''}")
        text = _placed(release.text, f"{site.folder}/{_FOLDER}", site.folder, site.inputs)
        body = "\n\n".join([_head(release.version, number), *_about(release), text])
        yield NewDocument(f"{_FOLDER}/{name}", body, made_from=_FILE, origins={1: (_FILE, release.line)})
    yield NewDocument(f"{_FOLDER}/index.md", f"{_head(_TITLE, 0)}\n\n" + "\n".join(lines) + "\n", made_from=_FILE)


@extension.directive("changelog")
def one_release(block: Directive[Any]) -> Markdown:
    """Show one release; the newest one that has a date without a label."""
    releases = _read(block.inputs)
    wanted = block.label.removeprefix("v")
    found = next((one for one in releases if (one.version.removeprefix("v") == wanted if wanted else one.date)), None)
    if found is None:
        known = ", ".join(one.version for one in releases[:5])
        block.warn(f'"{_FILE}" has no release "{block.label}".', suggestion=f"It has {known}." if known else "")
        return Markdown("")
    folder, _, _ = block.page.partition("/")
    text = _placed(found.text, posixpath.dirname(block.page), folder, block.inputs)
    return Markdown("\n\n".join([" · ".join([f"**{found.version}**", *_about(found)]), text]))


@extension.check
def headings(site: Site) -> Iterator[Finding]:
    """Find releases that are there twice, dates that are none, and a file without releases."""
    releases = _read(site.inputs)
    if not releases:
        hint = "Begin each release with a line such as: ## [1.2.0] - 2026-01-31"
        yield Finding(f'"{_FILE}" has no releases.', _FILE, suggestion=hint)
    seen: dict[str, int] = {}
    for release in releases:
        if release.version in seen:
            first = seen[release.version]
            yield Finding(f'"{release.version}" is a heading in line {first} already.', _FILE, line=release.line)
        seen.setdefault(release.version, release.line)
        if release.date and not _is_date(release.date):
            hint = "Write it as 2026-01-31."
            yield Finding(f'"{release.date}" is not a date.', _FILE, line=release.line, suggestion=hint)


def _read(inputs: Inputs) -> list[Release]:
    text = inputs.read_text(_FILE)
    urls = {match["label"].lower(): match["url"] for match in _DEFINITION.finditer(text)}
    heads: list[tuple[int, re.Match[str]]] = []
    lines = text.split("\n")
    fence = ""
    for number, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        elif not fence and (head := _HEADING.match(line)):
            heads.append((number, head))
        elif not fence and line.startswith("###"):
            # On a page of its own, the release is the title.
            lines[number] = line[1:]
    ends = [number for number, _ in heads[1:]] + [len(lines)]
    return [
        Release(
            version=head["version"],
            date=head["date"] or "",
            text=_linked(_DEFINITION.sub("", "\n".join(lines[number + 1 : end])).strip()),
            url=urls.get(head["version"].lower(), ""),
            line=number + 1,
        )
        for (number, head), end in zip(heads, ends, strict=False)  # a file without releases has an end, too
    ]


def _head(title: str, position: int) -> str:
    return f"---\ntitle: {json.dumps(title)}\nsidebar_position: {position}\n---"


def _about(release: Release) -> list[str]:
    parts = [release.date] if release.date else []
    parts += [f"[All changes]({release.url})"] if release.url else []
    return [" · ".join(parts)] if parts else []


def _file_of(version: str) -> str:
    return f"{re.sub(r'[^a-z0-9]+', '-', version.lower()).strip('-') or 'release'}.md"


def _linked(text: str) -> str:
    """Link `#12` and `@name` to the repository, where one is named; code and links stay as they are."""
    if not _REPOSITORY:
        return text
    host = "{0.scheme}://{0.netloc}".format(urlsplit(_REPOSITORY))

    def link(match: re.Match[str]) -> str:
        if match["number"]:
            return f"[#{match['number']}]({_REPOSITORY}/issues/{match['number']})"
        return f"[@{match['user']}]({host}/{match['user']})"

    pieces, position = [], 0
    for kept in _KEPT.finditer(text):
        pieces += [_REFERENCE.sub(link, text[position : kept.start()]), kept[0]]
        position = kept.end()
    return "".join([*pieces, _REFERENCE.sub(link, text[position:])])


def _placed(text: str, base: str, documents: str, inputs: Inputs) -> str:
    """Let links and pictures that start at the changelog's folder lead to the same files from another one.

    Args:
        text: Markdown of a release.
        base: Folder of the document that shows it, from the site's folder.
        documents: Folder of the documents, or the first folder on the way to it.
        inputs: Tell which files there are.
    """

    def place(match: re.Match[str]) -> str:
        if match["code"]:
            return match[0]
        path, mark, fragment = match["target"].partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(_FILE), path))
        file = file.removeprefix(f"../{inputs.site_dir.resolve().name}/")
        if not path or not _is_there(file, inputs):
            return match[0]  # the finding about it names the line of the changelog
        is_document = file.startswith(f"{documents}/") and file.endswith((".md", ".mdx"))
        if _REPOSITORY and not is_document:
            target = f"{_REPOSITORY}/blob/HEAD/{posixpath.normpath(path)}"
        else:
            target = posixpath.relpath(file, base)
        return f"{match['before']}{target}{mark}{fragment}"

    return _TARGET.sub(place, text)


def _is_there(path: str, inputs: Inputs) -> bool:
    try:
        inputs.read_bytes(path)
    except PermissionError:
        return True  # outside of the site's folder
    except OSError:
        return False
    return True


def _is_date(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False
