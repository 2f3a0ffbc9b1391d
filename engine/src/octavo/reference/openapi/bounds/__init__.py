"""Bounds of pages: what takes how much of one, and what is cut out or shortened."""
