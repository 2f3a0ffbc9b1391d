"""The directive for formulas, with the options that Sphinx adds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst.directives import flag, unchanged
from docutils.parsers.rst.directives.body import MathBlock


class MathDirective(MathBlock):
    """`label` is what `:eq:` refers to."""

    option_spec: ClassVar[Any] = {
        **(MathBlock.option_spec or {}),
        "label": unchanged,
        "nowrap": flag,
        "no-wrap": flag,
    }

    def run(self) -> list[nodes.Node]:
        """Make the block, with an id where it has a label."""
        label = self.options.pop("label", None)
        if label and "name" not in self.options:
            self.options["name"] = f"equation-{label}"
        run: Callable[[], list[nodes.Node]] = super().run
        return run()
