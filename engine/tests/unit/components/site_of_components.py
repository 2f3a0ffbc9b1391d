"""A site with components, and a stand-in for the process that draws them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from octavo.components import site_components
from octavo.components.conversation import SlowError
from octavo.components.site_components import SiteComponents, load_components
from octavo.config import parse_config
from octavo.content import SLOT
from octavo.diagnostics import Span
from octavo.rendering import Use

HEAD = '"use strict";Object.defineProperty(exports, "__esModule", {value: true}); exports. default = 1; '
CHILDREN = f"{SLOT}C0{SLOT}"
PLAIN = "export default function Name(props) { return <p>{props.children}</p>; }\n"


def client(when: str) -> str:
    return f'export const client = "{when}";\n{PLAIN}'


class Process:
    """Says of modules what their texts say, and draws what a test says."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.is_running = True
        self.defined: set[str] = set()
        self.answers: dict[str, Any] = {}
        """Path of a component → what is drawn of each of its uses, or an error."""
        self.described: list[str] = []
        self.drawn: list[list[dict[str, Any]]] = []
        self.late: list[str] = []
        """Paths of components that take long to be described."""
        self.shares = 0
        self.closes = 0
        self._paths: dict[str, str] = {}

    def compile(self, code: str, path: str) -> dict[str, Any]:
        del path
        needs = " ".join(f"require('{name}');" for name in re.findall(r'import (?:\w+ from )?"([^"]+)"', code))
        return {"code": HEAD + needs, "mappings": "AAAA"}

    def define(self, key: str, path: str, *_: object) -> dict[str, Any]:
        self.defined.add(key)
        self._paths[key] = path
        return {}

    def describe(self, key: str, patience: float | None) -> dict[str, Any]:
        del patience
        path = self._paths[key]
        self.described.append(path)
        if path in self.late:
            raise SlowError(None)  # type: ignore[arg-type]  # the test waits for nothing
        return self.description(path)

    def description(self, path: str) -> dict[str, Any]:
        text = (self.root / path).read_text()
        found = re.search(r'client = "(\w+)"', text)
        children = re.search(r'children = "(\w+)"', text)
        return {
            "isComponent": "export default" in text,
            "client": found[1] if found else "none",
            "contract": 1,
            "children": children[1] if children else None,
        }

    def draw(self, requests: list[dict[str, Any]], patience: float | None = None) -> list[dict[str, Any]]:
        del patience
        self.drawn.append(requests)
        answers = [self.answers.get(self._paths[one["module"]], f"<p>{CHILDREN}</p>") for one in requests]
        for one in answers:
            if isinstance(one, Exception):
                raise one
        return [{"html": one} if isinstance(one, str) else one for one in answers]

    def share(self) -> None:
        self.shares += 1

    def close(self) -> None:
        self.closes += 1

    def prepare(self) -> None:
        """It is ready."""


class Tables:
    """A cache in memory."""

    def __init__(self) -> None:
        self.table: Any = None
        self.saves = 0

    def load_table(self, _: str, __: object, default: Any) -> Any:
        return self.table or default

    def save_table(self, _: str, table: Any) -> None:
        self.table = table
        self.saves += 1


class Site:
    """A site's folder with components, and the processes that were started for it."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.cache: Any = Tables()
        self.processes: list[Process] = []
        self.late: list[str] = []
        patch.setattr(site_components, "_new_process", self._start)

    def _start(self, _: str) -> Process:
        self.processes.append(Process(self.root))
        self.processes[-1].late = self.late
        return self.processes[-1]

    @property
    def process(self) -> Process:
        return self.processes[-1]

    def load(self, files: dict[str, str], before: SiteComponents | None = None, base: str = "/") -> SiteComponents:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        config = parse_config(f'title = "T"\nbase_url = "{base}"\n')
        found = load_components(self.root, config, self.cache, None, before)
        assert found is not None
        return found


def use(name: str, **given: Any) -> Use:
    made: dict[str, Any] = {"props": {}, "has_children": False, "is_inline": False, "span": Span("docs/a.md", 3)}
    return Use(name, **(made | given))


def said(components: SiteComponents) -> list[str]:
    return [f"{one.span} {one.level} {one.code}: {one.message}" for one in components.problems]
