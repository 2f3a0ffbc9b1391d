"""Blocks of code in the language `example`: the source, and below it what readers see; and `playground`, to type in.

The result is compiled from the text that is shown, so the two cannot differ.
"""

from __future__ import annotations

import json
import re

from octavo.extensions import Extension, Fence, Html, Markdown, Output

extension = Extension("examples")


@extension.fence("example")
def example(block: Fence) -> Output:
    """Show Markdown as source, and then as readers see it."""
    longest = max((len(run) for run in re.findall(r"`+", block.text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [
        Markdown(f"{fence}md\n{block.text.rstrip()}\n{fence}"),
        Html('<div class="example-result">'),
        Markdown(block.text),
        Html("</div>"),
    ]


@extension.fence("playground")
def playground(block: Fence) -> Output:
    """Show Markdown beside its result; the component has the text compiled that is typed into it."""
    text = block.text.rstrip()
    return Markdown(f"<Playground text={{{json.dumps(text)}}}>\n\n{text}\n\n</Playground>")
