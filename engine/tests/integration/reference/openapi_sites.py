"""Small descriptions, and sites that show them."""

from __future__ import annotations

import json
from typing import Any

from tests.support.sites import HOME, MakeSite, SiteFolder, page

TABLE = """
[[openapi]]
id = "shop"
doc = "api"
spec = "openapi/shop.json"
"""


def shop(**changes: Any) -> dict[str, Any]:
    """Describe a shop that sells kilns; keyword arguments replace top-level members."""
    kiln = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "minLength": 3, "description": "What it is called."},
            "heat": {"type": "integer", "minimum": 20, "maximum": 1300, "default": 20},
            "kind": {"type": "string", "enum": ["gas", "electric"]},
            "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Kiln"}},
        },
    }
    parameter = {"name": "kiln_id", "in": "path", "required": True, "schema": {"type": "string"}}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Kiln"}}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Kiln shop", "version": "2.0", "description": "Kilns, *new* and used."},
        "servers": [{"url": "http://localhost:9999"}],
        "tags": [{"name": "Fired things", "description": "All that burns."}],
        "paths": {
            "/kilns": {
                "get": {
                    "operationId": "listKilns",
                    "tags": ["Fired things"],
                    "summary": "List kilns",
                    "parameters": [
                        {"name": "page", "in": "query", "schema": {"type": "integer", "default": 1}},
                    ],
                    "responses": {
                        "200": {
                            "description": "All kilns.",
                            "content": {
                                "application/json": {
                                    "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Kiln"}}
                                }
                            },
                        }
                    },
                },
                "post": {
                    "operationId": "addKiln",
                    "tags": ["Fired things"],
                    "summary": "Add a kiln",
                    "requestBody": {"required": True, **body},
                    "responses": {"201": {"description": "Made.", **body}, "422": {"description": "Too hot."}},
                },
            },
            "/kilns/{kiln_id}": {
                "parameters": [parameter],
                "delete": {"summary": "Break a kiln", "responses": {"204": {"description": "Gone."}}},
            },
        },
        "components": {"schemas": {"Kiln": kiln}},
    } | changes


def make_shop(
    make_site: MakeSite, description: Any = None, *, config: str = "", name: str = "site", **files: str
) -> SiteFolder:
    """Make a site that shows a description; a text is taken as it is."""
    text = description if isinstance(description, str) else json.dumps(description or shop(), indent=2)
    content = {**HOME, "docs/a.md": page("A"), "openapi/shop.json": text, **files}
    return make_site(content, TABLE + config, name)
