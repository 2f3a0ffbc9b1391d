"""Requests as one would write them: curl, Python (httpx), JavaScript (fetch), Go."""

from __future__ import annotations

import json
import pprint
import shlex
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from octavo.reference.openapi.source.references import as_list, as_mapping
from octavo.reference.openapi.write.blocks import write_json

LANGUAGES = ("curl", "python", "javascript", "go")
LABELS = {"curl": "curl", "python": "Python", "javascript": "JavaScript", "go": "Go"}
HIGHLIGHTED_AS = {"curl": "bash", "python": "python", "javascript": "javascript", "go": "go"}
_LANGUAGES = {
    "node": "javascript",
    "node.js": "javascript",
    "nodejs": "javascript",
    "js": "javascript",
    "ts": "typescript",
    "py": "python",
    "golang": "go",
    "c#": "csharp",
    "dotnet": "csharp",
    ".net": "csharp",
    "objective-c": "objectivec",
}
"""What descriptions call languages → what code blocks do."""
_SHELLS = frozenset(["curl", "shell", "bash", "sh", "cli", "default"])


class GivenSample(msgspec.Struct, frozen=True):
    """A request that the author of the description has written."""

    label: str
    language: str
    """As code blocks name it."""
    code: str


def given_samples(operation: dict[str, Any]) -> list[GivenSample]:
    """List the samples that an operation has in `x-codeSamples`, which Redoc and others show; each label once."""
    listed = [*as_list(operation.get("x-codeSamples")), *as_list(operation.get("x-code-samples"))]
    found: dict[str, GivenSample] = {}
    for one in map(as_mapping, listed):
        code, language = one.get("source"), str(one.get("lang") or "text").strip().lower()
        if not isinstance(code, str) or not code.strip():
            continue
        label = str(one.get("label") or one.get("lang") or "Example")
        if language in _SHELLS and code.lstrip().startswith("curl") and label.lower() in _SHELLS:
            label = "curl"  # the one that readers copy
        if label in found:
            label = f"{one.get('lang')}: {label}"
        name = "bash" if language in _SHELLS else _LANGUAGES.get(language, language)
        found.setdefault(label, GivenSample(label=label, language=name, code=code.strip("\n")))
    return list(found.values())


class SampleRequest(msgspec.Struct, frozen=True):
    """A request to show."""

    method: str
    """Upper case."""
    url: str
    """Without the query."""
    query: list[tuple[str, str]]
    headers: list[tuple[str, str]]
    media_type: str
    """Of the body; empty where there is none."""
    body: Any
    is_stream: bool
    """The answer is an event stream."""

    @property
    def full_url(self) -> str:
        return self.url + (f"?{urlencode(self.query)}" if self.query else "")

    @property
    def is_json(self) -> bool:
        return self.media_type == "application/json" or self.media_type.endswith("+json")


def fill_path(path: str, values: dict[str, str]) -> str:
    """Put values into the places of a path."""
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    return path


def write_sample(language: str, request: SampleRequest) -> str:
    """Write a request in one of `LANGUAGES`."""
    return {"curl": _curl, "python": _python, "javascript": _javascript, "go": _go}[language](request)


def _body_text(request: SampleRequest) -> str:
    if request.is_json:
        return write_json(request.body)
    if request.media_type == "application/x-www-form-urlencoded" and isinstance(request.body, dict):
        return urlencode({name: str(value) for name, value in request.body.items()})
    return request.body if isinstance(request.body, str) else json.dumps(request.body, ensure_ascii=False)


def _all_headers(request: SampleRequest) -> list[tuple[str, str]]:
    own = [("Content-Type", request.media_type)] if request.media_type else []
    stream = [("Accept", "text/event-stream")] if request.is_stream else []
    return [*request.headers, *stream, *own]


def _curl(request: SampleRequest) -> str:
    parts = ["curl -N" if request.is_stream else "curl"]
    if request.method == "HEAD":
        parts[0] += " --head"
    elif request.method != "GET":
        parts[0] += f" -X {request.method}"
    parts[0] += f" {shlex.quote(request.full_url)}"
    parts += [f"-H {shlex.quote(f'{name}: {value}')}" for name, value in _all_headers(request)]
    if request.media_type:
        parts.append(f"-d {shlex.quote(_body_text(request))}")
    return " \\\n  ".join(parts)


def _python(request: SampleRequest) -> str:
    arguments = [json.dumps(request.url, ensure_ascii=False)]
    if request.query:
        arguments.append(f"params={pprint.pformat(_pairs(request.query), width=88)}")
    headers = [pair for pair in _all_headers(request) if not (request.is_json and pair[0] == "Content-Type")]
    if headers:
        arguments.append(f"headers={pprint.pformat(_pairs(headers), width=88)}")
    if request.is_json and request.media_type:
        arguments.append(f"json={_indent(pprint.pformat(request.body, width=80, sort_dicts=False), '    ')}")
    elif request.media_type:
        arguments.append(f"content={_body_text(request)!r}")
    method = request.method.lower()
    if request.is_stream:
        inner = ", ".join([f'"{request.method}"', *arguments, "timeout=None"])
        return (
            f"import httpx\n\nwith httpx.stream({inner}) as response:\n"
            "    for line in response.iter_lines():\n        print(line)"
        )
    known = method in ("get", "post", "put", "patch", "delete", "head", "options")
    name = f"httpx.{method}" if known and not (request.media_type and method in ("get", "delete")) else "httpx.request"
    if name == "httpx.request":
        arguments.insert(0, f'"{request.method}"')
    joined = ", ".join(arguments)
    if len(joined) > 80 or "\n" in joined:
        joined = "\n    " + ",\n    ".join(arguments) + ",\n"
    return f"import httpx\n\nresponse = {name}({joined})\nresponse.raise_for_status()\nprint(response.text)"


def _javascript(request: SampleRequest) -> str:
    options = [f'method: "{request.method}"'] if request.method != "GET" else []
    headers = _all_headers(request)
    if headers:
        pairs = ", ".join(f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in headers)
        options.append(f"headers: {{ {pairs} }}")
    if request.media_type:
        text = _body_text(request)
        options.append(
            f"body: JSON.stringify({_indent(text, '  ')})" if request.is_json else f"body: {json.dumps(text)}"
        )
    url = json.dumps(request.full_url, ensure_ascii=False)
    call = f"fetch({url}, {{\n  " + ",\n  ".join(options) + ",\n})" if options else f"fetch({url})"
    head = f"const response = await {call};\n"
    if request.is_stream:
        return (
            f"{head}const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();\n"
            "for (;;) {\n  const { done, value } = await reader.read();\n  if (done) break;\n  console.log(value);\n}"
        )
    return f"{head}if (!response.ok) throw new Error(`${{response.status}} ${{await response.text()}}`);\nconsole.log(await response.text());"


def _go(request: SampleRequest) -> str:
    body, imports = "nil", ["fmt", "io", "log", "net/http"]
    lines: list[str] = []
    if request.media_type:
        imports.append("strings")
        text = _body_text(request)
        lines.append(f"\tbody := strings.NewReader({f'`{text}`' if '`' not in text else json.dumps(text)})")
        body = "body"
    url = json.dumps(request.full_url, ensure_ascii=False)
    lines.append(f'\treq, err := http.NewRequest("{request.method}", {url}, {body})')
    lines.append("\tif err != nil {\n\t\tlog.Fatal(err)\n\t}")
    lines += [
        f"\treq.Header.Set({json.dumps(name)}, {json.dumps(value, ensure_ascii=False)})"
        for name, value in _all_headers(request)
    ]
    lines.append("\tres, err := http.DefaultClient.Do(req)")
    lines.append("\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tdefer res.Body.Close()")
    if request.is_stream:
        imports = [name for name in imports if name != "io"] + ["bufio"]
        lines.append(
            "\tfor scanner := bufio.NewScanner(res.Body); scanner.Scan(); {\n\t\tfmt.Println(scanner.Text())\n\t}"
        )
    else:
        lines.append("\ttext, err := io.ReadAll(res.Body)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}")
        lines.append("\tfmt.Println(res.Status, string(text))")
    listed = "\n".join(f'\t"{name}"' for name in sorted(imports))
    return f"package main\n\nimport (\n{listed}\n)\n\nfunc main() {{\n" + "\n".join(lines) + "\n}"


def _pairs(pairs: list[tuple[str, str]]) -> dict[str, str] | list[tuple[str, str]]:
    return dict(pairs) if len({name for name, _ in pairs}) == len(pairs) else pairs


def _indent(text: str, by: str) -> str:
    first, *others = text.split("\n")
    return "\n".join([first, *(by + line for line in others)])
