"""Files that a module takes in as bundlers do: as text or data, with marks around their names, and all of a pattern at once."""

from __future__ import annotations

import base64
import json
import os
import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from octavo.importing.components.unusable import UnusableError
from octavo.importing.settings.files import UnreadableError, read_toml, read_yaml
from octavo.lazy import regex as re
from octavo.site import is_inside

_LOADER = re.compile(r"^(?:-?!{0,2})(?P<loaders>(?:[\w@/.-]+(?:\?[^!]*)?!)+)(?P<path>[^!]+)$")
_QUERY = re.compile(r"^(?P<path>[^?]+)\?(?P<query>[\w=&-]+)$")
_AS_TEXT = re.compile(r"\braw(?:-loader)?\b")
DATA = (".yml", ".yaml", ".toml")
_LONGEST = 100_000
PICTURES = (".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif")
MEDIA = (*PICTURES, ".mp3", ".mp4", ".ogg", ".webm", ".pdf")
"""Endings of files of which a module gets the address."""
_TYPES = {".svg": "image/svg+xml", ".jpg": "image/jpeg"}
_LONGEST_PICTURE = 50_000
"""Bytes of a picture that is put into the module which shows it; a larger one is a file of its own."""
_MOST = 40
"""Files that one pattern may take in."""
_MOST_PICTURES = 400
_MOST_STARS = 6
_HIDDEN = frozenset(["node_modules", ".git", ".octavo", "octavo-components"])
_REMARK = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_OPTIONS = r"(?:\s*,\s*(?P<options>\{[^{}]*\}))?\s*,?\s*\)"
_GLOB = re.compile(
    rf"""\bimport\.meta\.glob(?P<eager>Eager)?\s*(?:<(?:[^<>()]|<[^<>()]*>)*>\s*)?\(\s*(?P<patterns>"[^"\n]*"|'[^'\n]*'|`[^`$\n]*`|\[[^\]]*\]){_OPTIONS}"""
)
_TEXT = re.compile(r"""(["'`])(?P<text>[^"'`\n$]+)\1""")
_CONTEXT = re.compile(
    r"""\brequire\.context\(\s*(["'])(?P<folder>[^"'\n]+)\1\s*(?:,\s*(?P<deep>true|false)\s*)?(?:,\s*/(?P<pattern>(?:[^/\\\n]|\\.)+)/[a-z]*\s*)?(?:,[^()]*)?\)"""
)
_COMPUTED = re.compile(r"\brequire\(\s*`(?P<before>[^`$\n]*/)(?P<name>\$\{[^`\n]*)`\s*\)")
_HELPER = "const $context = (map) => Object.assign((key) => map[key], { keys: () => Object.keys(map), resolve: (key) => key });\n"


def plain_name(name: str) -> tuple[str, bool]:
    """Take the marks of bundlers off an imported name: `!!raw-loader!./a.ts`, `./a.svg?url`.

    Returns:
        (the name of the file, whether the module is its text).
    """
    if match := _LOADER.match(name):
        return match["path"].partition("?")[0], _AS_TEXT.search(match["loaders"]) is not None
    if (match := _QUERY.match(name)) and not name.startswith("http"):
        return match["path"], match["query"].split("&")[0].partition("=")[0] == "raw"
    return name, False


def text_module(path: Path, name: str, *, is_text: bool) -> str:
    """Write a module with the text of a file, or with its data.

    Raises:
        UnusableError: it can't be read, or is too long.
    """
    try:
        value = (
            path.read_text(encoding="utf-8-sig")
            if is_text
            else read_toml(path)
            if path.suffix == ".toml"
            else read_yaml(path)
        )
        written = msgspec.json.encode(value, enc_hook=str).decode()
    except (OSError, ValueError, TypeError, RecursionError, UnreadableError) as error:
        raise UnusableError(f'"{name}" cannot be read') from error
    if len(written) > _LONGEST:
        raise UnusableError(f'"{name}" is larger than {_LONGEST} characters')
    return f"export default {written};\n"


class PictureModule(NamedTuple):
    """A module with the address of a picture, or of another file that is shown."""

    text: str
    is_imported: bool
    """It imports the picture, which must lie where it is."""


def picture_module(path: str, name: str, importer: str, *, target: str, static: str, site_dir: Path) -> PictureModule:
    """Write a module with the address of a picture, or with a component that shows it.

    Args:
        path: Of the picture, from the site's folder.
        name: By which it is imported.
        importer: Text of the module that imports it.
        target: Path of the new module.
        static: The folder of static files.
        site_dir: The site's folder.

    Raises:
        UnusableError: the picture does not exist.
    """
    head, is_imported = 'import { withBase } from "octavo";\n', False
    if path.startswith(f"{static}/"):
        address = f"withBase({json.dumps(path[len(static) :])})"
    elif not is_inside(site_dir, path) or not (site_dir / path).is_file():
        raise UnusableError(f'it shows "{name}", which does not exist')
    elif path.endswith(PICTURES) and (site_dir / path).stat().st_size <= _LONGEST_PICTURE:
        ending = posixpath.splitext(path)[1]
        content = base64.b64encode((site_dir / path).read_bytes()).decode()
        head, address = "", f'"data:{_TYPES.get(ending, f"image/{ending[1:]}")};base64,{content}"'
    else:
        file = posixpath.relpath(path, posixpath.dirname(target))
        head, address, is_imported = f"import file from {json.dumps(file)};\n", "file", True
    # A list of icons hands them on as components.
    is_listed = re.search(rf"export\s*\{{[^}}]*\}}\s*from\s*[\"']{re.escape(name)}[\"']", importer)
    if path.endswith(".svg") and (is_listed or _is_component(name, importer)):
        body = f'export default (props) => <img src={{{address}}} alt={{props.title ?? ""}} className={{props.className}} />;\n'
    elif re.search(r"[\w\])]\??\.src\b", importer):
        # Astro and Next give a picture as an object; others take it for its address.
        body = f"const address = {address};\nexport default Object.assign(new String(address), {{ src: address }});\n"
    else:
        body = f"export default {address};\n"
    return PictureModule(f"{head}{body}", is_imported)


def _is_component(name: str, text: str) -> bool:
    """Whether a module takes a drawing for a component: bundlers make one of it, and some an address."""
    required = rf"(?<!src=\{{)require\(\s*[\"']{re.escape(name)}[\"']\s*,?\s*\)\s*\.default"
    found = re.search(rf"import\s+(?P<own>[A-Z]\w*)\s+from\s+[\"']{re.escape(name)}[\"']", text)
    if found is None:
        return re.search(required, text) is not None
    shown = rf"\b(?:src|srcSet|href|image|img|logo|url)\s*[=:]\s*\{{?\s*{found['own']}\b|\$\{{{found['own']}\}}"
    return re.search(rf"<{found['own']}[\s/>]", text) is not None or re.search(shown, text) is None


def with_files(text: str, path: str, site_dir: Path, uses: str = "") -> str:
    """Name the files that a module takes in by a pattern, one by one.

    Args:
        text: Of the module.
        path: Of the module, from the site's folder.
        site_dir: The site's folder; nothing outside of it is taken in.
        uses: Text of the pages that use the component: of a computed name, only files that they name are taken in.

    Raises:
        UnusableError: a pattern means too many files.
    """
    if "import.meta.glob" not in text and "require.context" not in text and "require(" not in text:
        return text
    imports: list[str] = []
    here = posixpath.dirname(path)

    def taken(file: str, *, is_text: bool) -> str:
        name = f"$taken{len(imports)}"
        relative = posixpath.relpath(file, here or ".")
        written = relative if relative.startswith(".") else f"./{relative}"
        imports.append(f"import * as {name} from {json.dumps(written + ('?raw' if is_text else ''))};\n")
        return name

    def globbed(match: re.Match[str]) -> str:
        options = _REMARK.sub("", match["options"] or "")
        is_text = re.search(r"""(?:query|as)\s*:\s*["']\??raw["']""", options) is not None
        is_old = re.search(r"\bas\s*:", options) is not None
        member = re.search(r"""\bimport\s*:\s*["']([\w$]+)["']""", options)
        is_eager = match["eager"] is not None or re.search(r"\beager\s*:\s*true\b", options) is not None
        is_address = re.search(r"""(?:query|as)\s*:\s*["']\??url["']""", options) is not None
        entries = []
        patterns = [one["text"] for one in _TEXT.finditer(match["patterns"])]
        # Of other files only bundlers have an address.
        for key, file in _globbed(patterns, here, site_dir, MEDIA if is_address else ("",)):
            value = taken(file, is_text=is_text)
            value += f".{member[1]}" if member else ".default" if is_text and is_old else ""
            entries.append(f"{json.dumps(key)}: {value if is_eager else f'() => {value}'}")
        return f"({{ {', '.join(entries)} }})"

    def in_context(match: re.Match[str]) -> str:
        folder, is_text = plain_name(match["folder"])
        base = _resolved(folder, here)
        pattern = _pattern(match["pattern"]) if match["pattern"] else None
        entries = []
        for file in _files(site_dir, base, is_deep=match["deep"] != "false"):
            key = f"./{posixpath.relpath(file, base or '.')}"
            if pattern is None or pattern.search(key):
                entries.append(f"{json.dumps(key)}: {taken(file, is_text=is_text)}")
        return f"$context({{ {', '.join(_few(entries, match['folder']))} }})"

    def computed(match: re.Match[str]) -> str:
        before, is_text = plain_name(f"{match['before']}x")
        folder = before[:-1]
        base = _resolved(folder, here)
        entries = []
        for file in _files(site_dir, base, is_deep=True):
            rest = posixpath.relpath(file, base or ".")
            if (
                all(part in uses for part in rest.split("/")[:-1])
                and posixpath.splitext(posixpath.basename(rest))[0] in uses
            ):
                entries.append(f"{json.dumps(match['before'] + rest)}: {taken(file, is_text=is_text)}")
        return f"$context({{ {', '.join(_few(entries, match['before']))} }})(`{match['before']}{match['name']}`)"

    try:
        written = _COMPUTED.sub(computed, _CONTEXT.sub(in_context, _GLOB.sub(globbed, text)))
    except re.error as error:
        raise UnusableError(f"it takes in files by a pattern that cannot be read ({error})") from error
    helper = _HELPER if "$context(" in written else ""
    return "".join(imports) + helper + written


_QUANTIFIER = re.compile(r"(?<!\\)[*+{]")


def _pattern(text: str) -> re.Pattern[str]:
    """Read a pattern of a program; one that could take long is refused."""
    if len(_QUANTIFIER.findall(text)) > 1:
        raise UnusableError(f'it takes in files by "{text}"')
    return re.compile(text.replace("\\/", "/"))


def _few(entries: list[str], pattern: str) -> list[str]:
    if len(entries) > _MOST:
        raise UnusableError(f'"{pattern}" means more than {_MOST} files')
    return entries


def _resolved(name: str, here: str) -> str:
    """Give the path from the site's folder that a path of a module means; a slash, or `@site`, is that folder itself."""
    name = name.removeprefix("@site")
    base = name.lstrip("/") if name.startswith("/") else posixpath.join(here, name)
    base = posixpath.normpath(base)
    if base.startswith(".."):
        raise UnusableError(f'"{name}" lies outside of the site')
    return "" if base == "." else base


def _globbed(patterns: list[str], here: str, site_dir: Path, endings: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Find the files of patterns that have one of the endings: (key as the module is given it, path from the site's folder)."""
    unwanted = [_matcher(_resolved(one[1:], here)) for one in patterns if one.startswith("!")]
    found: dict[str, str] = {}
    for pattern in (one for one in patterns if not one.startswith("!")):
        base = _project(here, site_dir) if pattern.startswith("/") else ""
        whole = posixpath.join(base, pattern.lstrip("/")) if pattern.startswith("/") else _resolved(pattern, here)
        start = re.split(r"[*{?\[]", whole, maxsplit=1)[0].rpartition("/")[0]
        wanted = _matcher(whole)
        for file in _files(site_dir, start, is_deep=True):
            if wanted.fullmatch(file) and file.endswith(endings) and not any(one.fullmatch(file) for one in unwanted):
                key = f"/{posixpath.relpath(file, base or '.')}"
                if not pattern.startswith("/"):
                    relative = posixpath.relpath(file, here or ".")
                    key = relative if relative.startswith(".") else f"./{relative}"
                found[key] = file
    pictures = sum(file.endswith(PICTURES) for file in found.values())
    for number, most in ((pictures, _MOST_PICTURES), (len(found) - pictures, _MOST)):
        if number > most:
            raise UnusableError(f'"{patterns[0]}" means more than {most} files')
    yield from found.items()


def _project(here: str, site_dir: Path) -> str:
    """Give the folder of the project that a module belongs to, from the site's folder."""
    folder = here
    while folder and not (site_dir / folder / "package.json").is_file():
        folder = posixpath.dirname(folder)
    return folder


def _matcher(pattern: str) -> re.Pattern[str]:
    """Write a pattern for files as a regular expression."""
    if pattern.count("*") > _MOST_STARS:
        raise UnusableError(f'it takes in files by "{pattern}"')
    pieces = re.split(r"(\*\*/|\*\*|\*|\?|\{[^{}]*\})", pattern)
    known = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    written = ""
    for piece in pieces:
        if piece.startswith("{") and piece.endswith("}"):
            written += f"(?:{'|'.join(_matcher(one).pattern for one in piece[1:-1].split(','))})"
        else:
            written += known.get(piece, re.escape(piece))
    return re.compile(written)


def _files(site_dir: Path, folder: str, *, is_deep: bool) -> Iterator[str]:
    """List the files of a folder of the site, sorted; links that lead out of it are left out."""
    root = site_dir.resolve()
    for where, folders, files in os.walk(site_dir / folder):
        folders[:] = sorted(one for one in folders if is_deep and one not in _HIDDEN and not one.startswith("."))
        for name in sorted(files):
            path = Path(where, name)
            if not name.startswith(".") and path.resolve().is_relative_to(root):
                yield path.relative_to(site_dir).as_posix()
