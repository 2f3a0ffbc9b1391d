"""What operations are called, and how they are grouped where the document does not say it."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.reference.openapi.operation import find_operations, short_title, words_of_id
from octavo.reference.openapi.security import security_views


def operation(**data: Any) -> Any:
    [found] = find_operations({"paths": {"/v1/kilns/{id}": {"get": {"responses": {}, **data}}}})
    return found


@pytest.mark.parametrize(
    ("summary", "title"),
    [
        ("List kilns", "List kilns"),
        ("List kilns.", "List kilns"),
        ("Get e.g. a kiln.", "Get e.g. a kiln."),
        ("Fire a `kiln` in a [room](/rooms).", "Fire a kiln in a room"),
        (f"Creates a kiln. {'Give it a room, which is described elsewhere. ' * 4}", "Creates a kiln"),
        (
            f"Creates a kiln at v2.1 of the room. {'More of it is said here. ' * 5}",
            "Creates a kiln at v2.1 of the room.",
        ),
        (f"Retrieves kilns: {'many of them, ' * 10}", "Retrieves kilns"),
        ("word " * 40, ""),
        ("", ""),
    ],
)
def test_title_is_short_and_without_marks(summary: str, title: str) -> None:
    assert short_title(summary) == title


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("listKilns", "List kilns"),
        ("list_kilns", "List kilns"),
        ("update-original-kiln", "Update original kiln"),
        ("getAPIKey", "Get API key"),
        ("KilnsController.findAll", "Kilns controller find all"),
        ("kilns", ""),
        ("get-v2-kilns", ""),
        ("5f3a", ""),
        ("", ""),
    ],
)
def test_id_gives_a_title_where_it_is_words(name: str, words: str) -> None:
    assert words_of_id(name) == words


def test_summary_that_is_no_title_is_in_the_text() -> None:
    long = f"Creates a [kiln](/kilns). {'Give it a room, which is described elsewhere. ' * 4}".strip()
    one = operation(summary=long, description="It is hot.")
    assert one.title == "Creates a kiln"
    assert one.about == f"{long}\n\nIt is hot."
    assert operation(summary=long, description=f"{long} And hot.").about == f"{long} And hot."
    assert operation(summary="List kilns.", description="All.").about == "All."
    assert operation(summary="List kilns.").about == ""
    assert operation(operationId="listKilns").title == "List kilns"
    assert operation().title == "GET /v1/kilns/{id}"


def test_operations_without_tags_are_grouped_by_their_paths() -> None:
    paths = {
        f"/api/v1/{group}/{number}": {"get": {"responses": {}}}
        for group in ("kilns", "fired-things")
        for number in range(12)
    }
    groups = [one.tags for one in find_operations({"paths": {**paths, "/{id}": {"get": {"responses": {}}}}})]
    assert groups == [["Kilns"]] * 12 + [["Fired things"]] * 12 + [["Other operations"]]
    # Few are one group, and so are those of a document that has tags.
    few = dict(list(paths.items())[8:16])
    assert {tuple(one.tags) for one in find_operations({"paths": few})} == {("Other operations",)}
    tagged = {"/x": {"get": {"responses": {}, "tags": ["X"]}}}
    assert {tuple(one.tags) for one in find_operations({"paths": {**paths, **tagged}})} == {
        ("Other operations",),
        ("X",),
    }


@pytest.mark.parametrize(
    "start", ["**Starting a new project?** Try the other API", "Deprecated. Use the other API", "Stop!"]
)
def test_words_to_the_reader_are_no_title(start: str) -> None:
    """The page of "Create chat completion" was called "Starting a new project?"."""
    given = {
        "operationId": "createChatCompletion",
        "summary": f"{start} {'of which much is to be said' * 9}.\n\nCreates one.",
    }
    [found] = find_operations({"paths": {"/x": {"post": given}}})
    assert found.title == "Create chat completion"
    assert found.about.startswith(start)


def test_scopes_are_a_table() -> None:
    scopes = {"read:kilns": "Read | see", "write:kilns": ""}
    flows = {"implicit": {"scopes": scopes}, "password": {"tokenUrl": "https://a.example", "scopes": {"all": "All"}}}
    root = {"components": {"securitySchemes": {"o": {"type": "oauth2", "flows": flows}}}}
    [view] = security_views(root)
    assert '<tr><th scope="col">Scope</th><th scope="col">Allows</th></tr>' in view.html
    assert "<td><code>read:kilns</code></td><td>Read | see (implicit)</td>" in view.html
    assert "<td><code>write:kilns</code></td><td>(implicit)</td>" in view.html
    assert view.html.count("<tr>") == 4
    assert [fact.label for fact in view.facts] == ["password, token at"]
    flows["password"]["scopes"] = scopes
    assert "<td>Read | see</td>" in security_views(root)[0].html
    assert security_views(root)[0].html.count("<tr>") == 3
