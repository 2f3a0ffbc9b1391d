"""Rewrite Markdown of other engines as Octavo's own: edits at the places that the scanner reports, nothing else.

`octavo.content.convert.page.convert_page` is the interface; it loads the parser.
"""
