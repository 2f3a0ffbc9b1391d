"""Pieces of pages that extensions and slots of the site make: directives, blocks of code, and texts that they change."""
