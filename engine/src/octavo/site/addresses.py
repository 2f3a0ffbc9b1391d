"""The ledger of addresses: everything that was ever published, so that nothing vanishes unseen.

It is a text file of the site, one address a line: `/guides/start` for a page, a redirect or a static file,
`/guides/start#ports` for a heading. A site keeps one from the day the file is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from octavo.diagnostics import Diagnostic, Span
from octavo.errors import PublishError
from octavo.site.model import Site
from octavo.site.redirects import Redirects
from octavo.site.sources import encoding_problem
from octavo.text_files import read_plain

LEDGER_NAME = "addresses.txt"
"""Its name, in the site's folder."""

_HINT = "Put a file that can be read in its place, or remove it."
_HEAD = """\
# Every address and heading that was ever published. `octavo build` adds to it; keep it under version control.
# What is gone for good is taken out by `octavo check --update-addresses`.
"""


def parse_ledger(text: str) -> dict[str, int]:
    """Read a ledger, as address → 1-based line. Empty lines and those that begin with `#` are passed over."""
    lines = enumerate(text.removeprefix("\ufeff").splitlines(), start=1)
    return {line.strip(): number for number, line in lines if line.startswith("/")}


def write_ledger(addresses: Iterable[str]) -> str:
    """Write a ledger: each address once, headings below their page."""
    return _HEAD + "".join(f"{address}\n" for address in sorted(set(addresses), key=split_address))


def load_ledger(site_dir: Path) -> dict[str, int] | None:
    """Load a site's ledger; None where it keeps none."""
    try:
        return parse_ledger(read_plain(site_dir / LEDGER_NAME).decode("utf-8", "replace"))
    except OSError:
        return None


def ledger_problem(site_dir: Path) -> Diagnostic | None:
    """Find what keeps a site's ledger from being read as it was meant."""
    try:
        return encoding_problem(LEDGER_NAME, read_plain(site_dir / LEDGER_NAME))
    except FileNotFoundError:
        return None
    except OSError as error:
        reason = f"The ledger of addresses cannot be read, so nothing keeps them: {error.strerror}."
        return Diagnostic("unreadable", "error", Span(LEDGER_NAME), reason, _HINT)


def keep_addresses(site_dir: Path, ledger: Mapping[str, int] | None, current: set[str]) -> None:
    """Add what is new to a site's ledger, where it keeps one; nothing is ever taken out."""
    if ledger is not None and not current <= ledger.keys():
        _save(site_dir, current | ledger.keys())


def renew_addresses(site_dir: Path, ledger: Mapping[str, int] | None, current: set[str], redirects: Redirects) -> None:
    """Write the ledger of the current addresses; addresses with a redirect stay, because links to them still exist."""
    kept = {address for address in ledger or () if "#" not in address and redirects.find(split_address(address)[0])}
    _save(site_dir, current | kept)


def _save(site_dir: Path, addresses: Iterable[str]) -> None:
    path = site_dir / LEDGER_NAME
    try:
        path.write_text(write_ledger(addresses), encoding="utf-8", newline="\n")
    except OSError as error:
        raise PublishError(f"{path} cannot be written: {error.strerror}.") from error


def list_addresses(site: Site, static_files: Iterable[str]) -> set[str]:
    """List what a site publishes: pages, headings, redirects, files.

    Args:
        site: The site.
        static_files: Paths in the published folder of what authors have put into the static folder.
    """
    addresses = {_escape(route) for route in site.by_route} | {_escape(f"/{file}") for file in static_files}
    addresses |= {_escape(source) for source in Redirects.of(site.config).exact}
    for route, page in site.by_route.items():
        headings = page.summary.headings if page.summary else []
        addresses |= {f"{_escape(route)}#{heading.anchor}" for heading in headings if heading.anchor}
    return addresses


def find_vanished(
    ledger: Iterable[str], current: set[str], anchors: Mapping[str, frozenset[str]], redirects: Redirects
) -> list[str]:
    """List what the ledger has, and neither the site nor a redirect answers.

    Args:
        ledger: Addresses of earlier builds.
        current: Those of this one.
        anchors: Route → ids in its finished HTML. Headings of a page that is gone go with it.
        redirects: The site's redirects.
    """
    return [address for address in ledger if address not in current and _is_gone(address, anchors, redirects, current)]


def _is_gone(address: str, anchors: Mapping[str, frozenset[str]], redirects: Redirects, current: set[str]) -> bool:
    path, anchor = split_address(address)
    if not anchor:
        return redirects.find(path) is None
    return _escape(path) in current and path in anchors and anchor not in anchors[path]


def split_address(address: str) -> tuple[str, str]:
    """Split a line of the ledger into (path from the site's root, anchor or nothing)."""
    path, _, anchor = address.partition("#")
    return path.replace("%23", "#").replace("%25", "%"), anchor


def _escape(path: str) -> str:
    """Keep the mark that begins an anchor for anchors."""
    return path.replace("%", "%25").replace("#", "%23")
