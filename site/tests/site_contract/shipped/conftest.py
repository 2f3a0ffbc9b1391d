"""The site of this repository, built once and answered for by the real server, without a socket."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from octavo.manifest import MANIFEST_PATH, Manifest, parse_manifest
from octavo.server.app import create_app
from tests.support import paths
from tests.support.published import Reply, get
from tests.support.serving import copy_site, publish_site

SITE = paths.SITE


class Published:
    """The published site, and a client of its server."""

    def __init__(self, folder: Path) -> None:
        self.out = folder / "out"
        self.source = copy_site(SITE, folder / "site")
        publish_site(self.source, self.out)
        self._app = create_app(self.out)

    def get(self, path: str, **headers: str) -> Reply:
        return get(self._app, path, **headers)

    def post(self, path: str, body: object, search: dict[str, Any]) -> dict[str, Any]:
        """Ask the search, with the credentials that the site hands to its readers."""
        credentials = {"x-algolia-application-id": search["appId"], "x-algolia-api-key": search["apiKey"]}
        answer = TestClient(self._app, base_url="http://localhost:3000").post(path, json=body, headers=credentials)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def manifest(self) -> Manifest:
        return parse_manifest((self.out / MANIFEST_PATH).read_bytes())

    def payload(self, route: str) -> dict[str, Any]:
        """Read what the page of a route was drawn from."""
        name = route.strip("/") + ("/index" if route.endswith("/") else "")
        return dict(json.loads(self.get(f"/_octavo/pages/{name.strip('/')}.json").body))

    def shared(self, address: str) -> dict[str, Any]:
        """Read a file that pages share, by the address that a payload gives."""
        return dict(json.loads(self.get(address).body))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Published:
    return Published(tmp_path_factory.mktemp("site"))
