"""The browser's search over the static files beside the server's over the index that they were made from."""

from __future__ import annotations

import json
import random
import weakref
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from py_mini_racer import MiniRacer

from engine.tests.unit.search.conftest import records
from octavo.rendering import THEME_DIR
from octavo.search.index.settings import IndexSettings, Rule
from octavo.search.index.tantivy_index import IndexReader, IndexWriter, make_entries
from octavo.search.query.parameters import parse_parameters
from octavo.search.ranking.engine import Engine
from octavo.search.ranking.found import Found
from octavo.search.ranking.retrieval import DEPTHS
from octavo.search.shards.export import export_shards
from octavo.search.shards.files import SHARDS_FOLDER
from octavo.search.text.stemming import stem
from octavo.search.text.stop_words import FURTHER, STOP_WORDS, further_stop_words

ROOT = Path(__file__).parents[4]
MADE = {".octavo", "build"}
"""Folders in which a build has left its files."""
TEXTS = [
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if not MADE & set(path.relative_to(ROOT).parts)),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
]
SETTINGS = IndexSettings(
    app_id="app",
    api_key="key",
    index_name="docs",
    synonyms={"ci": ["continuous integration"], "front matter": ["page settings"]},
    rules=[
        Rule("pin", ["theme"], pinned=["https://docs.example.org/readme"]),
        Rule("hide", ["import"], hidden=["https://docs.example.org/docs-import"]),
    ],
)
HOST = """
var handler, answers = {};
var addEventListener = (_, taken) => { handler = taken; };
var postMessage = (answer) => { answers[answer.id] = answer; };
var fetch = async (address) => ({ ok: address in files, json: async () => JSON.parse(files[address]) });
"""
QUERIES = 300
ALL_STOP_WORDS = STOP_WORDS | further_stop_words(FURTHER)


def title_of(path: Path) -> str:
    """Name a page so that no other has its address."""
    return " ".join(path.relative_to(ROOT).with_suffix("").parts)


class Browser:
    """The published script of the worker, in the V8 that draws the pages."""

    def __init__(self, root: str, files: Mapping[str, bytes]) -> None:
        self._v8 = MiniRacer()
        # A failed test keeps this object until Python ends, when V8 has ended: closing it then waits for ever.
        weakref.finalize(self, self._v8.close)
        self._root = root
        self._count = 0
        (script,) = (THEME_DIR / "client" / "assets").glob("worker-*.js")
        given = {f"/{address}": content.decode() for address, content in files.items()}
        self._v8.eval(f"var files = {json.dumps(given)};{HOST}{script.read_text()}")

    def ask(self, query: str, *, per_group: int | None = None, **parameters: object) -> dict[str, Any]:
        self._count += 1
        question = {
            "id": self._count,
            "place": {"folder": f"/{SHARDS_FOLDER}/", "root": self._root},
            "requests": [{"indexName": "docs", "query": query, "hitsPerPage": 10, **parameters}],
            "perGroup": per_group,
        }
        self._v8.eval(f"handler({{data: {json.dumps(question)}}})")
        answer = json.loads(str(self._v8.eval(f"JSON.stringify(answers[{self._count}])")))
        assert "results" in answer, answer
        result: dict[str, Any] = answer["results"][0]
        return result

    def addresses(self, queries: Sequence[str]) -> list[list[str]]:
        """Ask all queries in one call of V8, since each call costs more than most answers, and give the addresses of each one's hits."""
        first = self._count + 1
        self._count += len(queries)
        questions = [
            {
                "id": number,
                "place": {"folder": f"/{SHARDS_FOLDER}/", "root": self._root},
                "requests": [{"indexName": "docs", "query": query, "hitsPerPage": 10}],
                "perGroup": None,
            }
            for number, query in enumerate(queries, first)
        ]
        self._v8.eval(f"for (const data of {json.dumps(questions)}) handler({{data}})")
        read = f"Array.from({{length: {len(questions)}}}, (_, at) => answers[{first} + at].results[0].hits.map((hit) => hit.url))"
        answers: list[list[str]] = json.loads(str(self._v8.eval(f"JSON.stringify({read})")))
        return answers


class Asked(NamedTuple):
    """What both searches answered to a query."""

    query: str
    server: list[str]
    static: list[str]
    is_ranked: bool
    """Whether the server ranked all that it found."""
    has_partial: bool


class Native:
    """The index of the server, and what its search has answered: tests whose static files differ ask it the same."""

    def __init__(self, folder: Path, settings: IndexSettings = SETTINGS) -> None:
        writer = IndexWriter(folder)
        for path in TEXTS:
            page = records(title_of(path), path.read_text(), kind="reference" if "decisions" in path.parts else "guide")
            writer.add(make_entries(page, page[0].record.url))
        others = [
            records("検索", "検索の設定を変更します。\n## 設定\n全文検索は設定なしで使えます。", language="ja"),
            records("التثبيت", "اقرأ دليل التثبيت أولًا ثم شغّل الخادم.", language="ar"),
            records("إعدادات الخادم", "بالإعدادات تتحكم في السلوك.", language="ar"),
            records("Verbindung", "Die Datenbankverbindung ist offen und wird nicht geteilt.\nEine Größe und die auch.", language="de"),
            records("Список", "Об'єкти з'являються у списку."),
            records("सूची", "फ़ाइल हिन्दी भाषा में उपलब्ध है।"),
            records("Rechten", "Elke werkgroep heeft een lijst.", language="nl"),
            records("What is a kiln", "It is hot."),
            records("Kiln", "A kiln is what fires clay.\n## Is a kiln what you need\nIt is."),
            records("Ovens", "Old ones.\n## Why frozen clay pots crack when heated in the ancient kiln\nIt is water."),
            records("Parts", "Its constructor is hot.\n## Prototype\nNo constructors."),
            records("Shop: Stock", "## Everything that burns\ntakeStock: GET /kilns\nAll of it.", kind="api"),
            records("Count things", "On Sundays.\n## From a program\nFor each request: takeStock gives all, takeStock is fast."),
            records("Wi-Fi", "Run read-file with --dry-run, and readFile again.\n    wi-fi --dry-run"),
        ]  # fmt: skip
        for page in others:
            writer.add(make_entries(page, page[0].record.url))
        writer.commit(settings)
        self.reader = IndexReader(folder)
        self.engine = Engine(self.reader)
        self._found: dict[str, Found] = {}
        self._generated: dict[int, Sequence[str]] = {}

    @cached_property
    def texts(self) -> list[str]:
        """Texts of which queries are made."""
        return [record.content for record in self.reader.all_records() if record.content and len(record.content) > 40]

    @cached_property
    def known(self) -> set[str]:
        """Words of these texts."""
        return {word.strip(".,:;()`'\"").lower() for text in self.texts for word in text.split()}

    def found(self, query: str, **parameters: object) -> Found:
        raw = {"query": query, "hitsPerPage": 10, "advancedSyntax": True, **parameters}
        return self.engine.search(parse_parameters(raw))

    def found_once(self, query: str) -> Found:
        """Give what a query finds, which is asked for once in a run of this file: an index does not change."""
        if query not in self._found:
            self._found[query] = self.found(query)
        return self._found[query]

    def generated(self, seed: int) -> Sequence[str]:
        """Give the queries of a seed, see `generated`."""
        if seed not in self._generated:
            self._generated[seed] = generated(self, seed)
        return self._generated[seed]


class Both:
    """The two searches of one index."""

    def __init__(self, native: Native) -> None:
        self.native = native
        self.reader = native.reader
        self.root, self.files = export_shards(native.reader)
        self.browser = Browser(self.root, self.files)

    def asked(self, queries: Sequence[str], *, is_ranked: bool = False, is_full: bool = False) -> list[Asked]:
        """Ask both.

        Args:
            queries: What is asked.
            is_ranked: Leave out queries of which the server does not rank all that it finds. The browser's answer costs most,
                so it is not asked what is not looked at.
            is_full: Leave out queries that have partial matches.
        """
        found = ((query, self.native.found_once(query)) for query in queries)
        wanted = [
            (query, [hit.candidate.url for hit in one.ranked[:10]], len(one.numbers) <= DEPTHS[0], one.has_partial)
            for query, one in found
            if not (is_ranked and len(one.numbers) > DEPTHS[0]) and not (is_full and one.has_partial)
        ]
        answers = self.browser.addresses([query for query, *_ in wanted])
        return [
            Asked(query, server, static, ranked, partial)
            for (query, server, ranked, partial), static in zip(wanted, answers, strict=True)
        ]

    def server(self, query: str, **parameters: object) -> list[str]:
        return [hit.candidate.url for hit in self.native.found(query, **parameters).ranked[:10]]

    def static(self, query: str, **parameters: object) -> list[str]:
        return [hit["url"] for hit in self.browser.ask(query, **parameters)["hits"]]


def generated(native: Native, seed: int) -> Sequence[str]:
    """One to three neighbouring words; some have a letter too many, some are not typed to their end."""
    rng = random.Random(seed)
    texts, known = native.texts, native.known
    queries = []
    while len(queries) < QUERIES:
        words = [word.strip(".,:;()`'\"") for word in rng.choice(texts).split()]
        words = [word for word in words if len(word) > 2 and word.isalpha()]
        size = rng.randint(1, 3)
        if len(words) >= size:
            start = rng.randint(0, len(words) - size)
            chosen = words[start : start + size]
            if rng.random() < 0.2 and len(chosen[0]) > 4:
                chosen[0] = chosen[0][:2] + "q" + chosen[0][2:]
            cut = chosen[-1][:4]
            # The search in the browser has no stemmer but that for English, so it does not see that such a word is a form of another.
            is_form = any(
                (form := stem(cut.lower(), language)) != cut.lower() and form in known for language in ("de", "nl")
            )
            if rng.random() < 0.3 and len(chosen[-1]) > 4 and not is_form:
                chosen[-1] = cut
            # Words such as "those the" are in most records, and say nothing of an order among these.
            if not ALL_STOP_WORDS.issuperset(word.lower() for word in chosen):
                queries.append(" ".join(chosen))
    return queries
