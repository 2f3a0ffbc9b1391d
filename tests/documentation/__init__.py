"""Octavo's own documentation, `docs/`: the pages that are made from the code, and tests of the site."""
