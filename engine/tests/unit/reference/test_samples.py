"""Requests in four languages, written whole: what a reader copies has to run as it is."""

from __future__ import annotations

from typing import Any

from octavo.reference.openapi.write.samples import LANGUAGES, SampleRequest, fill_path, given_samples, write_sample


def request(method: str = "GET", **others: Any) -> SampleRequest:
    given: dict[str, Any] = {"query": [], "headers": [], "media_type": "", "body": None, "is_stream": False, **others}
    return SampleRequest(method=method, url="http://a.test/pets", **given)


def written(one: SampleRequest) -> dict[str, str]:
    return {language: write_sample(language, one) for language in LANGUAGES}


def test_request_without_a_body() -> None:
    assert written(request(query=[("tag", "a b"), ("tag", "c")])) == {
        "curl": "curl 'http://a.test/pets?tag=a+b&tag=c'",
        "python": (
            "import httpx\n\n"
            "response = httpx.get(\"http://a.test/pets\", params=[('tag', 'a b'), ('tag', 'c')])\n"
            "response.raise_for_status()\nprint(response.text)"
        ),
        "javascript": (
            'const response = await fetch("http://a.test/pets?tag=a+b&tag=c");\n'
            "if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);\n"
            "console.log(await response.text());"
        ),
        "go": (
            'package main\n\nimport (\n\t"fmt"\n\t"io"\n\t"log"\n\t"net/http"\n)\n\nfunc main() {\n'
            '\treq, err := http.NewRequest("GET", "http://a.test/pets?tag=a+b&tag=c", nil)\n'
            "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n"
            "\tres, err := http.DefaultClient.Do(req)\n"
            "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tdefer res.Body.Close()\n"
            "\ttext, err := io.ReadAll(res.Body)\n"
            "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n"
            "\tfmt.Println(res.Status, string(text))\n}"
        ),
    }


def test_request_with_a_body_of_json() -> None:
    one = request(
        "POST", headers=[("X-A", "1")], media_type="application/json", body={"name": "Ada Lovelace", "old": True}
    )
    assert written(one) == {
        "curl": (
            "curl -X POST http://a.test/pets \\\n  -H 'X-A: 1' \\\n  -H 'Content-Type: application/json' \\\n"
            '  -d \'{\n  "name": "Ada Lovelace",\n  "old": true\n}\''
        ),
        "python": (
            "import httpx\n\nresponse = httpx.post(\n"
            "    \"http://a.test/pets\",\n    headers={'X-A': '1'},\n    json={'name': 'Ada Lovelace', 'old': True},\n)\n"
            "response.raise_for_status()\nprint(response.text)"
        ),
        "javascript": (
            'const response = await fetch("http://a.test/pets", {\n  method: "POST",\n'
            '  headers: { "X-A": "1", "Content-Type": "application/json" },\n'
            '  body: JSON.stringify({\n    "name": "Ada Lovelace",\n    "old": true\n  }),\n});\n'
            "if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);\n"
            "console.log(await response.text());"
        ),
        "go": (
            'package main\n\nimport (\n\t"fmt"\n\t"io"\n\t"log"\n\t"net/http"\n\t"strings"\n)\n\nfunc main() {\n'
            '\tbody := strings.NewReader(`{\n  "name": "Ada Lovelace",\n  "old": true\n}`)\n'
            '\treq, err := http.NewRequest("POST", "http://a.test/pets", body)\n'
            "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n"
            '\treq.Header.Set("X-A", "1")\n\treq.Header.Set("Content-Type", "application/json")\n'
            "\tres, err := http.DefaultClient.Do(req)\n"
            "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tdefer res.Body.Close()\n"
            "\ttext, err := io.ReadAll(res.Body)\n"
            "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n"
            "\tfmt.Println(res.Status, string(text))\n}"
        ),
    }


def test_body_that_is_no_json_is_text() -> None:
    form = request("PUT", media_type="application/x-www-form-urlencoded", body={"a": 1, "b": "c d"})
    assert write_sample("curl", form).endswith("-d 'a=1&b=c+d'")
    assert 'body: "a=1&b=c+d",' in write_sample("javascript", form)
    assert "content='a=1&b=c+d'" in write_sample("python", form)
    ticks = request("PATCH", media_type="text/plain", body="a `b`")
    assert 'strings.NewReader("a `b`")' in write_sample("go", ticks)
    assert "-d 'a `b`'" in write_sample("curl", ticks)


def test_stream_is_read_line_by_line() -> None:
    found = written(request(is_stream=True))
    assert found["curl"] == "curl -N http://a.test/pets \\\n  -H 'Accept: text/event-stream'"
    assert found["python"] == (
        'import httpx\n\nwith httpx.stream("GET", "http://a.test/pets", '
        "headers={'Accept': 'text/event-stream'}, timeout=None) as response:\n"
        "    for line in response.iter_lines():\n        print(line)"
    )
    assert "response.body.pipeThrough(new TextDecoderStream())" in found["javascript"]
    assert 'import (\n\t"bufio"\n\t"fmt"\n\t"log"\n\t"net/http"\n)' in found["go"]
    assert "bufio.NewScanner(res.Body)" in found["go"]


def test_methods_that_httpx_has_no_function_for() -> None:
    assert 'httpx.request("TRACE", ' in write_sample("python", request("TRACE"))
    assert "httpx.delete(" in write_sample("python", request("DELETE"))
    with_body = request("DELETE", media_type="application/json", body=1)
    assert 'httpx.request("DELETE", "http://a.test/pets", json=1)' in write_sample("python", with_body)
    assert write_sample("curl", request("HEAD")) == "curl --head http://a.test/pets"


def test_values_of_a_path_are_escaped() -> None:
    assert fill_path("/a/{b}/{c}/{b}", {"b": "x/y", "c": "é"}) == "/a/x%2Fy/%C3%A9/x%2Fy"


def test_samples_of_an_author_have_each_label_once() -> None:
    operation = {
        "x-codeSamples": [
            {"lang": "Shell", "source": "curl http://a.test\n"},
            {"lang": "Node.js", "label": "SDK", "source": "a()"},
            {"lang": "py", "label": "SDK", "source": "b()"},
            {"lang": "go", "source": "  "},
            {"lang": "go", "source": 5},
            "text",
        ],
        "x-code-samples": [{"source": "c"}],
    }
    assert [(one.label, one.language, one.code) for one in given_samples(operation)] == [
        ("curl", "bash", "curl http://a.test"),
        ("SDK", "javascript", "a()"),
        ("py: SDK", "python", "b()"),
        ("Example", "text", "c"),
    ]
