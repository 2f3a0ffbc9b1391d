"""reStructuredText, parsed by docutils and written as Markdown with Octavo's own blocks.

`translate` is the entrance; it loads nothing of docutils, which is an extra. `parsing` runs docutils with our `directives`
and `roles`, `writing` turns its tree into lines of Markdown that know their lines in the file, and `outline` finds
titles and labels without a parser, for pages that only refer to a file.
"""
