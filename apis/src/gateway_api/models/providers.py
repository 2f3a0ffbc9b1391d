"""Providers, their credentials and their models."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, Field

from gateway_api.models.text import Text


class ProviderType(StrEnum):
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    VLLM = "vllm"
    OLLAMA = "ollama"
    LM_STUDIO = "lm_studio"
    LLAMACPP = "llamacpp"
    OPENROUTER = "openrouter"


class ProviderAuthType(StrEnum):
    NONE = "none"
    PASSTHROUGH = "passthrough"
    API_KEY = "api_key"


class ProviderEndpoint(BaseModel):
    """Where and how the gateway reaches one provider."""

    id: Text | None = ""
    name: Text = Field(min_length=3)
    description: Text = ""
    provider_type: ProviderType
    endpoint: Text = ""
    auth_type: ProviderAuthType = ProviderAuthType.NONE


class AddProviderEndpointRequest(ProviderEndpoint):
    """A provider, and its key; the key is for this request only and no answer has it."""

    api_key: Text | None = Field(default=None, repr=False)


class ConfigureAuthMaterial(BaseModel):
    auth_type: ProviderAuthType
    api_key: Text | None = Field(default=None, repr=False)


class ModelByProvider(BaseModel):
    """A model that was found at a provider."""

    name: Text
    provider_type: ProviderType
    provider_name: Text
