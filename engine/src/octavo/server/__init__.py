"""The server: a published folder in, HTTP answers out.

The room never walks the folder. The manifest that the build wrote last names every file that may be
served, and a path of a request is only ever looked up in it.
"""
