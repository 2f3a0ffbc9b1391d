"""Read configuration that is a program: TypeScript or JavaScript, run in V8 without any access to the machine.

The script sees its own folder's text files and nothing else; every package that it asks for is a stand-in that can be
called and looked into, and gives more stand-ins. What it exports comes back as JSON; stand-ins and functions are left
out, apart from functions that are exported as a whole, which are called.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import posixpath
import signal
import sys
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from octavo.errors import UsageError
from octavo.rendering import THEME_DIR, read_theme_file

_TIMEOUT_S = 10.0
"""Of processor time, where the system can count that of a process: a busy machine is not a fault of a script."""
_PATIENCE_S = 12 * _TIMEOUT_S
"""Of time on the clock, where it cannot; and for a script that waits."""
_OUT_OF_TIME = getattr(signal, "SIGXCPU", 0)
_MOST_MEMORY = 256 * 1024 * 1024
_LONGEST_FILE = 2_000_000
_MOST_FILES = 400
_MOST_NAMES = 5_000
_MOST_AHEAD = 20_000_000
"""Characters of files up to which more are read before a script asks for them."""
_ENTRY = "octavo-entry.js"
"""Name of the file that is made to run several others."""

_RUNTIME = (Path(__file__).parent / "script_runtime.js").read_text(encoding="utf-8")


class ScriptError(UsageError):
    """A configuration file of the old engine can't be run."""


class Scripts:
    """Runs configuration files that lie in one folder, or below it."""

    def __init__(self, root: Path, project: Path | None = None) -> None:
        """Initialize.

        Args:
            root: The folder that scripts may read, and in which they run.
            project: A folder above it of which they may read what is not hidden.
        """
        self._own = root.resolve()
        self._root = (project or root).resolve()
        self._files: dict[str, str | None] = {}
        self.lost: list[str] = []
        """Files that the last program has taken in and that are not there, by their paths from the root."""

    def load(self, path: Path, *, arguments: list[Any] | None = None) -> Any:
        """Run a file and give what it exports, its default export if it has one, as JSON values.

        Args:
            path: The file, inside of the root.
            arguments: What it is called with where it exports a function.

        Raises:
            ScriptError: it can't be read, or fails.
        """
        name = self._name(path.resolve())
        if name is None or self._read(name) is None:
            raise ScriptError(f"{path} cannot be read.")
        return self._settled(name, path, arguments or [])

    def run(self, code: str) -> Any:
        """Run a script that is not a file, such as one of an HTML page, and give what it exports.

        Raises:
            ScriptError: it fails.
        """
        self._files[_ENTRY] = code
        return self._settled(_ENTRY, self._root, [])

    def load_all(self, paths: list[Path]) -> dict[Path, Any]:
        """Run several files at once; gives what each exports, and None for one that fails or can't be read.

        Raises:
            ScriptError: they take too long together, or too much memory.
        """
        names = {name: path for path in paths if (name := self._name(path.resolve())) is not None}
        calls = (
            f"{json.dumps(name)}: (() => {{ try {{ const m = require({json.dumps(f'./{name}')}); return m.default ?? m; }}"
            " catch { return null; } })()"
            for name in names
        )
        self._files[_ENTRY] = f"module.exports = {{{', '.join(calls)}}};"
        found = self._settled(_ENTRY, self._root, [])
        return {path: found.get(name) for name, path in names.items()} if isinstance(found, dict) else {}

    def _settled(self, name: str, path: Path, arguments: list[Any]) -> Any:
        """Run a file again and again until it has all files that it asks for."""
        wanted = {name}
        answer: dict[str, Any] = {}
        for _ in range(_MOST_FILES):
            for one in wanted:
                self._read(one)
            answer = self._run(name, arguments)
            # The script asked for files that it was not given: it runs again with them.
            wanted = {one for one in answer.get("missing", []) if one not in self._files}
            if not wanted:
                break
            self._read_ahead(wanted)
        self.lost = [str(one) for one in answer.get("lost", [])]
        if error := answer.get("error"):
            raise ScriptError(f"{path} cannot be run: {error}")
        return answer.get("value")

    def _run(self, name: str, arguments: list[Any]) -> dict[str, Any]:
        """Run a file in a process of its own, which ends with it: V8 must not run here, where more processes are forked."""
        given = (self._files, name, arguments, str(self._root), self._name(self._own) or "")
        start = f"octavoRun({', '.join(map(json.dumps, given))})"
        context: Any = multiprocessing.get_context("fork" if sys.platform.startswith("linux") else "spawn")
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_evaluate, args=(theirs, _compiler(), start), daemon=True)
        process.start()
        theirs.close()
        try:
            if not ours.poll(_PATIENCE_S):
                return {"error": f"it runs for more than {_PATIENCE_S:.0f} s."}
            found: dict[str, Any] = json.loads(ours.recv())
        except (EOFError, OSError):
            process.join(1)
            if process.exitcode == -_OUT_OF_TIME:
                return {"error": f"it runs for more than {_TIMEOUT_S:.0f} s."}
            return {"error": "it takes too much memory."}
        finally:
            process.kill()
            process.join()
            ours.close()
        return found

    def _name(self, path: Path) -> str | None:
        if not path.is_relative_to(self._root):
            return None
        name = path.relative_to(self._root).as_posix()
        return "" if name == "." else name

    def _read(self, name: str) -> str | None:
        """Read a file of the root by its path from there; the answer is kept, also that there is none.

        A path that ends in a slash is that of a folder: its text is the names in it, a line for each.
        """
        if name not in self._files:
            path = (self._root / posixpath.normpath(name)).resolve()
            text = None
            try:
                if not self._may_read(path):
                    text = None
                elif name.endswith("/"):
                    text = self._names_in(path)
                elif path.is_file() and path.stat().st_size < _LONGEST_FILE:
                    text = path.read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError):
                text = None
            self._files[name] = text
        return self._files[name]

    def _read_ahead(self, wanted: set[str]) -> None:
        """Read what a script that goes through a folder asks for next: to run it again for each file takes minutes.

        Args:
            wanted: What it asked for. Where it has listed the folder of a file, it gets all files with the same ending in the
                highest folder above that it has listed.
        """
        walks = set()
        for one in wanted:
            folders = one.rstrip("/").split("/")[:-1]
            listed = [
                path for end in range(1, len(folders) + 1) if self._files.get(path := "/".join(folders[:end]) + "/")
            ]
            if folders and listed and listed[-1] == "/".join(folders) + "/":
                walks.add((listed[0], "" if one.endswith("/") else posixpath.splitext(one)[1]))
        size = sum(len(text or "") for text in self._files.values())
        for top, ending in sorted(walks):
            level = [top]
            while level:
                folder = level.pop()
                for name in (self._read(folder) or "").split("\n"):
                    if size > _MOST_AHEAD or len(self._files) > _MOST_NAMES:
                        return
                    if name.endswith("/") and not name.startswith((".", "node_modules")):
                        level.append(folder + name)
                    elif ending and name.endswith(ending):
                        size += len(self._read(folder + name) or "")

    def _may_read(self, path: Path) -> bool:
        """Whether a path lies in the folder of the scripts, or is not hidden and lies in their project."""
        if path.is_relative_to(self._own):
            return True
        return path.is_relative_to(self._root) and not any(
            part.startswith(".") for part in path.relative_to(self._root).parts
        )

    def _names_in(self, folder: Path) -> str | None:
        """List a folder of the root, with a slash after the names of folders; None where it is none."""
        if not folder.is_relative_to(self._root) or not folder.is_dir():
            return None
        found = sorted(islice(folder.iterdir(), _MOST_NAMES), key=lambda one: one.name)
        return "\n".join(f"{one.name}/" if one.is_dir() else one.name for one in found if "\n" not in one.name)


def _compiler() -> str:
    return read_theme_file(THEME_DIR / "compile-script.js").decode()


def _limit_processor_time() -> None:
    """Let the system end this process when it has used up its time; threads of V8 count as well."""
    if sys.platform == "win32":
        return
    import resource

    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    limit = math.ceil(used + _TIMEOUT_S)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (limit if hard < 0 else min(limit, hard), hard))


def _evaluate(connection: Connection, compiler: str, start: str) -> None:
    """Run a script in this process and send what it gives."""
    from py_mini_racer import JSEvalException, JSTimeoutException, MiniRacer

    _limit_processor_time()
    engine = MiniRacer()
    try:
        engine.eval(compiler, timeout_sec=_PATIENCE_S)
        engine.eval(_RUNTIME, timeout_sec=_PATIENCE_S)
        engine.eval(start, timeout_sec=_PATIENCE_S, max_memory=_MOST_MEMORY)
        answer = str(engine.eval("octavoAnswer()", timeout_sec=_PATIENCE_S))
    except JSTimeoutException:
        answer = json.dumps({"error": f"it runs for more than {_PATIENCE_S:.0f} s."})
    except JSEvalException as error:
        answer = json.dumps({"error": str(error).strip().partition("\n")[0]})
    connection.send(answer)
    connection.close()
