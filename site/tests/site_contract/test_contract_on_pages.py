"""The pages of the two local APIs hold all of their contracts: every operation, status, parameter, schema, field, value."""

from __future__ import annotations

import re
import tomllib
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from engine.tests.integration.reference.openapi_sites import make_shop
from tests.support import paths
from tests.support.sites import MakeSite

HERE = Path(__file__).parent
DESCRIPTIONS = paths.SITE / "openapi"
APIS = [("codegate", "gateway.json", 36), ("toolhive", "tool.yaml", 16)]

both = pytest.mark.parametrize(("api", "file", "count"), APIS, ids=["codegate", "toolhive"])


class ApiPage:
    """A drawn page, cut into its sections."""

    def __init__(self, html: str) -> None:
        self.ids = set(re.findall(r'\bid="([^"]+)"', html))
        self._operations = {_place(section): section for section in _sections(html, "api-operation")}
        self._schemas = {_heading(section): section for section in _sections(html, "api-schema")}

    @property
    def operations(self) -> set[str]:
        return set(self._operations)

    @property
    def schemas(self) -> set[str]:
        return set(self._schemas)

    def statuses(self, place: str) -> set[str]:
        return set(re.findall(r'<code class="api-status"[^>]*>(\w+)</code>', self._operations[place]))

    def parameters(self, place: str) -> set[str]:
        found = re.findall(r'id="operation/[^"/]+/(?:path|query|header|cookie)/([^"/]+)"', self._operations[place])
        return {unescape(name) for name in found}

    def fields(self, schema: str) -> set[str]:
        """List the fields of a schema, with those of the schemas that it is made of."""
        section = self._schemas[schema]
        own = set(re.findall(rf'id="schema/{re.escape(schema)}/(?:allOf:\d+/)?([^"/:]+)"', section))
        _, found, whole = section.partition("All of</p>")
        for other in re.findall(r'<a href="#schema/([^"/]+)">', whole) if found else ():
            own |= self.fields(other)
        return own

    def values(self, schema: str) -> set[str]:
        listed = re.search(r"<li>one of (.*?)</li>", self._schemas[schema])
        return set(map(unescape, re.findall(r"<code>(.*?)</code>", listed[1]))) if listed else set()


def _sections(html: str, kind: str) -> list[str]:
    return [part.partition("</section>")[0] for part in html.split(f'<section class="{kind}"')[1:]]


def _place(section: str) -> str:
    found = re.search(r'<span class="api-method"[^>]*>(\w+)</span> <code>(.*?)</code>', section)
    assert found is not None
    return f"{found[1]} {unescape(found[2].replace('<wbr/>', ''))}"


def _heading(section: str) -> str:
    found = re.search(r'<h\d id="schema/([^"]+)"', section)
    assert found is not None
    return found[1]


def contract(api: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"contract_{api}.toml").read_text(encoding="utf-8"))


@both
def test_page_holds_the_whole_contract(api: str, file: str, count: int, make_site: MakeSite) -> None:
    site = make_shop(make_site, (DESCRIPTIONS / file).read_text(encoding="utf-8"))
    assert [line for line in site.check() if "error" in line] == []
    routes = [route for route in site.manifest().routes if route.startswith("/api/")]
    assert len(routes) > 5
    page, wanted = ApiPage("".join(map(site.html, routes))), contract(api)
    assert page.operations == wanted["operations"].keys()
    assert len(page.operations) == count
    missing = [
        f"{place} {what}"
        for place, operation in wanted["operations"].items()
        for what in sorted(
            (set(operation["statuses"]) - page.statuses(place))
            | (set(operation.get("parameters", ())) - page.parameters(place))
        )
    ]
    missing += sorted(wanted["schemas"].keys() - page.schemas)
    for name, fields in wanted["schemas"].items():
        missing += [f"{name}.{field}" for field in sorted(set(fields) - page.fields(name))]
    for name, values in wanted["enums"].items():
        missing += [f"{name} = {value}" for value in sorted(set(values) - page.values(name))]
    assert missing == []


@both
def test_contract_is_not_empty(api: str, file: str, count: int) -> None:
    wanted = contract(api)
    assert len(wanted["operations"]) == count
    assert sum(map(len, wanted["schemas"].values())) > 60
    assert len(wanted["enums"]) >= 1
