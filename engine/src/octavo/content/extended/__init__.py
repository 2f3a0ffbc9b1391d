"""Pieces of pages that extensions of the site make: directives, blocks of code, and texts that they change."""
