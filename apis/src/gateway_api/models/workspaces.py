"""Workspaces, their instructions and their mux rules."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel

from gateway_api.models.providers import ProviderType
from gateway_api.models.text import Text


class MuxMatcherType(StrEnum):
    CATCH_ALL = "catch_all"
    FILENAME_MATCH = "filename_match"
    FIM_FILENAME = "fim_filename"
    CHAT_FILENAME = "chat_filename"


class MuxRule(BaseModel):
    """One line of a routing table; the first that fits wins."""

    provider_name: Text
    provider_type: ProviderType
    model: Text
    matcher_type: MuxMatcherType
    matcher: Text | None = None


class WorkspaceConfig(BaseModel):
    custom_instructions: Text
    muxing_rules: list[MuxRule]


class FullWorkspace(BaseModel):
    name: Text
    config: WorkspaceConfig | None = None


class Workspace(BaseModel):
    name: Text
    is_active: bool


class ActiveWorkspace(BaseModel):
    name: Text
    is_active: bool
    last_updated: datetime


class ListWorkspacesResponse(BaseModel):
    workspaces: list[Workspace]


class ListActiveWorkspacesResponse(BaseModel):
    workspaces: list[ActiveWorkspace]


class ActivateWorkspaceRequest(BaseModel):
    name: Text


class CustomInstructions(BaseModel):
    prompt: Text
