"""Settings of Mintlify in several files: `$ref` in a table names the file that holds its content."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import Any

from octavo.importing.model import Plan
from octavo.importing.settings.files import UnreadableError, read_json
from octavo.site import is_inside

_DEEPEST = 30
_MOST_NAMED = 1_000
"""Times that files are put in: files that each name the next one twice would become without end."""


def read_settings(plan: Plan, path: Path) -> Any:
    """Read settings in JSON with the files that they name.

    Args:
        plan: Gets notes on files that cannot be read.
        path: The file, in the site's folder or below it.

    Raises:
        UnreadableError: it is not JSON.
    """
    return _Parts(plan).whole(read_json(path), plan.path(path), 0)


class _Parts:
    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._known: dict[str, Any] = {}
        self._named = 0

    def whole(self, value: Any, path: str, depth: int) -> Any:
        """Replace each `$ref` by the content of the file that it names; other keys of the same table override that."""
        if isinstance(value, list):
            return [self.whole(one, path, depth + 1) for one in value]
        if not isinstance(value, dict):
            return value
        own = {key: self.whole(one, path, depth + 1) for key, one in value.items() if key != "$ref"}
        name = value.get("$ref")
        if not isinstance(name, str) or name.startswith("#"):
            return own if name is None else {**own, "$ref": name}
        target = posixpath.normpath(
            name.lstrip("/") if name.startswith("/") else posixpath.join(posixpath.dirname(path), name)
        )
        found = self._read(target, depth)
        return {**found, **own} if isinstance(found, dict) else own if found is None else found

    def _read(self, path: str, depth: int) -> Any:
        problem = ""
        self._named += 1
        if depth > _DEEPEST or self._named > _MOST_NAMED:
            problem = "the files name each other in a circle, or there are too many"
        elif path not in self._known:
            if not is_inside(self._plan.site_dir, path):
                problem = "it lies outside of the site"
            else:
                try:
                    self._known[path] = read_json(self._plan.site_dir / path)
                except UnreadableError as error:
                    problem = str(error).removeprefix(str(self._plan.site_dir / path)).lstrip(": ")
        if problem:
            remedy = "Write what they say into octavo.toml."
            self._plan.note("Files of the settings ($ref) that cannot be read", remedy, files=[f"{path}: {problem}"])
            return None
        return self.whole(self._known[path], path, depth + 1)
