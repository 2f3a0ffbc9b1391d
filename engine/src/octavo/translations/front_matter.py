"""Front matter of pages: the texts in it, and how that of a translation follows its original."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import yaml

from octavo.lazy import regex as re

FIELDS = ("title", "description", "sidebar_label", "sidebar_badge", "pagination_label", "summary", "tagline")
"""Keys of front matter that readers see."""

_PARENTS = ("hero", "features", "banner", "sidebar", "prev", "next", "actions", "image")
"""Keys whose values have texts inside: of landing pages and of the frame of a page, here and in other engines."""
_TEXTS = frozenset(
    (
        "title",
        "text",
        "tagline",
        "details",
        "description",
        "label",
        "name",
        "alt",
        "subtitle",
        "content",
        "linkText",
        "summary",
    )
)
_INHERITED = frozenset(
    (
        "id",
        "slug",
        "sidebar_position",
        "sidebar_class_name",
        "sidebar_group",
        "displayed_sidebar",
        "pagination_prev",
        "pagination_next",
        "date",
        "draft",
        "search",
        "unlisted",
    )
)
"""Keys that a translation has from its original where it leaves them out."""

_YAML, _TOML = "---", "+++"
_KEY = re.compile(
    r"(?P<key>[\w-]+|\"[^\"]+\"|'[^']+')[ \t]*(?P<sign>:(?=[ \t]|$)|=)|(?P<table>\[\[?[^\]]+\]\]?)[ \t]*$"
)
_PATH = re.compile(r"[\w-]+(?:\.[\w-]+)*")
_LETTER = re.compile(r"[^\W\d_]")


class Field(NamedTuple):
    """A text in front matter."""

    path: str
    """Keys and numbers of items on the way to it: `hero.actions.0.text`."""
    text: str
    line: int
    """0-based line of its key, in the page."""


class _Chunk(NamedTuple):
    """A key of the first level with its value, or a table of TOML; comments before it are a part of it."""

    name: str
    """Empty for what is after the last one."""
    lines: tuple[str, ...]
    line: int
    """0-based number of the first line, in the page."""


def is_field(context: str) -> bool:
    """Return whether the context of a text is a path in front matter."""
    first, _, rest = context.partition(".")
    if not rest:
        return context in FIELDS
    return _PATH.fullmatch(context) is not None and first in _PARENTS and rest.rpartition(".")[2] in _TEXTS


def end_of_front_matter(lines: Sequence[str]) -> int:
    """Find the line behind front matter; 0 where there is none."""
    mark = lines[0].rstrip() if lines else ""
    if mark not in (_YAML, _TOML):
        return 0
    return next((number + 1 for number, line in enumerate(lines[1:], 1) if line.rstrip() == mark), 0)


def fields_of(lines: Sequence[str]) -> list[Field]:
    """List the texts in the front matter with which a page begins; none where it has none, or is not read."""
    return [field for chunk in _chunks(lines) for field in _fields(chunk, lines[0].rstrip())]


def front_matter_of_translation(
    original: Sequence[str],
    base: Sequence[str] | None,
    existing: Sequence[str] | None,
    targets: Mapping[tuple[str, str], str],
) -> tuple[list[str], list[Field]]:
    """Write the front matter of a translation.

    What a translator has changed stays, apart from the texts that are translated; everything else is that of the original.

    Args:
        original: Lines of the original as it is now.
        base: Lines of the original that the translation was made from; None where that is not known.
        existing: Lines of the translation so far.
        targets: (path, source) → translation.

    Returns:
        (the lines, with the marks around them; texts of the original that have no translation and stay as they are).
    """
    end = end_of_front_matter(original)
    if existing is not None and not (
        end and end_of_front_matter(existing) and existing[0].rstrip() == original[0].rstrip()
    ):
        existing = None if end else existing
    if not end:
        return list(existing[: end_of_front_matter(existing)]) if existing else [], []
    mark = original[0].rstrip()
    chunks, missing = list(_chunks(original)), list[Field]()
    if existing is None:
        parts = [_translated(chunk, chunk, targets, mark, missing) for chunk in chunks]
        return [mark, *(line for part in parts for line in part), original[end - 1]], missing
    before = {chunk.name: chunk for chunk in _chunks(base)} if base is not None else None
    own = list(_chunks(existing))
    now = {chunk.name: chunk for chunk in chunks if chunk.name}
    known = {chunk.name for chunk in own}
    written: list[list[str]] = []
    for chunk in own:
        was = before.get(chunk.name) if before is not None else None
        source = now.get(chunk.name)
        if source is None:
            if chunk.name and was is not None and was.lines == chunk.lines:
                continue  # the original has it no more
            written.append(list(chunk.lines))
            continue
        is_taken_over = was is not None and was.lines == chunk.lines
        own_paths = {field.path for field in _fields(chunk, mark)}
        lacking = [field for field in _fields(source, mark) if field.path not in own_paths]
        known_before = {(field.path, field.text) for field in _fields(was, mark)} if was is not None else set()
        # What the translator left out, and nobody has translated since, stays out.
        are_left_out = all(
            (field.path, field.text) in known_before and not targets.get((field.path, field.text)) for field in lacking
        )
        taken = chunk if are_left_out and not is_taken_over else source
        left_out = frozenset(field.path for field in lacking) if taken is chunk else frozenset[str]()
        written.append(_translated(taken, source, targets, mark, missing, left_out))
    first_table = next((number for number, chunk in enumerate(own) if chunk.name.startswith("[")), len(written))
    added = [
        _translated(chunk, chunk, targets, mark, missing)
        for chunk in chunks
        if chunk.name not in known and _is_added(chunk, before, targets, mark)
    ]
    written[first_table:first_table] = added
    return [mark, *(line for part in written for line in part), original[end - 1]], missing


def _is_added(
    chunk: _Chunk, before: Mapping[str, _Chunk] | None, targets: Mapping[tuple[str, str], str], mark: str
) -> bool:
    """Return whether a translation gets a key of the original that it does not have."""
    fields = _fields(chunk, mark)
    if any(targets.get((field.path, field.text)) for field in fields):
        return True
    if before is not None:
        return chunk.name not in before  # else the translator left it out
    return not fields and chunk.name not in _INHERITED


def _translated(
    chunk: _Chunk,
    source: _Chunk,
    targets: Mapping[tuple[str, str], str],
    mark: str,
    missing: list[Field],
    left_out: Collection[str] = (),
) -> list[str]:
    """Write the lines of a key with its texts translated.

    Args:
        chunk: The key, in the translation or in the original.
        source: The same in the original, whose texts are translated.
        targets: (path, source) → translation.
        mark: That around the front matter.
        missing: Gets the texts that have no translation.
        left_out: Paths that the translation does not have on purpose.
    """
    put: dict[str, str] = {}
    for field in _fields(source, mark):
        if target := targets.get((field.path, field.text), "").strip("\n"):
            put[field.path] = target
        elif field.path not in left_out:
            missing.append(field)
    if mark == _TOML:
        return _put_in_toml(chunk, put)
    text = "\n".join(chunk.lines)
    for node, path in sorted(_texts_of(text), key=lambda found: -found[0].start_mark.index):
        new = put.get(path)
        if new is not None and new != node.value.strip():
            start, end = node.start_mark.index, node.end_mark.index
            ends_line = text[start:end].endswith("\n")  # a block of text ends where the next key begins
            text = f"{text[:start]}{json.dumps(new, ensure_ascii=False)}{chr(10) * ends_line}{text[end:]}"
    return text.split("\n")


def _put_in_toml(chunk: _Chunk, put: Mapping[str, str]) -> list[str]:
    value = _read_toml(chunk).get(chunk.name)
    target = put.get(chunk.name)
    if target is None or not isinstance(value, str) or target == value.strip():
        return list(chunk.lines)
    comments = [line for line in chunk.lines if not line.strip() or line.lstrip().startswith("#")]
    return [*comments, f"{chunk.name} = {json.dumps(target, ensure_ascii=False)}"]  # a string of JSON is one of TOML


def _chunks(page: Sequence[str] | None) -> Iterator[_Chunk]:
    """Divide front matter into its keys; nothing for a page without."""
    end = end_of_front_matter(page) if page is not None else 0
    if page is None or not end:
        return
    is_toml = page[0].rstrip() == _TOML
    name, first, pending = "", 1, 1
    for number in range(1, end - 1):
        line = page[number]
        match = _KEY.match(line)
        in_table = name.startswith("[") and (match is None or match["table"] is None)
        if match is None or in_table or (match["sign"] or ("=" if match["table"] else "")) != ("=" if is_toml else ":"):
            if line.strip() and not line.startswith("#"):
                pending = number + 1
            continue
        if name or pending > first:
            yield _Chunk(name, tuple(page[first:pending]), first)
            first = pending
        name, pending = match["table"] or match["key"].strip("\"'"), number + 1
    if name or end - 1 > first:
        yield _Chunk(name, tuple(page[first : end - 1]), first)


def _fields(chunk: _Chunk, mark: str) -> list[Field]:
    if mark == _TOML:
        value = _read_toml(chunk).get(chunk.name) if chunk.name in FIELDS else None
        texts = [(chunk.name, value.strip(), 0)] if isinstance(value, str) else []
    else:
        texts = [
            (path, str(node.value).strip(), node.start_mark.line) for node, path in _texts_of("\n".join(chunk.lines))
        ]
    return [Field(path, text, chunk.line + line) for path, text, line in texts if _LETTER.search(text)]


def _read_toml(chunk: _Chunk) -> dict[str, Any]:
    try:
        return tomllib.loads("\n".join(chunk.lines))
    except tomllib.TOMLDecodeError:
        return {}


def _texts_of(text: str) -> list[tuple[yaml.ScalarNode, str]]:
    """Find the texts in YAML, with their paths."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return []
    return list(_walk(root, (), is_inside=False)) if isinstance(root, yaml.MappingNode) else []


def _walk(node: yaml.Node, path: tuple[str, ...], *, is_inside: bool) -> Iterator[tuple[yaml.ScalarNode, str]]:
    if isinstance(node, yaml.SequenceNode):
        for number, one in enumerate(node.value):
            yield from _walk(one, (*path, str(number)), is_inside=is_inside)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if isinstance(value, yaml.ScalarNode):
                is_text = value.tag == "tag:yaml.org,2002:str" and name in (_TEXTS if is_inside else FIELDS)
                if is_text and _PATH.fullmatch(".".join((*path, name))):
                    yield value, ".".join((*path, name))
            elif is_inside or name in _PARENTS:
                yield from _walk(value, (*path, name), is_inside=True)
