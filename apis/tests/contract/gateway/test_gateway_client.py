"""A typed client, generated from the document, works through a whole story."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from apis.tests.contract.gateway.exchanges import make_alert, make_exchange
from apis.tests.contract.gateway.gateway import Gateway
from apis.tests.contract.gateway.providers import FakeProvider
from gateway_api.web.document import document_text

PACKAGE = "generated_gateway_client"
GENERATION_S = 120


@pytest.fixture(scope="module")
def client_package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(document_text(), encoding="utf-8")
    (folder / "config.yaml").write_text(f"package_name_override: {PACKAGE}\npost_hooks: []\n", encoding="utf-8")
    tool = Path(sys.executable).with_name("openapi-python-client")
    command = [str(tool), "generate", "--path", "openapi.json", "--config", "config.yaml", "--meta", "none"]
    done = subprocess.run(
        [*command, "--fail-on-warning"], cwd=folder, capture_output=True, text=True, check=False, timeout=GENERATION_S
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module(PACKAGE)
    finally:
        sys.path.remove(str(folder))


class Story:
    """Calls of the generated client by operation."""

    def __init__(self, package: ModuleType, gateway: Gateway) -> None:
        self.models = importlib.import_module(f"{PACKAGE}.models")
        self._client = package.Client(base_url=gateway.address, raise_on_unexpected_status=True)

    def close(self) -> None:
        """Close the client's connections."""
        self._client.get_httpx_client().close()

    def call(self, group: str, operation_id: str, *arguments: Any, **named: Any) -> Any:
        module = importlib.import_module(f"{PACKAGE}.api.{group}.{operation_id}")
        answer = module.sync_detailed(*arguments, client=self._client, **named)
        assert answer.status_code < 300, answer
        return answer.parsed


def test_generated_client_drives_the_whole_story(
    gateway: Gateway, provider: FakeProvider, client_package: ModuleType
) -> None:
    with closing(Story(client_package, gateway)) as story:
        tell(story, gateway, provider)


def tell(story: Story, gateway: Gateway, provider: FakeProvider) -> None:
    models, call = story.models, story.call
    kind, catch_all = models.ProviderType("vllm"), models.MuxMatcherType("catch_all")
    request = models.AddProviderEndpointRequest(name="local", provider_type=kind, endpoint=provider.url("open"))
    assert call("providers", "v1_add_provider_endpoint", body=request).auth_type.value == "none"
    found = call("providers", "v1_list_models_by_provider", "local")
    assert [model.name for model in found] == provider.models
    made = call("workspaces", "v1_create_workspace", body=models.FullWorkspace(name="Alpha"))
    assert made.name == "alpha"
    rule = models.MuxRule(provider_name="local", provider_type=kind, model="model-a", matcher_type=catch_all)
    call("muxes", "v1_set_workspace_muxes", "alpha", body=[rule])
    assert call("muxes", "v1_get_workspace_muxes", "alpha")[0].matcher == ""
    call("workspaces", "v1_activate_workspace", body=models.ActivateWorkspaceRequest(name="alpha"))
    gateway.record(make_exchange("alpha", alerts=[make_alert("codegate-secrets")]))
    page = call("workspaces", "v1_get_workspace_messages", "alpha", page_size=10)
    assert (page.total, page.data[0].alerts_summary.secrets) == (1, 1)
    conversation = call("workspaces", "v1_get_messages_by_prompt_id", "alpha", page.data[0].chat_id)
    assert conversation.question_answers[0].answer.message == "An answer."
    call("workspaces", "v1_activate_workspace", body=models.ActivateWorkspaceRequest(name="default"))
    call("workspaces", "v1_delete_workspace", "alpha")
    assert [entry.name for entry in call("workspaces", "v1_list_archived_workspaces").workspaces] == ["alpha"]
    call("workspaces", "v1_recover_workspace", "alpha")
    assert call("workspaces", "v1_get_workspace_messages", "alpha").total == 1
    call("workspaces", "v1_delete_workspace", "alpha")
    call("workspaces", "v1_hard_delete_workspace", "alpha")
    assert [entry.name for entry in call("workspaces", "v1_list_workspaces").workspaces] == ["default"]
