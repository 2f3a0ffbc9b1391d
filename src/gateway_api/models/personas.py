"""Personas."""

from __future__ import annotations

from pydantic import BaseModel


class Persona(BaseModel):
    id: str
    name: str
    description: str


class PersonaRequest(BaseModel):
    name: str
    description: str


class PersonaUpdateRequest(BaseModel):
    new_name: str
    new_description: str
