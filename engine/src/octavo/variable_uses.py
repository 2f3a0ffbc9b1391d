"""How texts of a site name its variables: `{{ version }}`."""

from __future__ import annotations

from octavo.lazy import regex as re

# `${{ x }}` is GitHub's, `{{{ x }}}` Mustache's; `{{ .x }}`, `{{- x }}`, `{{ x | y }}` and `{{ f() }}` have no such name.
VARIABLE_USE = re.compile(r"(?<![${])\{\{[ \t]*(?P<name>[A-Za-z_]\w*(?:[.-]\w+)*)[ \t]*\}\}(?!\})")
"""A variable in a text."""
VARIABLE_USE_IN_FIELD = re.compile(rf"(?P<escape>\\?){VARIABLE_USE.pattern}")
"""A variable in a text of one line, with the backslash that shows the braces instead."""
