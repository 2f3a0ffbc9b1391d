"""Addresses of style sheets, changed to those under which their files are published."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from octavo.lazy import regex as re
from octavo.stylesheets.sheet import Reference

_BEFORE_ADDRESS = re.compile(r"""(?:(?:url|src)\(\s*)?["']?""", re.IGNORECASE)


def with_base(text: str, references: Iterable[Reference], base_url: str) -> str:
    """Put the base URL of a site in front of the addresses of a sheet that begin with one slash.

    Args:
        text: The sheet.
        references: Its addresses.
        base_url: With a slash at both ends. Addresses that begin with it are left as they are.
    """
    references = list(references)
    addresses = {
        one.address: base_url[:-1] + one.address
        for one in references
        if re.match(r"/(?!/)", one.address) and not one.address.startswith(base_url)
    }
    return with_addresses(text, references, addresses)


def with_addresses(text: str, references: Iterable[Reference], addresses: Mapping[str, str]) -> str:
    """Replace addresses of a sheet.

    Args:
        text: The sheet.
        references: Its addresses.
        addresses: Address → what takes its place. One that is written with escapes is left as it is.
    """
    own = {(one.line, one.column): one.address for one in references if one.address in addresses}
    if not own:
        return text
    # As the lines and columns of tokens are counted.
    lines = re.split(r"(\r\n|[\n\r\f])", text)
    for (line, column), address in sorted(own.items(), reverse=True):
        written = lines[2 * line - 2]
        start = _BEFORE_ADDRESS.match(written, column - 1)
        if start is not None and written.startswith(address, start.end()):
            end = start.end() + len(address)
            lines[2 * line - 2] = written[: start.end()] + addresses[address] + written[end:]
    return "".join(lines)
