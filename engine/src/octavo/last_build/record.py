"""The record of the last build: what was requested, what it was made of, what it has said and published."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from octavo.diagnostics import Diagnostic
from octavo.last_build.file_states import SEARCH_FOLDER, is_untouched, load_states, states_name
from octavo.last_build.git import git_files
from octavo.last_build.inputs import FileLooks, InputFiles, InputFolder, Single, look_at
from octavo.last_build.named import named_files
from octavo.lazy import regex as re
from octavo.manifest import MANIFEST_PATH
from octavo.runtime import WORK_DIR, load_checked, save_checked, work_folder

_NAME = "last-build.msgpack"
_CONFIG_NAME = "octavo.toml"
_PACKAGE = str(Path(__file__).resolve().parent.parent)
_VARIABLE = re.compile(rb"""(?:env:|url_env["']?\s*=\s*["'])(\w+)""")
_OWN_VARIABLES = ("OCTAVO_", "GIT_")
_LOCKS = frozenset({".tantivy-meta.lock", ".tantivy-writer.lock"})


class Result(msgspec.Struct, frozen=True):
    """What a build has done."""

    pages: int
    build_id: str
    diagnostics: list[Diagnostic]
    drawn: int = 0
    """Pages that were drawn anew."""
    is_published: bool = True


class Asked(msgspec.Struct, frozen=True):
    """What a build is asked to do."""

    site_dir: Path
    """Absolute, without links."""
    out: Path
    """Absolute, without links."""
    work_dir: Path
    """See `work_folder`."""
    options: str
    """All else that decides about its result, as text."""

    @staticmethod
    def of(site_dir: Path, out: Path, options: object) -> Asked | None:
        """Describe the request for a build; None for a folder that is not a site, which the build will explain.

        Args:
            site_dir: The site's folder.
            out: The folder to publish.
            options: Further options of the request; their `repr` names all of them.
        """
        site = site_dir.resolve()
        if not (site / _CONFIG_NAME).is_file():
            return None
        return Asked(site, out.resolve(), work_folder(site).resolve(), repr(options))


class _Record(msgspec.Struct, frozen=True):
    asked: str
    inputs: FileLooks
    published: FileLooks
    """The files that every build makes anew: the manifest, and the index."""
    result: Result


_NOTHING = _Record("", FileLooks("", {}), FileLooks("", {}), Result(0, "", []))


class Comparison(NamedTuple):
    """A site, compared with the last build."""

    result: Result | None
    """What the last build has said, where a build would do the same again: nothing has changed, nothing is damaged."""
    inputs: FileLooks | None
    """What a build would be made of, as `look_at_inputs` gives it."""


def find_same(asked: Asked) -> Comparison:
    """Find what the last build has said, if a build would do the same again; looks at each file of the site once."""
    record = load_checked(asked.work_dir / _NAME, _Record, _NOTHING)
    # Before all that is compared: what somebody changes in between must not pass for what was compared.
    inputs = look_at(_inputs(asked), record.inputs.unsettled)
    if inputs is None:
        return Comparison(None, None)
    if record.asked != _key(asked) or inputs.as_before != record.inputs:
        return Comparison(None, inputs.now)
    published = look_at(_made_anew(asked.out), record.published.unsettled)
    try:
        states = load_states(_with(states_name(asked.out, asked.work_dir), "published.files"))
    except OSError:
        return Comparison(None, inputs.now)
    if published is None or published.as_before != record.published or not is_untouched(asked.out, states):
        return Comparison(None, inputs.now)
    if record.inputs.unsettled or record.published.unsettled:
        # By now the times of these files say something.
        _save(asked, msgspec.structs.replace(record, inputs=inputs.now, published=published.now))
    return Comparison(record.result, inputs.now)


def look_at_inputs(asked: Asked) -> FileLooks | None:
    """Look at all that a build is made of, before it reads any of it; None where that cannot be told."""
    looks = look_at(_inputs(asked))
    return looks.now if looks is not None else None


def keep_result(asked: Asked, inputs: FileLooks | None, result: Result) -> None:
    """Keep what a build has done, for the next one.

    Args:
        asked: What it was asked.
        inputs: What it was made of, as `look_at_inputs` saw it.
        result: What it has done.
    """
    result = msgspec.structs.replace(result, drawn=0)
    published = look_at(_made_anew(asked.out))
    if inputs is None or published is None:
        forget_result(asked)
    else:
        _save(asked, _Record(_key(asked), inputs, published.now, result))


def forget_result(asked: Asked) -> None:
    """Let the next build look at everything."""
    with suppress(OSError):
        (asked.work_dir / _NAME).unlink(missing_ok=True)


def _save(asked: Asked, record: _Record) -> None:
    with suppress(OSError):
        save_checked(asked.work_dir / _NAME, record)


def _key(asked: Asked) -> str:
    """Hash what a build is asked, with the parts of its surroundings that decide about its result."""
    try:
        named = set(_VARIABLE.findall((asked.site_dir / _CONFIG_NAME).read_bytes()))
    except OSError:
        named = set()
    variables = sorted(
        (name, value)
        for name, value in os.environ.items()
        if name.startswith(_OWN_VARIABLES) or os.fsencode(name) in named
    )
    texts = (str(asked.site_dir), str(asked.out), asked.options, sys.version, variables, list(_installed()))
    return hashlib.sha256(repr(texts).encode("utf-8", "surrogatepass")).hexdigest()


def _installed() -> Iterator[tuple[str, int, int]]:
    """Look at the folders of Python's packages: an installer that changes a version changes their times."""
    for folder in sys.path:
        if folder.endswith(("site-packages", "dist-packages")):
            with suppress(OSError):
                found = Path(folder).stat()
                yield folder, found.st_mtime_ns, found.st_ino


def _inputs(asked: Asked) -> Iterator[InputFiles]:
    """List all that a build is made of: the site's folder, what its settings name outside of it, Git's files, and ours.

    Raises:
        CannotTellError: it cannot be told by looking at files.
        OSError: the settings cannot be opened.
    """
    site = asked.site_dir
    own = {str(site / WORK_DIR), str(site / ".git"), str(asked.work_dir), str(asked.out)}
    yield InputFolder(str(site), left_out=own)
    yield named_files(site, site / _CONFIG_NAME)
    yield InputFolder(_PACKAGE, left_out_names={"__pycache__"})
    yield from git_files(asked.site_dir)


def _made_anew(out: Path) -> list[InputFiles]:
    """List what every build publishes anew, and what is therefore not among the states of its files."""
    return [InputFolder(str(out / SEARCH_FOLDER), left_out_names=_LOCKS), Single(str(out / MANIFEST_PATH))]


def _with(name: Path, ending: str) -> Path:
    return name.with_name(f"{name.name}.{ending}")
