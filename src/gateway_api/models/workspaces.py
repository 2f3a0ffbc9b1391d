"""Workspaces, their instructions and their mux rules."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel

from gateway_api.models.providers import ProviderType


class MuxMatcherType(StrEnum):
    CATCH_ALL = "catch_all"
    FILENAME_MATCH = "filename_match"
    FIM_FILENAME = "fim_filename"
    CHAT_FILENAME = "chat_filename"


class MuxRule(BaseModel):
    """One line of a routing table; the first that fits wins."""

    provider_name: str
    provider_type: ProviderType
    model: str
    matcher_type: MuxMatcherType
    matcher: str | None = None


class WorkspaceConfig(BaseModel):
    custom_instructions: str
    muxing_rules: list[MuxRule]


class FullWorkspace(BaseModel):
    name: str
    config: WorkspaceConfig | None = None


class Workspace(BaseModel):
    name: str
    is_active: bool


class ActiveWorkspace(BaseModel):
    name: str
    is_active: bool
    last_updated: datetime


class ListWorkspacesResponse(BaseModel):
    workspaces: list[Workspace]


class ListActiveWorkspacesResponse(BaseModel):
    workspaces: list[ActiveWorkspace]


class ActivateWorkspaceRequest(BaseModel):
    name: str


class CustomInstructions(BaseModel):
    prompt: str
