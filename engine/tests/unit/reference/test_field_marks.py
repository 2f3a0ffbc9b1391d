"""Fields of bodies and of named schemas say which version brought them, and which changed them last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from octavo.reference.api_views import OperationView, SchemaView
from octavo.reference.changes import api_surface, find_since
from octavo.reference.comparing import NO_SINCE
from octavo.reference.openapi.operation import find_operations
from octavo.reference.openapi.operation_view import OperationSettings, OperationViewer
from octavo.reference.openapi.schemas import SchemaViewer
from octavo.reference.openapi.write.examples import Examples
from octavo.reference.openapi.write.field_marks import FieldMarks

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
KILN = {"$ref": "#/components/schemas/Kiln"}


def obj(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields}


def content(schema: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}}


def api(body: Any, answer: Any = None, **schemas: Any) -> dict[str, Any]:
    operation = {"requestBody": content(body), "responses": {"200": content(answer or obj())}}
    return {"paths": {"/kilns": {"post": operation}}, "components": {"schemas": schemas}}


def operation_of(*versions: dict[str, Any]) -> OperationView:
    """Show the operation of the last version, compared with those before, which are called 1, 2 and so on."""
    root = versions[-1]
    since = find_since([(f"{number}", api_surface(one)) for number, one in enumerate(versions, start=1)])
    (operation,) = find_operations(root)
    settings = OperationSettings(
        samples=[],
        console="",
        command="",
        address_of=str,
        markdown="",
        since=since.get("POST /kilns", NO_SINCE),
        marks=FieldMarks(since),
    )
    viewer = OperationViewer(Examples(root), SchemaViewer(root, str), settings)
    return viewer.view(operation, ("",), level=2, has_heading=True, pointer="")


def marks(view: SchemaView, path: str = "") -> Iterator[tuple[str, str, str]]:
    """List (path of a field, `since` or `changed`, version)."""
    for field in view.fields:
        for fact in field.body.facts:
            if fact.label in ("since", "changed"):
                yield f"{path}{field.name}", fact.label, fact.value
        yield from marks(field.body, f"{path}{field.name}.")
    for part in view.parts:
        for one in part.schemas:
            yield from marks(one, path)


def marks_of_body(*versions: dict[str, Any]) -> list[tuple[str, str, str]]:
    view = operation_of(*versions).body
    assert view is not None
    return list(marks(view.contents[0].body))


def test_fields_of_a_body_are_marked_at_any_depth() -> None:
    first = api(obj(name=TEXT, size=obj(width=NUMBER)))
    second = api(obj(name=TEXT, size=obj(width=NUMBER, height=NUMBER), owner=TEXT))
    third = api(obj(name=NUMBER, size=obj(width=NUMBER, height=NUMBER), owner=TEXT))
    assert marks_of_body(first, second, third) == [
        ("name", "changed", "3"),
        ("size.height", "since", "2"),
        ("owner", "since", "2"),
    ]
    assert marks_of_body(third) == []


def test_fields_of_a_body_that_is_a_named_schema_or_a_list_of_it_are_marked() -> None:
    for body in (KILN, {"type": "array", "items": KILN}):
        found = marks_of_body(api(body, Kiln=obj(name=TEXT)), api(body, Kiln=obj(name=TEXT, heat=NUMBER)))
        assert found == [("heat", "since", "2")]


def test_fields_of_a_named_schema_within_a_body_are_those_of_the_schema() -> None:
    first = api(obj(kiln=KILN, heat=TEXT), Kiln=obj(name=TEXT))
    second = api(obj(kiln=KILN, heat=TEXT), Kiln=obj(name=TEXT, heat=NUMBER))
    assert marks_of_body(first, second) == [("kiln.heat", "since", "2")]


def test_fields_that_came_with_what_they_are_in_are_not_marked_again() -> None:
    without: dict[str, Any] = {"paths": {}, "components": {"schemas": {}}}
    body = obj(name=TEXT, kiln=KILN)
    assert marks_of_body(without, api(body, Kiln=obj(heat=NUMBER))) == []  # the operation is new
    assert marks_of_body(api(obj(name=TEXT)), api(body, Kiln=obj(heat=NUMBER))) == [("kiln", "since", "2")]
    deep = api(obj(name=TEXT, size=obj(width=obj(least=NUMBER))))
    assert marks_of_body(api(obj(name=TEXT)), deep) == [("size", "since", "2")]


def test_fields_of_alternatives_are_marked() -> None:
    first = api({"oneOf": [obj(name=TEXT), KILN]}, Kiln=obj(heat=NUMBER))
    second = api({"oneOf": [obj(name=TEXT, shelf=TEXT), KILN]}, Kiln=obj(heat=NUMBER, fuel=TEXT))
    assert marks_of_body(first, second) == [("shelf", "since", "2"), ("fuel", "since", "2")]


def test_fields_of_an_answer_are_those_of_its_status() -> None:
    view = operation_of(api(obj(heat=TEXT), obj(name=TEXT)), api(obj(heat=TEXT), obj(name=TEXT, heat=TEXT)))
    assert list(marks(view.responses[0].contents[0].body)) == [("heat", "since", "2")]
    assert view.body is not None
    assert list(marks(view.body.contents[0].body)) == []


def test_body_of_a_callback_is_not_taken_for_that_of_its_operation() -> None:
    def with_callback(body: Any, of_callback: Any) -> dict[str, Any]:
        root = api(body)
        callback = {"{$url}": {"post": {"requestBody": content(of_callback), "responses": {}}}}
        root["paths"]["/kilns"]["post"]["callbacks"] = {"done": callback}
        return root

    old = with_callback(obj(name=TEXT), obj(name=TEXT))
    first = operation_of(old, with_callback(obj(name=TEXT, heat=TEXT), obj(name=TEXT, heat=TEXT, ash=TEXT)))
    second = operation_of(old, with_callback(obj(name=TEXT, heat=TEXT), obj(name=TEXT)))
    for view, found in ((first, [("heat", "since", "2"), ("ash", "since", "2")]), (second, [])):
        body = view.callbacks[0].body
        assert body is not None
        assert list(marks(body.contents[0].body)) == found


def test_named_schema_is_marked_at_its_home() -> None:
    surfaces = [api(KILN, Kiln=obj(name=TEXT)), api(KILN, Kiln=obj(name=TEXT, heat=NUMBER))]
    since = find_since([(f"{number}", api_surface(one)) for number, one in enumerate(surfaces, start=1)])
    late = {"Kiln": since["POST /kilns"]._replace(version="2", parts={"name": "2", "heat": "3"}, changed={"name": "4"})}
    view = SchemaViewer(surfaces[1], str).view(surfaces[1]["components"]["schemas"]["Kiln"], "kiln")
    marked = FieldMarks(late).in_schema(view, "Kiln")
    assert [(fact.label, fact.value) for fact in marked.facts] == [("since", "2")]
    assert list(marks(marked)) == [("name", "changed", "4"), ("heat", "since", "3")]
    assert FieldMarks({}).in_schema(view, "Kiln") == view
