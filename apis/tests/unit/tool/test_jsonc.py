"""Members are inserted and removed in the text itself; all else stays, byte by byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tool_api.clients import jsonc

SETTINGS = """\
// my settings
{
    "editor.fontSize": 14, // large
    /* servers */
    "mcp": {
        "servers": {
            "mine": { "url": "http://x" }, // keep
        },
    },
}
"""

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_member_is_added_beside_the_others_with_their_indent() -> None:
    changed = jsonc.set_value(SETTINGS, ("mcp", "servers", "ours"), {"url": "u"})
    inserted = '            "ours": {\n                "url": "u"\n            },\n'
    assert changed == SETTINGS.replace("// keep\n", f"// keep\n{inserted}")
    assert jsonc.remove(changed, ("mcp", "servers", "ours")) == SETTINGS


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "a": {\n    "b": 1\n  }\n}\n'),
        ("\ufeff{}", '\ufeff{\n  "a": {\n    "b": 1\n  }\n}'),
        ('{"x": 1}', '{"x": 1,\n  "a": {\n    "b": 1\n  }\n}'),
        ('{"a": {}}', '{"a": {\n  "b": 1\n}}'),
        ('{\r\n\t"a": {\r\n\t}\r\n}', '{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}'),
        ('{"a": {"b": [1, 2,], "c": 1}}', '{"a": {"b": 1, "c": 1}}'),
        ('{\n  "x": 1 // last, no comma }\n}', '{\n  "x": 1, // last, no comma }\n  "a": {\n    "b": 1\n  }\n}'),
    ],
)
def test_value_is_set_wherever_it_belongs(before: str, after: str) -> None:
    assert jsonc.set_value(before, ("a", "b"), 1) == after
    assert jsonc.get(after, ("a", "b")) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"a": {"b": 1}}', '{"a": {}}'),
        ('{"a": {"b": 1, "c": 2}}', '{"a": { "c": 2}}'),
        ('{"a": {"c": 2, "b": 1}}', '{"a": {"c": 2 }}'),
        ('{"a": {\n  "c": 2,\n  "b": 1 // ours\n}}', '{"a": {\n  "c": 2 // ours\n}}'),
        ('{"a": {\n  // of c\n  "c": 2,\n  "b": 1,\n}}', '{"a": {\n  // of c\n  "c": 2,\n}}'),
        ('{"a": {"c": 2}}', '{"a": {"c": 2}}'),
        ("{}", "{}"),
    ],
)
def test_member_is_removed_with_its_comma(before: str, after: str) -> None:
    assert jsonc.remove(before, ("a", "b")) == after


@pytest.mark.parametrize(
    "text",
    [
        '{"a": {"own": 1}}',
        '{\n  // mine\n  "a": {"own": {"url": "x"}}\n}\n',
        '{\n  "a": { "own": 1, "other": [1,\n 2]} // why\n}',
        '{"a": {\r\n  "own": 1\r\n}}',
        '{"a": {"own": 1,}}',
        '{"a": {"own": 1, // why\n}}',
    ],
)
def test_object_on_one_line_is_on_one_line_again(text: str) -> None:
    changed = text
    for key in ("b", "c"):
        changed = jsonc.set_value(changed, ("a", key), {"url": "u"})
    for key in ("b", "c"):
        changed = jsonc.remove(changed, ("a", key))
    assert changed == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a" 1}', "line 1, column 6: expected a colon"),
        ('{\n  "a": 1\n  "b": 2\n}', "line 3, column 3: expected a comma or the end of the object"),
        ("{'a': 1}", "line 1, column 2: expected a key in double quotes"),
        ('{"a": }', "line 1, column 7: expected a value"),
        ('{"a": 1} {', "line 1, column 10: something comes after the end"),
        ('{"a": "', "line 1, column 7: expected a value"),
        ('{"a": 01e}', "line 1, column 7: not a JSON value"),
        ("[" * 400, "too deep"),
        ('{"mcp": []}', "mcp is not an object"),
        ("[]", "the file is not an object"),
    ],
)
def test_text_that_is_no_json_is_refused_with_the_place(text: str, said: str) -> None:
    with pytest.raises(jsonc.JsoncError, match=said.replace("[", r"\[")):
        jsonc.set_value(text, ("mcp", "servers"), 1)


# The first text of a process takes seconds on a busy machine: tables of all characters are made for it.
@pytest.mark.costly
@given(st.dictionaries(st.text(), VALUES, max_size=4), st.lists(st.text(), min_size=1, max_size=3), VALUES)
def test_changed_texts_are_read_as_their_values_say(found: dict[str, Any], keys: list[str], value: Any) -> None:
    for text in (json.dumps(found), json.dumps(found, indent="\t", ensure_ascii=False)):
        expected = json.loads(text)
        place = expected
        try:
            for key in keys[:-1]:
                place = place.setdefault(key, {})
            if not isinstance(place, dict):
                continue
        except AttributeError:
            continue
        is_new = keys[-1] not in place
        place[keys[-1]] = value
        changed = jsonc.set_value(text, keys, value)
        assert json.loads(changed) == expected
        del place[keys[-1]]
        removed = jsonc.remove(changed, keys)
        assert json.loads(removed) == expected
        if is_new and len(keys) == 1 and found and "\n" in text:
            assert removed == text
