"""Small sites of engines that are not written in JavaScript."""

from __future__ import annotations

from .sites import Case

MKDOCS = Case(
    engine="mkdocs",
    files={
        "mkdocs.yml": """
site_name: Kite
site_url: https://kite.example/docs/
repo_url: https://github.com/kite/kite
nav:
  - Home: index.md
  - Guides:
      - guides/wind.md
      - Elsewhere: https://example.org
markdown_extensions:
  - admonition
  - attr_list
  - pymdownx.superfences:
      custom_fences:
        - name: mermaid
          format: !!python/name:pymdownx.superfences.fence_code_format
  - toc: {permalink: true}
plugins:
  - search
  - redirects: {redirect_maps: {old.md: guides/wind.md}}
extra: {version: !ENV [VERSION, "1"]}
""",
        "docs/index.md": "# Kite\n\n!!! note\n    Mind the wind.\n",
        "docs/guides/wind.md": "# Wind\n\n## A & b\n\n## Own { #own }\n\n## A & b\n",
        "docs/img/x.txt": "x",
    },
    pages=["index.html", "guides/wind/index.html", "img/x.txt"],
    sidebar=["index", "Guides", "guides/wind", "https://example.org"],
    shown={"index.html": "Mind the wind."},
    redirects={"/old/": "/guides/wind/"},
)


MDBOOK = Case(
    engine="mdbook",
    files={
        "book.toml": '[book]\ntitle = "Kite"\n[output.html]\nsite-url = "/kite/"\n[output.html.redirect]\n"/old.html" = "wind.html"\n',
        "src/SUMMARY.md": "# Summary\n\n[Preface](README.md)\n\n# Flying\n\n- [Wind](wind.md)\n    - [Storm](deep/storm.md)\n- [Later]()\n",
        "src/README.md": "# Preface\n",
        "src/wind.md": "# Wind\n\n{{#include part.md}}\n",
        "src/part.md": "A part of it.\n",
        "src/deep/storm.md": "# Storm\n\n[wind](../wind.md)\n",
    },
    pages=["index.html", "wind.html", "deep/storm.html"],
    sidebar=["README", "Flying", "Wind", "deep/storm"],
    shown={"wind.html": "A part of it."},
    redirects={"/old.html": "/wind.html"},
)


HUGO = Case(
    engine="hugo",
    files={
        "hugo.toml": 'baseURL = "https://kite.example/"\ntitle = "Kite"\n[[menu.main]]\nname = "Docs"\nurl = "/docs/"\n',
        "content/_index.md": "---\ntitle: Kite\n---\n\nWelcome.\n",
        "content/docs/_index.md": "---\ntitle: Documents\nweight: 1\n---\n\nAll.\n",
        "content/docs/Wind.md": "---\ntitle: Wind\nweight: 2\naliases: [/old/]\n---\n\nBlows.\n",
        "content/docs/kites/index.md": "---\ntitle: Kites\nweight: 1\nslug: all-kites\n---\n\nFly.\n",
    },
    pages=["index.html", "docs/index.html", "docs/wind/index.html", "docs/all-kites/index.html"],
    sidebar=["_index", "Documents", "docs/kites/index", "docs/Wind"],
    redirects={"/old/": "/docs/wind/"},
)


SPHINX = Case(
    engine="sphinx",
    files={
        "conf.py": 'import os\nproject = "Kite"\nextensions = ["myst_parser"]\nos.remove("index.md")\nexclude_patterns = ["_build"]\n',
        "index.md": "# Kite\n\n```{toctree}\n:caption: Guides\n\nguides/wind\nMore <guides/more>\n```\n",
        "guides/wind.md": "# Wind\n\nBlows.\n",
        "guides/more.md": "# More\n\nMore.\n",
        "old.adoc": "= Old\n",
    },
    pages=["index.html", "guides/wind.html", "guides/more.html"],
    sidebar=["Guides", "guides/wind", "guides/more"],
)


SPHINX_RST = Case(
    engine="sphinx",
    files={
        "docs/_ext/winds.py": 'def setup(app):\n    app.add_crossref_type("wind", "wind", objname="a wind")\n',
        "docs/conf.py": """
import os
project = "Kite"
extensions = ["sphinx.ext.extlinks", "sphinx.ext.intersphinx", "sphinx_design"]
release = "2.1"
extlinks = {"issue": ("https://kite.example/issues/%s", "issue %s")}
intersphinx_mapping = {"python": ("https://docs.python.org/3", None)}
rst_prolog = '''
.. |kite| replace:: the *kite*
.. |tail| replace:: its tail
'''
default_role = "any"
exclude_patterns = ["_build"]
""",
        "docs/index.rst": """
.. _start:

====
Kite
====

Version |release| of |kite| and |tail|: :doc:`guides/wind`, :ref:`strong`, `strong`, :issue:`4`, :class:`kite.Kite`.

.. toctree::
   :caption: Guides
   :glob:

   guides/wind
   More <guides/more>
   news/*

.. toctree::
   :hidden:

   api
   Elsewhere <https://kite.example>
""",
        "docs/guides/wind.rst": "Wind\n====\n\n.. _strong:\n\nStrong wind?\n------------\n\n.. note:: Blows.\n\n.. strange:: it\n\n   Kept.\n",
        "docs/guides/more.md": "# More\n\n{ref}`strong` and {doc}`wind`\n",
        "docs/news/a.rst": "News\n====\n\n.. include:: ../../CHANGES.rst\n",
        "docs/news/b.rst": "Old\n===\n",
        "docs/api.rst": "API\n===\n\n.. wind:: foehn\n\n   Warm, :wind:`foehn`.\n\n.. currentmodule:: kite\n\n.. class:: Kite(string)\n\n   It flies.\n",
        "CHANGES.rst": "First\n-----\n\n- Fly.\n",
    },
    pages=["index.html", "guides/wind.html", "guides/more.html", "news/a.html", "api.html"],
    sidebar=["Guides", "guides/wind", "guides/more", "news/a", "news/b", "api", "https://kite.example"],
    shown={
        "index.html": "Version 2.1 of the kite and its tail: Wind , Strong wind? , Strong wind? , issue 4 , kite.Kite .",
        "guides/wind.html": "Kept.",
        "guides/more.html": "Strong wind? and Wind",
        "news/a.html": "Fly.",
    },
)


GITBOOK = Case(
    engine="gitbook",
    files={
        "SUMMARY.md": "# Table of contents\n\n* [Kite](README.md)\n* [Wind](guides/wind.md)\n",
        "README.md": "# Kite\n",
        "guides/wind.md": "# Wind\n",
        ".gitbook.yaml": "redirects:\n  old: guides/wind.md\n",
    },
    pages=["index.html", "guides/wind/index.html"],
    sidebar=["README", "guides/wind"],
    redirects={"/old": "/guides/wind"},
)


BOOK = Case(
    engine="gitbook",
    files={
        "book.json": '{"title": "Kites", "root": "./docs", "plugins": ["hints", "kite-maps@1.0"], "variables": {"wind": 3}}',
        "docs/SUMMARY.md": "# Summary\n\n* [Kite](README.md)\n* [Wind](guides/wind.md)\n",
        "docs/README.md": "# Kite\n\nWind {{ book.wind }}. {% include '/guides/part.txt' %}\n\n[wind](guides/wind.md#what_it_does)\n",
        "docs/guides/wind.md": "# Wind\n\n## What_it_does\n",
        "docs/guides/part.txt": "Taken in.",
    },
    pages=["index.html", "guides/wind.html"],
    sidebar=["README", "guides/wind"],
    shown={"index.html": "Wind 3. Taken in."},
)


BOOK_IN_LANGUAGES = Case(
    engine="gitbook",
    files={
        "LANGS.md": "# Languages\n\n* [English](en/)\n* [Deutsch](de/)\n",
        "book.json": '{"variables": {"wind": 3}}',
        "en/SUMMARY.md": "* [Kite](README.md)\n* [Wind](wind.md)\n",
        "en/README.md": "# Kite\n\n{% include '/part.txt' %}\n",
        "en/part.txt": "Wind {{ book.wind }}.",
        "en/wind.md": "# Wind\n",
        "de/SUMMARY.md": "* [Drachen](README.md)\n",
        "de/README.md": "# Drachen\n",
    },
    pages=["index.html", "en/index.html", "en/wind.html", "de/index.html"],
    sidebar=["en/README", "en/wind"],
    shown={"en/index.html": "Wind 3."},
)


JEKYLL = Case(
    engine="jekyll",
    files={
        "_config.yml": """
title: Kite
url: https://kite.example
baseurl: /docs
permalink: pretty
collections: {guides: {output: true, permalink: "/:collection/:path/"}, drafts: {output: false}}
exclude: [private/]
defaults: [{scope: {path: "deep"}, values: {parent: Start}}]
plugins: [jekyll-optional-front-matter]
""",
        "index.md": "---\ntitle: Home\nnav_order: 1\n---\n\n{{ site.title }} flies.\n",
        "start.md": "---\ntitle: Start\nnav_order: 2\nredirect_from: /begin/\n---\n\n[wind]({% link _guides/wind.md %})\n",
        "deep/rain.markdown": "---\ntitle: Rain\npermalink: /wet.html\n---\n",
        "_guides/wind.md": "---\ntitle: Wind\nnav_order: 3\n---\n\n{% include note.html text='Blows.' %}\n",
        "_drafts/x.md": "---\ntitle: X\n---\n",
        "_posts/2024-02-03-first.md": "---\ntitle: First\n---\n\nHello.\n",
        "_includes/note.html": "<div>\n  {{ include.text }}\n</div>\n",
        "private/a.md": "# A\n",
        "assets/x.txt": "x",
        "Gemfile": "gem 'jekyll'\n",
    },
    pages=[
        "index.html",
        "start/index.html",
        "wet.html",
        "guides/wind/index.html",
        "2024/02/03/first/index.html",
        "assets/x.txt",
    ],
    sidebar=["index", "Start", "deep/rain", "_guides/wind"],
    shown={"index.html": "Kite flies.", "guides/wind/index.html": "Blows."},
    redirects={"/begin/": "/start/"},
)


PLAIN = Case(
    engine="plain",
    files={"README.md": "# Kite\n", "01-wind.md": "# Wind\n", "guides/README.md": "# Guides\n", "guides/a.md": "# A\n"},
    pages=["index.html", "01-wind/index.html", "guides/index.html", "guides/a/index.html"],
    sidebar=["."],
)
