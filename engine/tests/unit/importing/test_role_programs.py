"""Roles that programs of Sphinx sites add as links."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from octavo.importing.settings.role_programs import role_links

PROGRAM = """
from docutils import nodes
from docutils.parsers.rst.roles import register_local_role

BASE = "https://kite.example/"


def issue(name, rawtext, text, lineno, inliner, options=None, content=None):
    ref = BASE + "issues/" + text
    return [nodes.reference(rawtext, "issue " + text, refuri=ref)], []


def source(name, rawtext, text, lineno, inliner):
    url = f"https://kite.example/a%20b/{text}.py"
    return [nodes.reference(rawtext, text, refuri=url)], []


def old(name, rawtext, text, lineno, inliner):
    return [nodes.reference(rawtext, text, refuri="https://kite.example/old/{}".format(text))], []


def either(name, rawtext, text, lineno, inliner):
    ref = "https://kite.example/x/" + text if text else "https://kite.example/y/%s" % text
    return [nodes.reference(rawtext, text, refuri=ref)], []


def setup(app):
    app.add_role("Issue", issue)
    app.add_role_to_domain("std", "source", source)
    app.add_role("gh", autolink("https://kite.example/gh/%s", "GH-%s"))
    app.add_role("either", either)
    app.add_role("other", SomeRole())
    register_local_role("old", old)
"""


def test_roles_that_link_have_their_addresses_and_others_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "roles.py").write_text(dedent(PROGRAM), encoding="utf-8")
    (tmp_path / "broken.py").write_text("def (", encoding="utf-8")
    assert role_links([tmp_path / "broken.py", tmp_path / "roles.py", tmp_path / "none.py"]) == {
        "issue": ["https://kite.example/issues/%s", "issue %s"],
        "source": ["https://kite.example/a%%20b/%s.py", "%s"],
        "gh": ["https://kite.example/gh/%s", "GH-%s"],
        "old": ["https://kite.example/old/%s", "%s"],
    }
