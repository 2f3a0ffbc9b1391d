"""Every entity of the two APIs has the fields of the specification, in the document that the running server serves.

`apis/tests/contract/gateway` and `apis/tests/contract/tool` hold the servers to their documents; this holds the documents to the
specification, entity by entity.
"""

from __future__ import annotations

from typing import Any

import click
import pytest
import yaml

from gateway_api.cli import gateway
from gateway_api.web.document import load_document
from tests.support import paths
from tool_api.cli import tool

GATEWAY = load_document()
TOOL = yaml.safe_load((paths.SITE / "openapi" / "tool.yaml").read_text(encoding="utf-8"))
"""Held to the served one by `apis/tests/contract/tool/test_tool_document.py`."""

CHAT = "message timestamp message_id"
TRIGGER = "code_snippet trigger_string trigger_type trigger_category timestamp"
GATEWAY_ENTITIES = {
    "ProviderEndpoint": "id name description provider_type endpoint auth_type",
    "AddProviderEndpointRequest": "id name description provider_type endpoint auth_type api_key",
    "ConfigureAuthMaterial": "auth_type api_key",
    "ModelByProvider": "name provider_type provider_name",
    "Workspace": "name is_active",
    "FullWorkspace": "name config",
    "WorkspaceConfig": "custom_instructions muxing_rules",
    "MuxRule": "provider_name provider_type model matcher_type matcher",
    "ActiveWorkspace": "name is_active last_updated",
    "CustomInstructions": "prompt",
    "Persona": "id name description",
    "PersonaRequest": "name description",
    "PersonaUpdateRequest": "new_name new_description",
    "Conversation": "question_answers provider type chat_id conversation_timestamp token_usage_agg alerts",
    "QuestionAnswer": "question answer",
    "ChatMessage": CHAT,
    "ConversationSummary": "chat_id prompt alerts_summary token_usage_agg provider type conversation_timestamp",
    "Alert": f"id prompt_id {TRIGGER}",
    "AlertConversation": f"conversation alert_id {TRIGGER}",
    "CodeSnippet": "code language filepath libraries file_extension",
    "AlertSummary": "malicious_packages pii secrets total_alerts",
    "TokenUsage": "input_tokens output_tokens input_cost output_cost",
    "TokenUsageAggregate": "tokens_by_model token_usage",
    "TokenUsageByModel": "provider_type model token_usage",
    "PaginatedMessagesResponse": "data limit offset total",
    "HTTPValidationError": "detail",
    "ValidationError": "loc msg type input ctx",  # the last two are FastAPI's own
}
TOOL_ENTITIES = {
    "Server": (
        "name description image transport target_port permissions env_vars args tags tools docker_tags repository_url "
        "metadata provenance"
    ),
    "EnvVar": "name description required secret default",
    "Metadata": "stars pulls last_updated",
    "Provenance": (
        "attestation cert_issuer repository_ref repository_uri runner_environment signer_identity sigstore_url"
    ),
    "VerifiedAttestation": "predicate_type predicate",
    "Profile": "read write network",
    "NetworkPermissions": "outbound",
    "OutboundNetworkPermissions": "allow_host allow_port allow_transport insecure_allow_all",
    "Registry": "version last_updated servers",
    "registryInfo": "name version last_updated server_count",
    "ContainerInfo": "id name image state status created labels ports",
    "PortMapping": "containerPort hostPort protocol",
    "createRequest": (
        "name image transport host target_port cmd_arguments env_vars volumes secrets permission_profile authz_config oidc"
    ),
    "SecretParameter": "name target",
    "oidcOptions": "issuer audience client_id jwks_url",
    "createServerResponse": "name port",
    "MCPClientStatus": "client_type installed registered",
}
VALUES = {
    "ProviderType": ["openai", "anthropic", "vllm", "ollama", "lm_studio", "llamacpp", "openrouter"],
    "ProviderAuthType": ["none", "passthrough", "api_key"],
    "MuxMatcherType": ["catch_all", "filename_match", "fim_filename", "chat_filename"],
    "QuestionType": ["chat", "fim"],
    "AlertSeverity": ["info", "critical"],
    "AlertTriggerType": ["codegate-pii", "codegate-context-retriever", "codegate-secrets"],
    "MCPClient": ["RooCode", "Cline", "Cursor", "VSCodeInsider", "VSCode", "ClaudeCode"],
}
OPTIONAL = [("ProviderEndpoint", "id"), ("MuxRule", "matcher")]
REQUIRED = {
    "AddProviderEndpointRequest": {"name", "provider_type"},
    "Workspace": {"name"},
    "FullWorkspace": {"name"},
    "MuxRule": {"provider_name", "provider_type", "model", "matcher_type"},
    "PersonaRequest": {"name", "description"},
}


def schema(document: dict[str, Any], name: str) -> dict[str, Any]:
    return dict(document["components"]["schemas"][name])


@pytest.mark.parametrize("name", GATEWAY_ENTITIES)
def test_gateway_entity_has_its_fields(name: str) -> None:
    assert schema(GATEWAY, name)["properties"].keys() == set(GATEWAY_ENTITIES[name].split())


@pytest.mark.parametrize("name", TOOL_ENTITIES)
def test_tool_entity_has_its_fields(name: str) -> None:
    assert schema(TOOL, name)["properties"].keys() == set(TOOL_ENTITIES[name].split())


@pytest.mark.parametrize("name", VALUES)
def test_enumeration_has_its_values(name: str) -> None:
    document = TOOL if name == "MCPClient" else GATEWAY
    assert set(schema(document, name)["enum"]) == set(VALUES[name])


@pytest.mark.parametrize("name", REQUIRED)
def test_required_fields_are_required(name: str) -> None:
    assert set(schema(GATEWAY, name)["required"]) >= REQUIRED[name]


@pytest.mark.parametrize(("name", "field"), OPTIONAL)
def test_optional_field_may_be_left_out(name: str, field: str) -> None:
    assert field not in schema(GATEWAY, name).get("required", [])


def test_question_may_have_no_answer() -> None:
    assert {"type": "null"} in schema(GATEWAY, "QuestionAnswer")["properties"]["answer"]["anyOf"]


def test_name_of_a_provider_has_three_letters_at_least() -> None:
    for name in ("ProviderEndpoint", "AddProviderEndpointRequest"):
        assert schema(GATEWAY, name)["properties"]["name"]["minLength"] == 3


def test_token_usage_begins_with_zeros() -> None:
    assert {field["default"] for field in schema(GATEWAY, "TokenUsage")["properties"].values()} == {0}


def test_alert_summary_counts_in_integers() -> None:
    assert {field["type"] for field in schema(GATEWAY, "AlertSummary")["properties"].values()} == {"integer"}


def test_parts_of_a_conversation_are_what_they_are_called() -> None:
    properties = schema(GATEWAY, "Conversation")["properties"]
    assert properties["question_answers"]["items"]["$ref"].endswith("/QuestionAnswer")
    assert properties["alerts"]["anyOf"][0]["items"]["$ref"].endswith("/Alert")
    for field in ("question", "answer"):
        assert "/ChatMessage" in str(schema(GATEWAY, "QuestionAnswer")["properties"][field])


def test_usage_by_model_is_a_map_of_model_to_item() -> None:
    tokens = schema(GATEWAY, "TokenUsageAggregate")["properties"]["tokens_by_model"]
    assert (tokens["type"], tokens["additionalProperties"]["$ref"].rpartition("/")[2]) == (
        "object",
        "TokenUsageByModel",
    )


def test_transports_and_protocols_are_told() -> None:
    transport = schema(TOOL, "Server")["properties"]["transport"]
    assert {"stdio", "sse"} <= set(transport["enum"])
    outbound = schema(TOOL, "OutboundNetworkPermissions")["properties"]["allow_transport"]
    assert "tcp" in str(outbound)
    assert "udp" in str(outbound)


def test_registry_and_labels_are_maps() -> None:
    assert "additionalProperties" in schema(TOOL, "Registry")["properties"]["servers"]
    assert "additionalProperties" in schema(TOOL, "ContainerInfo")["properties"]["labels"]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("page", {"minimum": 1, "default": 1}),
        ("page_size", {"minimum": 1, "maximum": 100, "default": 50}),
    ],
)
def test_pages_of_messages_have_limits_and_defaults(query: str, wanted: dict[str, int]) -> None:
    assert parameter("/api/v1/workspaces/{workspace_name}/messages", "get", query).items() >= wanted.items()


def test_status_of_activation_is_204_unless_asked_for() -> None:
    assert parameter("/api/v1/workspaces/active", "post", "status_code")["default"] == 204


def parameter(path: str, method: str, name: str) -> dict[str, Any]:
    [found] = [one for one in GATEWAY["paths"][path][method]["parameters"] if one["name"] == name]
    return dict(found["schema"])


@pytest.mark.parametrize(
    ("document", "version", "port"), [(GATEWAY, "0.1.7", 8989), (TOOL, "1.0", 8080)], ids=["gateway", "tool"]
)
def test_version_and_port_are_told(document: dict[str, Any], version: str, port: int) -> None:
    assert document["info"]["version"] == version
    assert any(f":{port}" in server["url"] for server in document["servers"])


@pytest.mark.parametrize(("command", "port"), [(gateway, 8989), (tool, 8080)], ids=["gateway", "tool"])
def test_server_listens_at_its_port_unless_told_otherwise(command: click.Command, port: int) -> None:
    [option] = [parameter for parameter in command.params if parameter.name == "port"]
    assert option.default == port
