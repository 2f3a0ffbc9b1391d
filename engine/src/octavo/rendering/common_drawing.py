"""Pages that are equal in several versions: React draws them once, and what is read off them is read once.

Such pages differ in little but the beginning of their addresses, as `/1.2/guide` and `/1.3/guide` do. They are drawn with a
mark in its place, and each version puts its own beginning there. Only what a page is drawn from tells whether it is equal:
payload, addresses, text, and the data of its site, all with the marks.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from octavo.config import Config
from octavo.content import SLOT
from octavo.contract import payload as contract
from octavo.lazy import regex as re
from octavo.rendering.article import Fillings
from octavo.rendering.shared_files import Shared
from octavo.runtime import digest
from octavo.site import EditionInfo

_MARK = f"v{secrets.token_hex(12)}"
"""In no text by accident, and the same in an address, in HTML and in JSON."""
_PREFIX, _DOCS_PREFIX, _VERSION, _LABEL = f"/{_MARK}p", f"/{_MARK}d", f"/{_MARK}v", f"{_MARK}l"
_PLAIN_ADDRESS = re.compile(r"[\w./~-]*", re.ASCII)
_PLAIN_LABEL = re.compile(r"[\w. ()-]*", re.ASCII)


class PageDrawing(NamedTuple):
    """What is drawn of a page, and what is read off it."""

    skeleton: str
    """As `ThemeBridge.pages` gives it."""
    article: str
    markdown: str
    """Its text; empty where it is not published as Markdown."""
    files: Mapping[str, str]
    """Texts to publish beside it: address → content."""
    references: str
    """See `PageRecord`; with the mark of slots between them, as those below: no document contains it."""
    anchors: str
    needs: str


class OpenedPage(NamedTuple):
    """What a page is drawn from, with marks in the place of what versions have of their own."""

    key: str
    """Equal for pages of which one drawing will do."""
    payload: contract.PagePayload
    fillings: Fillings
    values: tuple[tuple[str, str], ...]
    """(mark, what is in its place on this page)."""

    def close(self, drawing: PageDrawing) -> PageDrawing:
        """Put what the page has of its own into a drawing."""
        skeleton, article, markdown, files, references, anchors, needs = drawing
        for mark, value in self.values:
            skeleton, article = skeleton.replace(mark, value), article.replace(mark, value)
            markdown, references = markdown.replace(mark, value), references.replace(mark, value)
        return PageDrawing(skeleton, article, markdown, files, references, anchors, needs)


class CommonSite(NamedTuple):
    """The data of a site, with marks: the same for all versions of which pages may be drawn together."""

    address: str
    content: bytes


class _Edition(NamedTuple):
    site: CommonSite
    prefixes: tuple[tuple[str, str], ...]
    """(mark, beginning of addresses), the longest first."""
    sidebars: Mapping[str, str]
    """Address of a sidebar → mark."""


class CommonDrawing:
    """Opens pages of the versions of a site that have a path of their own."""

    def __init__(self, config: Config, shared: Mapping[tuple[str, str], Shared]) -> None:
        self._config = config
        self._shared = shared
        self._editions: dict[tuple[str, str], _Edition | None] = {}
        self.is_used = sum(bool(version.path) for version in config.versions) > 1

    def site(self, edition: EditionInfo) -> CommonSite | None:
        """Give the data with which opened pages of an edition are drawn."""
        known = self._edition(edition)
        return known.site if known is not None else None

    def open(
        self, edition: EditionInfo, payload: contract.PagePayload, fillings: Fillings, body_key: str
    ) -> OpenedPage | None:
        """Put marks in the place of what a version has of its own; None where that cannot be done."""
        known = self._edition(edition)
        if known is None:
            return None
        banner, values = payload.version_banner, known.prefixes
        if banner is not None:
            if not _PLAIN_LABEL.fullmatch(banner.version_label):
                return None
            values = (*values, (_LABEL, banner.version_label))
            banner = msgspec.structs.replace(banner, version_label=_LABEL)
        common = msgspec.structs.replace(
            payload,
            site=known.site.address,
            sidebar=known.sidebars.get(payload.sidebar, payload.sidebar) if payload.sidebar else None,
            # The bar alone shows them, and is drawn for each page.
            versions=[],
            locales=[],
            version_banner=banner,
        )
        data = _with_marks(msgspec.json.encode((common, fillings)), known.prefixes)
        opened, fillings = msgspec.json.decode(data, type=tuple[contract.PagePayload, Fillings])
        return OpenedPage(digest(body_key, data), opened, fillings, values)

    def _edition(self, edition: EditionInfo) -> _Edition | None:
        if edition.key not in self._editions:
            self._editions[edition.key] = self._make(edition) if self.is_used and edition.version.path else None
        return self._editions[edition.key]

    def _make(self, edition: EditionInfo) -> _Edition | None:
        base = self._config.base_url.rstrip("/")
        found = {
            f"{base}/{edition.version.path}": _VERSION,  # so begin addresses of the same version in the default language
            base + edition.docs_prefix: _DOCS_PREFIX,
            base + edition.prefix: _PREFIX,
        }
        prefixes = tuple((mark, prefix) for prefix, mark in sorted(found.items(), key=lambda one: -len(one[0])))
        if not all(prefix and _PLAIN_ADDRESS.fullmatch(prefix) for _, prefix in prefixes):
            return None
        shared = self._shared[edition.key]
        sidebars = {
            self._config.base_url + address: f"{_MARK}-{sidebar_id}" for sidebar_id, address in shared.sidebars.items()
        }
        data = msgspec.json.decode(shared.files[shared.site], type=contract.SiteData)
        # If any of these were seen on a page, its drawing would show the mark.
        data = msgspec.structs.replace(data, version_name=_MARK, version_label=_MARK, docs_version=_MARK)
        content = msgspec.json.encode(data)
        for address, mark in sidebars.items():
            content = content.replace(msgspec.json.encode(address), msgspec.json.encode(mark))
        content = _with_marks(content, prefixes)
        return _Edition(CommonSite(f"{_MARK}-{digest(content, shared.server_words)}", content), prefixes, sidebars)


def _with_marks(data: bytes, prefixes: tuple[tuple[str, str], ...]) -> bytes:
    """Replace the beginnings of all texts in JSON that are addresses of the version, or look so: the mark is replaced again."""
    for mark, prefix in prefixes:
        for end in ("/", '"'):
            data = data.replace(f'"{prefix}{end}'.encode(), f'"{mark}{end}'.encode())
    return data


def join_found(found: list[str], more: str) -> list[str]:
    """Join what was found in a top bar with what was found in a drawing: each once."""
    return list(dict.fromkeys([*found, *more.split(SLOT)])) if more else found
