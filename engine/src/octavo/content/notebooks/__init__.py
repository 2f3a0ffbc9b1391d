"""Notebooks of Jupyter (`.ipynb`), read as Markdown; nothing of them is run.

`cells` reads the JSON and keeps the place of each character of a cell; `translate` writes cells as Markdown, `outputs` what
they have shown; `shown_html` lets through what is harmless of HTML; `pictures` gives the pictures, which are published as files.
"""
