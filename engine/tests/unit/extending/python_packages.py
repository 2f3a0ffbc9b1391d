"""Small packages in Python, read and drawn as the extension does it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from octavo.extensions import Inputs
from octavo.shipped.python_api.choices import Choices, Settings
from octavo.shipped.python_api.docstrings import take_origins
from octavo.shipped.python_api.draw import ObjectDrawing
from octavo.shipped.python_api.library import ModuleLibrary

_WORD = re.compile("\ue010(?:directive|admonition)\\.([\\w -]+)((?:\ue011[^\ue011\ue012]*)*)\ue012")


class PythonPackage:
    """The package `kit` in a site's folder."""

    def __init__(self, root: Path, files: Mapping[str, str] | str, **settings: Any) -> None:
        """Write and read it.

        Args:
            root: The site's folder.
            files: Path in the package → source, or the source of `__init__.py`.
            settings: See `Settings`.
        """
        sources = {"__init__.py": files} if isinstance(files, str) else files
        for name, source in sources.items():
            path = root / "src" / "kit" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(source), encoding="utf-8")
        self.settings = Settings(**{"packages": ["kit"], "paths": ["src"], **settings})
        self.inputs = Inputs(root, self.settings.patterns)
        ModuleLibrary._kept = None
        self.library = ModuleLibrary.of(self.settings, self.inputs)

    def object(self, path: str) -> Any:
        """Find an object that must be there."""
        found = self.library.find(path)
        assert found is not None, path
        return found

    def drawing(self, **choices: Any) -> ObjectDrawing:
        """Draw with some choices."""
        return ObjectDrawing(self.library, Choices(**choices), self.inputs)

    def draw(self, path: str, **choices: Any) -> str:
        """Draw an object as a page that asks for it has it."""
        return plain(self.drawing(**choices).draw_root(self.object(path)))

    def page(self, path: str, **choices: Any) -> str:
        """Draw the page of a module."""
        return plain(self.drawing(**choices).draw_page(self.object(path)))

    @property
    def findings(self) -> list[str]:
        """What was found, in one line each."""
        return [
            f"{one.path}:{one.line}: {one.level}: {one.message} {one.suggestion}".rstrip()
            for one in self.inputs.findings
        ]


def plain(text: str) -> str:
    """Write the marks of a drawn text so that people can read them, and leave those of origins out."""
    drawn, _ = take_origins(text)
    return _WORD.sub(lambda match: f"({match[1]}{match[2].replace(chr(0xE011), ' ')})", drawn)
