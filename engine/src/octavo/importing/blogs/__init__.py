"""Blogs of other engines: their posts become those of a blog here, at the addresses that they had."""
