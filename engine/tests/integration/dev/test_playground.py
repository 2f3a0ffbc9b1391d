"""The preview compiles text that is typed into a page: the result and its findings, and nothing that the text must not have."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.tests.integration.dev.conftest import START_S, Dev
from octavo.dev.playground import MOST_BYTES, PLAYGROUND_ADDRESS
from tests.support.sites import HOME, MakeSite, page

SECRET = "The porcupine is not announced yet."
EXTENSION = """
from octavo.extensions import Directive, Extension, Markdown

extension = Extension("reader")


@extension.directive("read")
def read(block: Directive) -> Markdown:
    return Markdown("The extension was called.")
"""


@pytest.fixture
def dev(make_site: MakeSite, start_dev: Callable[[Path], Dev]) -> Dev:
    site = make_site(
        {
            **HOME,
            "docs/a.mdx": page("A", "Text."),
            "docs/_secret.mdx": SECRET,
            "components/Note.mdx": "**Note:** {props.text}",
            "ext/reader.py": EXTENSION,
            "octavo.toml": 'title = "Site"\nextensions = ["ext/reader.py"]\n',
        }
    )
    return start_dev(site.root)


def send(dev: Dev, body: bytes, **headers: str) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", dev.port, timeout=START_S)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request("POST", PLAYGROUND_ADDRESS, body, {"X-Octavo-Token": dev.token(), **named})
        answer = connection.getresponse()
        content = answer.read().decode()
        return answer.status, json.loads(content) if answer.status == 200 else content
    finally:
        connection.close()


def compiled(dev: Dev, text: str, path: str = "/a") -> Any:
    status, answer = send(dev, json.dumps({"path": path, "text": text}).encode())
    assert status == 200, answer
    return answer


def test_gives_the_page_and_what_a_build_would_report(dev: Dev) -> None:
    answer = compiled(
        dev, '## Fire\n\nHeat **it**.\n\n<Note text="hot" />\n\n[gone](./nowhere.md)\n\n:::tip\n\nOpen.\n'
    )

    assert '<h2 id="fire"' in answer["html"]
    assert "Heat <strong>it</strong>" in answer["html"]
    assert "<strong>Note:</strong> hot" in answer["html"]
    assert [(one["line"], one["code"]) for one in answer["findings"]] == [(7, "broken-link"), (9, "unclosed")]
    assert all(one["message"] and one["level"] in ("error", "warn") for one in answer["findings"])
    assert b"Text." in dev.get("/a")[1], "the page itself is as it was"


def test_reads_no_document_and_calls_no_extension(dev: Dev) -> None:
    partial = compiled(dev, "import Secret from './_secret.mdx';\n\n<Secret />\n")
    directive = compiled(dev, "::read[docs/_secret.mdx]\n")

    assert "porcupine" not in json.dumps(partial)
    assert partial["findings"]
    assert "was called" not in directive["html"]


REFUSED: dict[str, tuple[bytes, dict[str, str], int, str]] = {
    "token": (json.dumps({"path": "/a", "text": ""}).encode(), {"X_Octavo_Token": "guessed"}, 403, "reload"),
    "size": (json.dumps({"path": "/a", "text": "a" * MOST_BYTES}).encode(), {}, 413, "shorten"),
    "shape": (b'{"path": "/a"}', {}, 400, "text"),
    "unknown page": (b'{"path": "/none", "text": ""}', {}, 404, "/none"),
    "origin": (b'{"path": "/a", "text": ""}', {"Origin": "https://evil.example"}, 403, ""),
    "host": (b'{"path": "/a", "text": ""}', {"Host": "evil.example"}, 421, ""),
}


def test_refuses_what_it_should_not_compile(dev: Dev) -> None:
    answers = {name: send(dev, body, **headers) for name, (body, headers, _, _) in REFUSED.items()}

    assert {name: answer[0] for name, answer in answers.items()} == {name: one[2] for name, one in REFUSED.items()}
    assert [name for name, one in REFUSED.items() if one[3] not in answers[name][1]] == []
