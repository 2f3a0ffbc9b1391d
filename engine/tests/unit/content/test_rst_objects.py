"""Objects of domains in reStructuredText: their directives, roles, ids and fields, as Sphinx has them."""

from __future__ import annotations

import re

from octavo.content import RstSettings

from .rst_pages import written


def test_default_role_may_be_one_of_a_domain() -> None:
    found = written("`kite.Kite`\n", RstSettings(default_role="py:obj"))
    assert found == ("[`kite.Kite`](ref:?kite.Kite)", [])
    assert written(".. default-role:: py:class\n\n`kite.Kite`\n") == found


def test_kinds_of_objects_of_the_site_have_directives_and_roles() -> None:
    settings = RstSettings(objects=["hook"])
    markdown, findings = written(".. hook:: fly\n\n   Flies.\n\nSee :hook:`fly` and :rst:dir:`note`.\n", settings)
    assert findings == []
    assert '<dt id="hook-fly">' in markdown
    assert "[`fly`](ref:?hook-fly) and [`.. note::`](ref:?directive-note)" in markdown


def test_kinds_of_objects_of_one_site_are_unknown_to_another() -> None:
    text = ".. keel:: deep\n\n   Text.\n"
    own = RstSettings(objects=["keel"])
    assert "directive" in written(text)[1][0]
    assert written(text, own)[1] == []
    assert (
        written(".. confval:: color\n", RstSettings(objects=["confval"]))[1] == written(".. confval:: color\n")[1] == []
    )
    assert 'id="keel-deep"' in written(text, own)[0]
    assert "directive" in written(text)[1][0]


def test_fields_of_objects_are_in_the_order_of_sphinx() -> None:
    text = ".. py:function:: fly(to)\n\n   :raises ValueError: No wind.\n   :param to: Where.\n   :returns: It.\n   :raises OSError: No kite.\n"
    markdown = written(text)[0]
    labels = re.findall(r"[*]{2}(\w+):[*]{2}", markdown)
    assert labels == ["Parameters", "Returns", "Raises"]


def test_members_are_those_of_the_class_around_them() -> None:
    text = ".. module:: kites\n\n.. autoclass:: Kite\n\n   .. automethod:: fly\n\n.. automethod:: Line.cut\n"
    _, findings = written(text)
    assert [one.partition('"')[2].partition('"')[0] for one in findings] == [
        "kites.Kite",
        "kites.Kite.fly",
        "kites.Line.cut",
    ]


def test_names_with_their_package_are_whole_also_below_another_module() -> None:
    settings = RstSettings(packages=["kite"])
    text = ".. module:: kite.tail\n\n.. autoclass:: kite.wing.Wing\n\n.. autoclass:: Tail\n\n.. autoclass:: knot.Knot\n"
    _, findings = written(text, settings)
    assert [one.partition('"')[2].partition('"')[0] for one in findings] == [
        "kite.wing.Wing",
        "kite.tail.Tail",
        "kite.tail.knot.Knot",
    ]


def test_what_is_read_from_source_code_may_hold_sections() -> None:
    _, findings = written("A\n=\n\n.. automodule:: kite\n\n   Wings\n   -----\n\n   Text.\n\n   -----\n\n   More.\n")
    assert [one for one in findings if "kite" not in one] == []


def test_resources_of_http_have_the_ids_of_their_domain() -> None:
    markdown, findings = written(
        ".. http:get:: /kites/(str:name)/\n\n   Shows it.\n\n   :query int wind: Of it.\n\nSee :http:get:`/kites/(str:name)/` and :http:statuscode:`404`.\n"
    )
    assert findings == []
    assert '<dt id="get--kites-(str-name)-"><code>GET /kites/(str:name)/</code></dt>' in markdown
    assert "ref:?get--kites-(str-name)-" in markdown
    assert "`404`" in markdown


def test_name_of_a_module_counts_for_what_follows_it_and_not_beyond_the_object_that_changes_it() -> None:
    text = (
        ".. py:module:: kite\n\n.. py:function:: fly()\n\n   .. py:currentmodule:: wind\n\n   .. py:function:: blow()\n\n"
        ".. py:function:: land()\n\n.. c:function:: int pull(void)\n   :noindex:\n"
    )
    markdown, findings = written(text)
    assert findings == []
    ids = re.findall(r'<dt(?: id="([^"]*)")?><code>', markdown)
    assert ids[0] == "kite.fly"
    assert ids[2] == "kite.land"
    assert ids[3] == ""


def test_object_of_a_module_that_an_option_names_has_its_id() -> None:
    text = ".. py:function:: fly(x)\n   :module: kite.wind\n\n   Fly.\n\n.. py:function:: land()\n"
    markdown, findings = written(text)
    assert ('<dt id="kite.wind.fly">' in markdown, '<dt id="land">' in markdown, findings) == (True, True, [])
