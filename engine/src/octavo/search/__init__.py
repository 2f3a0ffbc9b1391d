"""Search: records of a site, the index made of them, and the answers of the wire protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.lazy import export_lazily

if TYPE_CHECKING:
    from octavo.search.engines.choice import EngineSettings, open_remote
    from octavo.search.engines.push import push_records
    from octavo.search.errors import ProtocolError, TooManyRequestsError
    from octavo.search.index.facts import PageFacts
    from octavo.search.index.files import CHECKSUMS_NAME, copy_index, is_whole
    from octavo.search.index.pages import facts_key, findable_pages, index_settings, page_facts, section_names
    from octavo.search.index.record import Indexed, make_records
    from octavo.search.index.settings import IndexSettings
    from octavo.search.index.tantivy_index import IndexReader, IndexWriter, PageEntries, Twin, make_entries
    from octavo.search.insights.page import report_route
    from octavo.search.insights.report import make_report
    from octavo.search.insights.report_text import format_report
    from octavo.search.insights.store import InsightsStore
    from octavo.search.opensearch import OPENSEARCH_ADDRESS, OPENSEARCH_TYPE, write_opensearch
    from octavo.search.protocol.answer import answer_search
    from octavo.search.protocol.limit import RateLimit, network_of
    from octavo.search.protocol.push import published_index, push_index
    from octavo.search.protocol.routes import SearchRoutes
    from octavo.search.protocol.turns import Work
    from octavo.search.query.query import LONGEST_QUERY
    from octavo.search.service import SearchService
    from octavo.search.shards.contents import IndexedPage
    from octavo.search.shards.criteria import criteria
    from octavo.search.shards.export import IndexSource, ShardsExport, export_shards
    from octavo.search.shards.files import MODE_PATH, SHARDS_FOLDER, bundle_shards, mode_file
    from octavo.search.shards.mode import mode_route
    from octavo.search.shards.parts import digest_of_part, make_part, part_key
    from octavo.search.shards.stored import Stored
    from octavo.search.text.comparing import query_stems, question_stems, text_stems
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "engines.choice": ("EngineSettings", "open_remote"),
            "engines.push": ("push_records",),
            "errors": ("ProtocolError", "TooManyRequestsError"),
            "index.facts": ("PageFacts",),
            "index.files": (
                "CHECKSUMS_NAME",
                "copy_index",
                "is_whole",
            ),
            "index.pages": (
                "facts_key",
                "findable_pages",
                "index_settings",
                "page_facts",
                "section_names",
            ),
            "index.record": ("Indexed", "make_records"),
            "index.settings": ("IndexSettings",),
            "index.tantivy_index": (
                "IndexReader",
                "IndexWriter",
                "Indexed",
                "IndexedPage",
                "IndexedPage",
                "PageEntries",
                "Twin",
                "make_entries",
            ),
            "insights.page": ("report_route",),
            "insights.report": ("make_report",),
            "insights.report_text": ("format_report",),
            "insights.store": ("InsightsStore",),
            "opensearch": ("OPENSEARCH_ADDRESS", "OPENSEARCH_TYPE", "write_opensearch"),
            "protocol.answer": ("answer_search",),
            "protocol.limit": ("RateLimit", "network_of"),
            "protocol.push": ("published_index", "push_index"),
            "protocol.routes": ("SearchRoutes",),
            "protocol.turns": ("Work",),
            "query.query": ("LONGEST_QUERY",),
            "service": ("SearchService",),
            "shards.criteria": ("criteria",),
            "shards.contents": ("IndexedPage",),
            "shards.export": ("ShardsExport", "IndexSource", "export_shards"),
            "shards.files": ("MODE_PATH", "SHARDS_FOLDER", "bundle_shards", "mode_file"),
            "shards.mode": ("mode_route",),
            "shards.parts": ("digest_of_part", "make_part", "part_key"),
            "shards.stored": ("Stored",),
            "text.comparing": ("query_stems", "question_stems", "text_stems"),
        },
    )

__all__ = [
    "CHECKSUMS_NAME",
    "LONGEST_QUERY",
    "MODE_PATH",
    "OPENSEARCH_ADDRESS",
    "OPENSEARCH_TYPE",
    "SHARDS_FOLDER",
    "EngineSettings",
    "IndexReader",
    "IndexSettings",
    "IndexSource",
    "IndexWriter",
    "Indexed",
    "IndexedPage",
    "InsightsStore",
    "PageEntries",
    "PageFacts",
    "ProtocolError",
    "RateLimit",
    "SearchRoutes",
    "SearchService",
    "ShardsExport",
    "Stored",
    "TooManyRequestsError",
    "Twin",
    "Work",
    "answer_search",
    "bundle_shards",
    "copy_index",
    "criteria",
    "digest_of_part",
    "export_shards",
    "facts_key",
    "findable_pages",
    "format_report",
    "index_settings",
    "is_whole",
    "make_entries",
    "make_part",
    "make_records",
    "make_report",
    "mode_file",
    "mode_route",
    "network_of",
    "open_remote",
    "page_facts",
    "part_key",
    "published_index",
    "push_index",
    "push_records",
    "query_stems",
    "question_stems",
    "report_route",
    "section_names",
    "text_stems",
    "write_opensearch",
]
