"""Draw the social cards that pages name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from octavo.config import CONFIG_NAME, line_of_text
from octavo.diagnostics import Diagnostic, Span
from octavo.manifest import ManifestFile
from octavo.pictures import CardStyle, SocialCard
from octavo.pipeline import Pictures
from octavo.rendering import PageRecord
from octavo.runtime import map_chunks

_CHUNK = 12
_PARALLEL_FROM = 24
"""Cards from which on several processes draw: one takes 30 ms."""
_MOST_NAMED = 8
"""Characters in a message."""


class CardOutput(Protocol):
    """Takes cards."""

    def known(self, address: str) -> ManifestFile | None:
        """Return the file that an earlier build has published at an address."""

    def write_hashed(self, address: str, read: Callable[[], bytes]) -> ManifestFile:
        """Take a file; what is there already is not read."""


def publish_cards(
    cards: Mapping[str, SocialCard], style: CardStyle, pictures: Pictures, output: CardOutput
) -> dict[str, ManifestFile]:
    """Draw those cards that no earlier build has drawn.

    Args:
        cards: Address in the published folder → card.
        style: What they have in common.
        pictures: Draws and keeps them.
        output: Takes them.

    Returns:
        Address in the published folder → file.
    """

    def work(part: Sequence[SocialCard]) -> list[bytes]:
        return [pictures.card(card, style) for card in part]

    missing = {address: card for address, card in cards.items() if output.known(address) is None}
    by_card = {card: address for address, card in missing.items()}
    files: dict[str, ManifestFile] = {}
    for part, drawn in map_chunks(work, list(by_card), chunk=_CHUNK, parallel_from=_PARALLEL_FROM):
        for card, content in zip(part, drawn, strict=True):
            files[by_card[card]] = output.write_hashed(by_card[card], partial(bytes, content))
    for address in cards:
        if address not in files and (known := output.known(address)) is not None:
            files[address] = known
    return files


def missing_cards(records: Iterable[PageRecord], site_dir: Path) -> Iterator[Diagnostic]:
    """Find pages whose titles have characters that the font of the cards lacks: one finding for all of them."""
    lacking = [record for record in records if record.undrawable]
    if not lacking:
        return
    characters = "".join(dict.fromkeys(one for record in lacking for one in record.undrawable))
    try:
        text = (site_dir / CONFIG_NAME).read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    shown = characters[:_MOST_NAMED] + ("…" if len(characters) > _MOST_NAMED else "")
    pages = "1 page has" if len(lacking) == 1 else f"{len(lacking)} pages have"
    message = f'The font of the social cards lacks "{shown}", so {pages} no card.'
    span = Span(CONFIG_NAME, line_of_text(text, "[social_cards]"))
    yield Diagnostic(
        "social-card", "warn", span, message, "Name a font that has these characters in social_cards.font."
    )
