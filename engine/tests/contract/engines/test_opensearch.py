"""OpenSearch's adapter: what its official client sends, against the published API schema. The program itself is not tried."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from engine.tests.contract.engines.serving import client_of
from octavo.errors import UsageError
from octavo.search import EngineSettings, open_remote, push_records
from octavo.search.engines.remote import RemoteEngine
from octavo.search.errors import ProtocolError
from octavo.search.index.tantivy_index import IndexReader
from octavo.search.protocol.answer import make_answer
from octavo.search.protocol.replicas import replicas_of
from octavo.search.query.parameters import parse_parameters

SCHEMA = json.loads(Path(__file__).with_name("opensearch_schema.json").read_text(encoding="utf-8"))


def check(part: str, body: object) -> None:
    jsonschema.Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": SCHEMA["$defs"]}).validate(body)


class Stand(BaseHTTPRequestHandler):
    """Answers as the API specification says, and keeps indices and aliases; it finds every document."""

    protocol_version = "HTTP/1.1"
    indices: dict[str, list[dict[str, Any]]]
    aliases: dict[str, str]
    searches: list[dict[str, Any]]
    problems: list[str]
    refuses_documents: bool

    def _act(self) -> None:
        size = int(self.headers.get("content-length") or 0)
        content = self.rfile.read(size)
        path = self.path.partition("?")[0].strip("/")
        try:
            status, answer = self._answer(path, content)
        except (jsonschema.ValidationError, KeyError, ValueError) as error:
            self.problems.append(f"{self.command} {path}: {error}")
            status, answer = 400, {"error": {"type": "parsing_exception"}, "status": 400}
        written = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(len(written)))
        self.end_headers()
        self.wfile.write(written)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _act  # noqa: N815 - the names that the base class looks for

    def _answer(self, path: str, content: bytes) -> tuple[int, dict[str, Any]]:
        if path == "_bulk":
            return self._bulk(content)
        if path == "_aliases":
            body = json.loads(content)
            check("aliases", body)
            for action in body["actions"]:
                for kind, given in action.items():
                    if given["index"] not in self.indices:
                        return 404, {"error": {"type": "index_not_found_exception"}, "status": 404}
                    if kind == "add":
                        self.aliases[given["alias"]] = given["index"]
            return 200, {"acknowledged": True}
        if path.startswith("_alias/"):
            name = path.removeprefix("_alias/")
            if name not in self.aliases:
                return 404, {"error": f"alias [{name}] missing", "status": 404}
            return 200, {self.aliases[name]: {"aliases": {name: {}}}}
        if path.endswith("/_search"):
            return self._search(path.removesuffix("/_search"), json.loads(content))
        if path.endswith("/_refresh"):
            return 200, {"_shards": {"total": 1, "successful": 1, "failed": 0}}
        if self.command == "PUT":
            check("index", json.loads(content))
            self.indices[path] = []
            return 200, {"acknowledged": True, "shards_acknowledged": True, "index": path}
        if self.command == "DELETE":
            for name in path.split(","):
                self.indices.pop(name, None)
            return 200, {"acknowledged": True}
        raise ValueError("is not a known path")

    def _bulk(self, content: bytes) -> tuple[int, dict[str, Any]]:
        lines = [json.loads(line) for line in content.splitlines()]
        items = []
        for action, source in zip(lines[::2], lines[1::2], strict=True):
            given = action["index"]
            assert given["_id"] == source["objectID"]
            assert source["page_rank"] > 0, "features must be positive"
            if self.refuses_documents:
                error = {"type": "mapper_parsing_exception", "reason": "refused"}
                items.append({"index": {"_id": given["_id"], "status": 400, "error": error}})
                continue
            self.indices[given["_index"]].append(source)
            items.append({"index": {"_id": given["_id"], "status": 201}})
        return 200, {"took": 1, "errors": self.refuses_documents, "items": items}

    def _search(self, name: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        check("search", body)
        self.searches.append(body)
        if name not in self.aliases:
            return 404, {"error": {"type": "index_not_found_exception"}, "status": 404}
        found = self.indices[self.aliases[name]]
        if "collapse" in body:
            found = list({document["url"]: document for document in reversed(found)}.values())[::-1]
        shown = found[body["from"] : body["from"] + body["size"]]
        answer: dict[str, Any] = {
            "took": 1, "timed_out": False, "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
            "hits": {
                "total": {"value": len(found), "relation": "eq"},
                "hits": [{"_index": name, "_id": one["objectID"], "_score": 1.0, "_source": one} for one in shown],
            },
        }  # fmt: skip
        aggregations: dict[str, Any] = {}
        for asked, aggregation in body.get("aggs", {}).items():
            if "cardinality" in aggregation:
                aggregations[asked] = {"value": len(found)}
            else:
                inner = {"addresses": {"value": 5}} if "aggs" in aggregation else {}
                buckets = [{"key": "guide", "doc_count": 7, **inner}]
                aggregations[asked] = {"buckets": buckets, "sum_other_doc_count": 0}
        return 200, answer | ({"aggregations": aggregations} if aggregations else {})

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture
def stand() -> Iterator[tuple[str, type[Stand]]]:
    kept: dict[str, Any] = {"indices": {}, "aliases": {}, "searches": [], "problems": [], "refuses_documents": False}
    handler = type("Kept", (Stand,), kept)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", handler
    server.shutdown()
    thread.join()
    server.server_close()
    assert handler.problems == []


@pytest.mark.parametrize(
    "raw",
    [
        {"query": "clay kil"},
        {"query": "clay", "typoTolerance": False, "ignorePlurals": False, "queryType": "prefixAll"},
        {"query": '"fires clay" -old pots', "advancedSyntax": True},
        {"query": ""},
        {
            "query": "",
            "filters": 'kind:guide AND NOT (lang:de OR weight.level>=90 OR weight.level:1 TO 5) AND version:"1.0"',
        },
        {"query": "", "filters": "hierarchy.lvl0:Pottery OR nosuch:1 OR weight.level:nan OR weight.level != 3"},
        {"query": "clay", "facets": ["*", "weight.level"], "hitsPerPage": 0},
        {"query": "clay", "facets": ["kind"], "distinct": False, "facetingAfterDistinct": False},
        {"query": "clay", "optionalFilters": ["kind:api", ["type:lvl1", "type:lvl2"]]},
        {"query": "clay pots", "optionalWords": ["pots"]},
        {"query": "clay", "restrictSearchableAttributes": ["hierarchy.lvl1", "content"]},
        {"query": "clay", "minWordSizefor1Typo": 3, "minWordSizefor2Typos": 6},
        {"query": "fastest firing"},
        {"similarQuery": "clay temperature"},
    ],
)
def test_searches_are_written_as_the_schema_of_the_api_has_them(
    stand: tuple[str, type[Stand]], reader: IndexReader, raw: dict[str, Any]
) -> None:
    url, kept = stand
    index = open_remote(EngineSettings("opensearch", url, "user:secret"), "docs")
    push_records(reader, index)
    engine = RemoteEngine(index, reader.settings)
    answer = make_answer(engine, "docs", parse_parameters(raw), raw)
    assert kept.searches
    assert len(answer["hits"]) == min(answer["nbHits"], raw.get("hitsPerPage", 20))
    if "kind" in raw.get("facets", ()):
        assert answer["facets"]["kind"]["guide"] == (5 if raw.get("distinct", True) else 7)


def test_replica_is_sorted_before_its_score(stand: tuple[str, type[Stand]], reader: IndexReader) -> None:
    url, kept = stand
    index = open_remote(EngineSettings("opensearch", url), "docs")
    push_records(reader, index)
    engine = RemoteEngine(index, reader.settings)
    make_answer(engine, "docs", parse_parameters({"query": "clay"}), {}, replicas_of("docs")["docs_title_desc"])
    assert kept.searches[-1]["sort"][0] == {"hierarchy.lvl1.whole": {"order": "desc"}}


def test_alias_leads_to_the_new_records_and_the_old_are_removed(
    stand: tuple[str, type[Stand]], reader: IndexReader
) -> None:
    url, kept = stand
    index = open_remote(EngineSettings("opensearch", url), "docs")
    push_records(reader, index)
    (first,) = kept.indices
    push_records(reader, index)
    (second,) = kept.indices
    assert first != second
    assert kept.aliases == {"docs": second}
    assert len(kept.indices[second]) == reader.size
    kept.refuses_documents = True
    with pytest.raises(UsageError, match=f"did not take {reader.size} of the records"):
        push_records(reader, index)
    assert (list(kept.indices), kept.aliases) == ([second], {"docs": second})


@pytest.mark.parametrize(
    ("name", "value"), [("typoTolerance", "min"), ("removeWordsIfNoResults", "lastWords"), ("distinct", 3)]
)
def test_what_cannot_be_done_is_refused_by_name(
    stand: tuple[str, type[Stand]], reader: IndexReader, name: str, value: object
) -> None:
    engine = RemoteEngine(open_remote(EngineSettings("opensearch", stand[0]), "docs"), reader.settings)
    raw = {"query": "clay", name: value}
    with pytest.raises(ProtocolError) as caught:
        make_answer(engine, "docs", parse_parameters(raw), raw)
    assert (caught.value.status, name in caught.value.message) == (400, True)


def test_server_says_why_the_engine_does_not_answer(stand: tuple[str, type[Stand]], tmp_path: Path) -> None:
    cases = {"cannot be reached": "http://127.0.0.1:9", "octavo search push": stand[0]}
    for reason, url in cases.items():
        with client_of(tmp_path, EngineSettings("opensearch", url, "user:secret", 0.5)) as client:
            answer = client.post("/1/indexes/*/queries", json={"requests": [{"indexName": "docs", "query": "clay"}]})
            assert (answer.status_code, reason in answer.json()["message"]) == (503, True)
            assert "secret" not in answer.text
