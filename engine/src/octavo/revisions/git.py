"""Git as a store of files: lists tags and branches, and reads files of their commits without a checkout."""

from __future__ import annotations

import os
import posixpath
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

from octavo.errors import UsageError
from octavo.revisions.store import BAD_NAMES, ID_LENGTH, STORE
from octavo.runtime import is_running

_TIMEOUT_S = 120
_BLOBS = ".blobs"
_WHOLE = ".whole"
"""Holds an empty file for each folder that is in the store with all of its files."""
_NEW = ".new-"
"""Beginning of the names of folders that are being written, before the id of the process that does so."""
_FILE_MODES = (b"100644", b"100755")
_KINDS = {"tags": "refs/tags/", "branches": "refs/heads/"}


class UnreadableRevisionError(UsageError):
    """The files of one commit cannot be had, while those of others may."""


class Revision(NamedTuple):
    """A tag or a branch."""

    ref: str
    """Its name, without `refs/tags/`."""
    commit: str
    date: str
    """ISO 8601 date of the commit."""


def list_revisions(site_dir: Path, kind: Literal["tags", "branches"], pattern: str) -> list[Revision]:
    """List tags or branches that match a pattern, in no particular order.

    Raises:
        UsageError: the site is in no repository, or git is not there.
    """
    form = "%(refname)%00%(*objectname)%00%(objectname)%00%(committerdate:short)%00%(*committerdate:short)"
    # By name alone: what a pattern of `for-each-ref` matches stops at slashes.
    text = _run(site_dir, "for-each-ref", f"--format={form}", _KINDS[kind]).decode("utf-8", "replace")
    found = []
    for line in text.splitlines():
        name, peeled, direct, date, peeled_date = line.split("\0")
        ref = name.removeprefix(_KINDS[kind])
        if _matches(ref, pattern):
            found.append(Revision(ref, peeled or direct, peeled_date or date))
    return found


def places_of_refs(site_dir: Path, kind: Literal["tags", "branches"]) -> tuple[list[Path], list[Path]]:
    """List where git keeps its tags or branches, to be watched: folders, and files of which some may be missing.

    Raises:
        UsageError: the site is in no repository, or git is not there.
    """
    common = os.fsdecode(_run(site_dir, "rev-parse", "--git-common-dir").removesuffix(b"\n"))
    # It is relative to the site's folder, or absolute in a worktree.
    repository = Path(os.path.normpath(site_dir / common))
    folders = [repository / _KINDS[kind].rstrip("/"), repository / "reftable"]
    return [folder for folder in folders if folder.is_dir()], [repository / "packed-refs"]


def read_text(site_dir: Path, commit: str, path: str) -> str | None:
    """Read a text file of a commit; None where there is none. `path` is from the site's folder."""
    try:
        return _run(site_dir, "cat-file", "blob", f"{commit}:./{path}").decode("utf-8", "replace")
    except UsageError:
        return None


def read_object(site_dir: Path, name: str) -> str | None:
    """Read a text by the first letters of the id of its content; None where the repository has none, or several."""
    try:
        return _run(site_dir, "cat-file", "blob", name).decode("utf-8", "replace")
    except UsageError:
        return None


def contents_at_change(site_dir: Path, pairs: Mapping[str, str]) -> dict[str, str]:
    """Find what some files contained when others were last changed, in one pass over the log.

    Args:
        site_dir: The site's folder.
        pairs: File that was changed → file that is asked about, both from the site's folder.

    Returns:
        File that was changed → id that git gives to the content of the other; without those that were never committed.

    Raises:
        UsageError: the site is in no repository, or git is not there.
    """
    log = _run(site_dir, "log", "--format=%x00", "--raw", "--no-abbrev", "--no-renames", "--relative", "--", ".")
    asked: dict[str, list[str]] = {}
    changed, found = set[str](), dict[str, str]()
    # Newest first: of one commit, all changes, and then those before it.
    for commit in _commits(log.decode("utf-8", "replace")):
        for path in commit:
            if path in pairs and path not in changed:
                changed.add(path)
                asked.setdefault(pairs[path], []).append(path)
        for path, blob in commit.items():
            if blob.strip("0"):
                found.update(dict.fromkeys(asked.pop(path, ()), blob))
    return found


def extract_folder(site_dir: Path, commit: str, folder: str) -> str | None:
    """Write the files of a folder as they were in a commit into the store.

    A folder of the store is never written again, and all of them share their equal files as hard links.

    Args:
        site_dir: The site's folder, in a repository.
        commit: Hash of a commit.
        folder: From the site's folder.

    Returns:
        Path of the folder in the store, from the site's folder; None where the commit has no such folder.

    Raises:
        UnreadableRevisionError: the repository lacks objects of the commit, or a name in it cannot be that of a file.
        UsageError: git cannot be run, or the store cannot be written to.
    """
    asked = (f"{commit}^{{tree}}", f"{commit}:./{folder}")
    try:
        prefix, whole, tree = _run(site_dir, "rev-parse", "--quiet", "--show-prefix", *asked).decode().split("\n")[:3]
    except UsageError:
        return None
    store = site_dir / STORE
    path = posixpath.normpath(f"{STORE}/{whole[:ID_LENGTH]}/{prefix}{folder}")
    target = site_dir / path
    mark = store / _WHOLE / f"{whole[:ID_LENGTH]}-{tree[:ID_LENGTH]}"
    if mark.exists() and target.is_dir():
        return path
    try:
        mark.parent.mkdir(parents=True, exist_ok=True)
        _clear_abandoned(store)
        made = Path(tempfile.mkdtemp(prefix=f"{_NEW}{os.getpid()}-", dir=store))
        try:
            _write_tree(site_dir, tree, made, store / _BLOBS)
            _move_into(made, target)
            mark.touch()
        except (OSError, UsageError):
            if not (mark.exists() and target.is_dir()):  # else a build beside this one was faster
                raise
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        kind = UnreadableRevisionError if error.errno in BAD_NAMES else UsageError
        raise kind(f"The files of {commit[:12]} cannot be written to {store}: {error.strerror}.") from error
    return path


def _move_into(made: Path, target: Path) -> None:
    """Move a folder to its place, where single files of it may be already."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        made.rename(target)
    except OSError:
        if not target.is_dir():
            raise
        for folder, _, names in os.walk(made):
            place = target / Path(folder).relative_to(made)
            place.mkdir(parents=True, exist_ok=True)
            for name in names:
                (Path(folder) / name).replace(place / name)


def with_folder(site_dir: Path, commits: Sequence[str], folder: str) -> list[str]:
    """List those of some commits that have a folder, whether or not its files can be read."""
    asked = "".join(f"{commit}:./{folder}\n" for commit in commits)
    said = _run(site_dir, "cat-file", "--batch-check=%(objecttype)", stdin=asked.encode()).decode("utf-8", "replace")
    return [commit for commit, kind in zip(commits, said.splitlines(), strict=True) if kind == "tree"]


def is_shallow(site_dir: Path) -> bool:
    """Return whether a repository has only part of its history."""
    return _run(site_dir, "rev-parse", "--is-shallow-repository").strip() == b"true"


def cut_revision(site_dir: Path, kind: Literal["tags", "branches"], ref: str, folders: Sequence[str]) -> str:
    """Make a tag or a branch of the commit that is checked out.

    Args:
        site_dir: The site's folder.
        kind: What to make.
        ref: Its name.
        folders: Folders whose files must all be committed, from the site's folder.

    Returns:
        The commit.

    Raises:
        UsageError: it is there already, files are not committed, or git refuses.
    """
    if any(one.ref == ref for one in list_revisions(site_dir, kind, "*")):
        raise UsageError(f'"{ref}" is there already; a version that is published does not change.')
    changed = _run(site_dir, "status", "--porcelain", "--", *folders, "octavo.toml").decode("utf-8", "replace")
    if changed.strip():
        raise UsageError(
            f"These files are not committed, and so would be missing:\n{changed.rstrip()}\nCommit them first."
        )
    command = ("tag", "--annotate", "--message", f"Version {ref}", ref) if kind == "tags" else ("branch", ref)
    _run(site_dir, *command)
    return _run(site_dir, "rev-parse", f"{_KINDS[kind]}{ref}^{{commit}}").decode().strip()


def _matches(ref: str, pattern: str) -> bool:
    before, star, after = pattern.partition("*")
    if not star:
        return ref == pattern
    return len(ref) > len(before) + len(after) and ref.startswith(before) and ref.endswith(after)


def _write_tree(site_dir: Path, tree: str, target: Path, blobs: Path) -> None:
    """Write the files of a tree; `blobs` holds those of all trees so far, named by their hashes."""
    entries = [
        (path, blob)
        for path, blob in _list_files(site_dir, tree)
        if not {"..", ".git"}.intersection(PurePosixPath(path).parts)
    ]
    for path in dict.fromkeys(posixpath.dirname(path) for path, _ in entries):
        (target / path).mkdir(parents=True, exist_ok=True)
    blobs.mkdir(exist_ok=True)
    entries = [(path, blob) for path, blob in entries if not _link(blobs / blob, target / path)]
    asked = list(dict.fromkeys(blob for _, blob in entries))
    content = _run(site_dir, "cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in asked).encode())
    places: dict[str, list[str]] = {}
    for path, blob in entries:
        places.setdefault(blob, []).append(path)
    start = 0
    for blob in asked:
        path = places[blob][0]
        end = content.find(b"\n", start)
        said = content[start:end].split()
        if end < 0 or not said[-1].isdigit():
            raise UnreadableRevisionError(f"The repository has no content of {path}: {blob[:12]} is missing.")
        size = int(said[-1])
        for path in places[blob]:
            (target / path).write_bytes(content[end + 1 : end + 1 + size])
        # Only a file that is whole: whoever is killed before leaves none.
        _link(target / path, blobs / blob)
        start = end + 1 + size + 1


def _clear_abandoned(store: Path) -> None:
    """Remove what builds that were killed have left, and files that no folder has any more."""
    for old in store.glob(f"{_NEW}*"):
        if not is_running(old.name.removeprefix(_NEW).partition("-")[0]):
            shutil.rmtree(old, ignore_errors=True)
    with suppress(OSError), os.scandir(store / _BLOBS) as blobs:
        for blob in blobs:
            # A build beside this one that links it now has a file of its own all the same.
            if blob.stat().st_nlink == 1:
                Path(blob.path).unlink(missing_ok=True)


def _link(source: Path, target: Path) -> bool:
    """Give a file a second name; False where it is missing, or the file system has no hard links."""
    try:
        os.link(source, target)
    except OSError:
        return False
    return True


def _commits(log: str) -> Iterator[dict[str, str]]:
    """Read a log whose commits begin with a zero byte: path → id of its new content, zeros where it was removed."""
    for commit in log.split("\0")[1:]:
        changes = (line.split("\t", 1) for line in commit.splitlines() if line.startswith(":"))
        yield {path: facts.split()[3] for facts, path in changes}


def _list_files(site_dir: Path, tree: str) -> Iterator[tuple[str, str]]:
    """List the files below a tree; links and repositories within are left out."""
    for line in _run(site_dir, "ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0"):
        if line:
            facts, _, path = line.partition(b"\t")
            mode, _, blob = facts.split()
            if mode in _FILE_MODES:
                yield os.fsdecode(path), blob.decode()


def _run(site_dir: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", "-c", "core.quotePath=false", "-C", str(site_dir), *arguments],
            input=stdin,
            capture_output=True,
            env=environment,
            check=False,
            timeout=_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"[versions] is read from git, which cannot be run: {error}.") from error
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip() or f"status {done.returncode}"
        raise UsageError(f"git {arguments[0]} failed in {site_dir}: {reason}")
    return done.stdout
