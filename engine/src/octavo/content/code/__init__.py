"""Code blocks: info strings, line marks, highlighting."""
