"""Personas."""

from __future__ import annotations

from pydantic import BaseModel

from gateway_api.models.text import Text


class Persona(BaseModel):
    id: Text
    name: Text
    description: Text


class PersonaRequest(BaseModel):
    name: Text
    description: Text


class PersonaUpdateRequest(BaseModel):
    new_name: Text
    new_description: Text
