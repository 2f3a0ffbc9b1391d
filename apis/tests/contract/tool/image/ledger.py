"""A stdio server that notes each call in a file before it answers; it starts in a moment, so it can die often."""

import json
import os
import sys
import threading

LEDGER = os.open(os.environ.get("LEDGER", "/data/ledger"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
LARGE = int(os.environ.get("LARGE", "1000000"))
writing = threading.Lock()


def answer(number: object, **values: object) -> None:
    line = json.dumps({"jsonrpc": "2.0", "id": number, **values}) + "\n"
    with writing:
        sys.stdout.write(line)
        sys.stdout.flush()


def call(number: object, tool: str, tag: str) -> None:
    os.write(LEDGER, f"{tag}\n".encode())
    if tool == "end":
        os._exit(3)
    text = tag + " " * (LARGE if tool == "large" else 0)
    respond = threading.Timer(0.2 if tool == "slow" else 0, answer, [number])
    respond.kwargs = {"result": {"content": [{"type": "text", "text": text}]}}
    respond.start()


def run() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        match message:
            case {"method": "initialize", "id": number}:
                version = message["params"]["protocolVersion"]
                information = {"name": "ledger", "version": "1"}
                found = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": information}
                answer(number, result=found)
            case {"method": "tools/call", "id": number, "params": {"name": tool, "arguments": {"tag": tag}}}:
                call(number, tool, tag)
            case {"id": number, "method": _}:
                answer(number, result={"tools": []} if message["method"] == "tools/list" else {})
