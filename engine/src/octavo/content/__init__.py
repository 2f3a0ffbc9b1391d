"""A Markdown file → `Document`. Pure: text in, typed value out; no I/O, no knowledge of the site."""
