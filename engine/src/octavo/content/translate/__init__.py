"""Syntax of other engines, rewritten as Octavo's own before a page is scanned.

Each translator takes a fragment and gives one with the same content in the syntax that the scanner knows; what it
writes still points to the place in the file that it replaces. A page whose dialect has none of them is not looked at.
"""
