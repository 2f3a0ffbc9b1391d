"""A stdio server without the SDK, which takes seconds to import: for tests of what is around a server."""

import json
import queue
import sys
import threading
from pathlib import Path
from typing import Any

from tools import TOOLS

_BY_NAME = {tool.__name__: tool for tool in TOOLS}
_writing = threading.Lock()
_answers: "dict[object, queue.Queue[dict[str, Any]]]" = {}


def say(**message: object) -> None:
    line = json.dumps({"jsonrpc": "2.0", **message}) + "\n"
    with _writing:
        sys.stdout.write(line)
        sys.stdout.flush()


def ask(number: object, marker: str = "") -> str:
    """Ask the client for its secret, and leave a file before."""
    if marker:
        Path(marker).touch()
    question = f"ask-{number}"
    answer = _answers[question] = queue.Queue()
    schema = {"type": "object", "properties": {"secret": {"type": "string"}}, "required": ["secret"]}
    params = {"mode": "form", "message": "Secret?", "requestedSchema": schema}
    say(id=question, method="elicitation/create", params=params)
    result = answer.get()["result"]
    return " ".join([result["action"], *result.get("content", {}).values()])


def call(number: object, name: str, arguments: dict[str, Any]) -> None:
    text = ask(number, **arguments) if name == "ask" else _BY_NAME[name](**arguments)
    say(id=number, result={"content": [{"type": "text", "text": text}]})


def run() -> None:
    for line in sys.stdin:
        match json.loads(line):
            case {"method": "initialize", "id": number, "params": {"protocolVersion": version}}:
                found = {"capabilities": {"tools": {}}, "serverInfo": {"name": "plain", "version": "1"}}
                say(id=number, result={"protocolVersion": version, **found})
            case {"method": "tools/call", "id": number, "params": {"name": name, "arguments": arguments}}:
                threading.Thread(target=call, args=(number, name, arguments), daemon=True).start()
            case {"method": "tools/list", "id": number}:
                say(
                    id=number,
                    result={"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in _BY_NAME]},
                )
            case {"method": _, "id": number}:
                say(id=number, result={})
            case {"id": question} as answer:
                _answers[question].put(answer)
