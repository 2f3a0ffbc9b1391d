"""The document that is served, the code that serves it, and the copy that the site shows say the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from apis.tests.contract.gateway.gateway import DOCUMENT, OPERATIONS, Gateway, check_schema, resolve
from apis.tests.contract.gateway.test_gateway_statuses import GENERAL, needs_no_input
from gateway_api.web.document import document_text
from gateway_api.web.reference_page import make_page
from tests.support import paths

SITE_COPY = paths.SITE / "openapi/gateway.json"
_PROSE = {"description", "examples", "example", "title", "summary", "writeOnly"}


def shape(part: Any) -> Any:
    """Leave out what is only there for readers."""
    if isinstance(part, dict):
        properties = {
            name: {key: shape(value) for key, value in part[name].items()} for name in ("properties",) if name in part
        }
        kept = {key: value for key, value in part.items() if key not in {*_PROSE, "properties"}}
        if kept.get("default", ...) is None:  # FastAPI does not write that a default is null
            del kept["default"]
        return {key: shape(value) for key, value in kept.items()} | properties
    if isinstance(part, list):
        return [shape(item) for item in part]
    return part


def same_schema(one: Any, other: Any) -> bool:
    """Compare two schemas; an enumeration of one value and a constant are the same, and so are 0 and 0.0."""
    first, second = shape(one), shape(other)
    for schema in (first, second):
        schema.pop("type", None) if "const" in schema else None
        if not schema.get("required", True):
            schema.pop("required")
    return bool(first == second)


@pytest.fixture(scope="module")
def generated(sqlite_shared: Gateway) -> dict[str, Any]:
    """What FastAPI makes of the code."""
    document: dict[str, Any] = sqlite_shared.app.generated_openapi()  # type: ignore[attr-defined]
    return document


def test_document_is_valid_openapi() -> None:
    validate(DOCUMENT)
    assert (DOCUMENT["openapi"], DOCUMENT["info"]["version"]) == ("3.1.0", "0.1.7")


def test_running_server_serves_the_document(sqlite_shared: Gateway) -> None:
    assert sqlite_shared.http.get("/openapi.json").json() == DOCUMENT


@pytest.mark.parametrize("path", ["/docs", "/redoc"])
def test_reference_page_is_the_documents_and_loads_nothing(sqlite_shared: Gateway, path: str) -> None:
    answer = sqlite_shared.http.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.text == make_page(DOCUMENT)
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")


def test_site_shows_the_document() -> None:
    assert SITE_COPY.read_text(encoding="utf-8") == document_text(), "run: octavo-sandbox gateway --export-openapi FILE"


def test_command_exports_the_document(tmp_path: Path) -> None:
    file = tmp_path / "gateway.json"
    command = [sys.executable, "-m", "gateway_api", "--export-openapi", str(file)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    assert file.read_text(encoding="utf-8") == document_text()


def test_code_has_the_operations_of_the_document(generated: dict[str, Any]) -> None:
    found = {(o["operationId"], m.upper(), p) for p, methods in generated["paths"].items() for m, o in methods.items()}
    assert found == {(id_, method, path) for id_, (method, path, _) in OPERATIONS.items()}


@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_code_takes_and_answers_what_the_document_says(generated: dict[str, Any], operation_id: str) -> None:
    method, path, operation = OPERATIONS[operation_id]
    coded = generated["paths"][path][method.lower()]

    def parameters(part: dict[str, Any]) -> dict[str, Any]:
        return {p["name"]: (p["in"], p["required"], shape(p["schema"])) for p in part.get("parameters", [])}

    def body(part: dict[str, Any]) -> Any:
        request = part.get("requestBody")
        return request and (request["required"], shape(request["content"]["application/json"]["schema"]))

    def success(part: dict[str, Any]) -> Any:
        (status,) = (status for status in part["responses"] if status.startswith("2"))
        content = part["responses"][status].get("content", {})
        return status, shape(content.get("application/json", {}).get("schema"))

    assert parameters(coded) == parameters(operation)
    assert body(coded) == body(operation)
    assert success(coded) == success(operation)


ERROR_SCHEMAS = {"ErrorDetail", "HTTPValidationError", "ValidationError", "AlertSeverity"}
"""Bodies of errors, which FastAPI does not know of; `check_answer` compares each of them with the document."""


@pytest.mark.parametrize("name", [name for name in DOCUMENT["components"]["schemas"] if name not in ERROR_SCHEMAS])
def test_code_has_the_schemas_of_the_document(generated: dict[str, Any], name: str) -> None:
    coded = generated["components"]["schemas"].get(name)
    assert same_schema(coded, DOCUMENT["components"]["schemas"][name]), f"{shape(coded)}"


@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_every_status_is_explained_and_has_an_example_that_fits(operation_id: str) -> None:
    _, _, operation = OPERATIONS[operation_id]
    assert operation["summary"]
    assert operation["description"]
    for status, response in operation["responses"].items():
        answer = resolve(response)
        assert answer["description"]
        if status == "422" and needs_no_input(operation_id):
            continue  # declared by the contract for all operations with a path; text is never wrong
        for media_type, content in answer.get("content", {}).items():
            examples = [example["value"] for example in content.get("examples", {}).values()]
            examples += [content["example"]] if "example" in content else []
            assert examples, f"{operation_id} {status}"
            for example in examples if media_type == "application/json" else []:
                check_schema(content["schema"], example)


@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_request_examples_fit(operation_id: str) -> None:
    body = OPERATIONS[operation_id][2].get("requestBody")
    if body is None:
        return
    content = body["content"]["application/json"]
    examples = [example["value"] for example in content["examples"].values()]
    for example in examples:
        check_schema(content["schema"], example)
    assert examples


@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_refusals_of_every_request_are_declared(operation_id: str) -> None:
    method, _, operation = OPERATIONS[operation_id]
    statuses = operation["responses"].keys()
    expected = {"421"} | ({"403"} if method != "GET" else set()) | ({"413"} if "requestBody" in operation else set())
    assert expected <= statuses & GENERAL


def test_document_names_no_machine() -> None:
    assert "localhost:8989" in json.dumps(DOCUMENT["servers"])
    assert "/root" not in document_text()
