"""Rules of personas, and how alike two descriptions are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from apis.tests.contract.gateway.gateway import Gateway
from gateway_api.values.similarity import THRESHOLD, cosine, vector_of

PAIRS = json.loads((Path(__file__).parent / "persona_pairs.json").read_text(encoding="utf-8"))
CREATE, CHANGE = "v1_create_persona", "v1_update_persona"


def alike(one: str, other: str) -> float:
    return cosine(vector_of(one), vector_of(other))


@pytest.mark.parametrize(("one", "other"), PAIRS["same"])
def test_descriptions_that_say_the_same_are_above_the_threshold(one: str, other: str) -> None:
    assert alike(one, other) > THRESHOLD


@pytest.mark.parametrize(("one", "other"), PAIRS["different"])
def test_descriptions_of_different_people_are_below_the_threshold(one: str, other: str) -> None:
    assert alike(one, other) < THRESHOLD


def test_comparison_does_not_depend_on_the_order() -> None:
    one, other = PAIRS["same"][0]
    assert alike(one, other) == pytest.approx(alike(other, one))
    assert alike(one, one) == pytest.approx(1)


def test_personas_are_listed_in_the_order_they_were_made(gateway: Gateway) -> None:
    for name, description in (("zeta", "Writes guides."), ("alpha", "Reads charts.")):
        gateway.get(CREATE, body={"name": name, "description": description})
    assert [persona["name"] for persona in gateway.get("v1_list_personas")] == ["zeta", "alpha"]


def test_names_keep_their_case_and_are_found_exactly(gateway: Gateway) -> None:
    made = gateway.get(CREATE, body={"name": "UI designer", "description": "Draws."})
    assert gateway.get("v1_get_persona", persona_name="UI designer") == made
    assert gateway.call("v1_get_persona", persona_name="ui designer").status_code == 404


@pytest.mark.parametrize("name", ["", " ", "a/b", "ä", "a\n", "a.b"])
def test_names_are_checked(gateway: Gateway, name: str) -> None:
    answer = gateway.call(CREATE, body={"name": name, "description": "Draws."})
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("Persona name is invalid")


def test_taken_name_and_similar_description_are_refused(gateway: Gateway) -> None:
    gateway.get(CREATE, body={"name": "writer", "description": PAIRS["same"][0][0]})
    taken = gateway.call(CREATE, body={"name": "writer", "description": "Reads charts."})
    assert (taken.status_code, taken.json()["detail"]) == (409, "A persona named writer already exists")
    similar = gateway.call(CREATE, body={"name": "other", "description": PAIRS["same"][0][1]})
    said = "The description is too similar to that of another persona"
    assert (similar.status_code, similar.json()["detail"]) == (409, said)


def test_similarity_is_checked_before_the_name(gateway: Gateway) -> None:
    gateway.get(CREATE, body={"name": "writer", "description": "Writes guides."})
    assert gateway.call(CREATE, body={"name": "!", "description": "Writes guides."}).status_code == 409


def test_change_keeps_the_id_and_is_not_compared_with_itself(gateway: Gateway) -> None:
    made = gateway.get(CREATE, body={"name": "writer", "description": "Writes guides."})
    changed = gateway.get(
        CHANGE, persona_name="writer", body={"new_name": "editor", "new_description": "Writes guides!"}
    )
    assert changed == {"id": made["id"], "name": "editor", "description": "Writes guides!"}
    assert gateway.call("v1_get_persona", persona_name="writer").status_code == 404


def test_deleting_twice_is_not_found(gateway: Gateway) -> None:
    gateway.get(CREATE, body={"name": "writer", "description": "Writes guides."})
    gateway.get("v1_delete_persona", persona_name="writer")
    assert gateway.call("v1_delete_persona", persona_name="writer").status_code == 404


def test_personas_are_compared_before_a_write_takes_its_turn(gateway: Gateway) -> None:
    """Under the lock only those are read that were written since the comparison."""
    gateway.get(CREATE, body={"name": "first", "description": "Reads charts."})
    since: list[int] = []

    def note(*call: Any) -> None:
        if "revision >" in call[2]:
            since.extend(call[3].values() if isinstance(call[3], dict) else call[3])

    event.listen(Engine, "before_cursor_execute", note)
    try:
        gateway.get(CREATE, body={"name": "writer", "description": "Writes guides."})
        gateway.get(CHANGE, persona_name="writer", body={"new_name": "editor", "new_description": "Edits."})
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert [revision > 0 for revision in since] == [False, True] * 2
