"""Bare addresses in text: `https://…`, `www.…` and e-mail addresses become links, as on GitHub; and `#12` where a site has a repository."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.lazy import regex as re

_ADDRESS = re.compile(
    r"(?<![\w/.@:~-])(?:https?://|www\.)[^\s<\x00]+"
    r"|(?<![\w.+-])[A-Za-z0-9][\w.+-]*@[A-Za-z0-9][\w-]*(?:\.[\w-]+)+",
    re.IGNORECASE | re.ASCII,
)
_DOMAIN = re.compile(r"(?:https?://)?[\w-]+(?:\.[\w-]+)*(?![^\s/?#:])", re.IGNORECASE)
_ENTITY_TAIL = re.compile(r"&[A-Za-z0-9]+;\Z")
_TRAILING = "?!.,:*_~'\"‘’“”–—…"


def find_addresses(text: str) -> list[tuple[int, int, str]]:
    """Find bare addresses; not worth calling unless the text holds `://`, `@` or `www.`.

    Returns:
        list of (start, end, href) in characters, end exclusive, in order.

    Source:
        GFM 6.9, extended autolinks.
    """
    found = []
    for match in _ADDRESS.finditer(text):
        start, end = match.start(), match.start() + len(_trim(match[0]))
        address = text[start:end]
        if "://" in address[:8]:
            href = address
        elif address[:4].lower() == "www.":
            href = f"http://{address}"
        else:
            # A version (`npm@5.2.0`, `vue@3.x`) is not a host: the last part of a name has two letters or more.
            last = address.rpartition(".")[2]
            if not address[-1:].isalnum() or not last[:1].isalpha() or len(last) == 1:
                continue
            href = f"mailto:{address}"
        if href.startswith("mailto:") or _has_domain(address):
            found.append((start, end, href))
    return found


_REFERENCE = re.compile(
    r"""(?<![\w/@\#!?&.=-])(?:
        (?:(?P<owner>[A-Za-z\d][A-Za-z\d-]{0,38})/(?P<name>[A-Za-z\d._-]{1,100}))?(?P<sign>[\#!?])(?P<number>[1-9]\d{0,9})(?![\w-])
        |(?P<of>[A-Za-z\d][A-Za-z\d-]{0,38}/[A-Za-z\d._-]{1,100})@(?P<at>[0-9a-f]{7,40})(?!\w)
        |(?P<commit>[0-9a-f]{40})(?!\w)
        |@(?P<who>[A-Za-z\d][A-Za-z\d-]{0,38}(?:/[A-Za-z\d._-]*\w)?)(?![\w/-]|\.\w)
    )""",
    re.VERBOSE,
)
_PARTS = {
    "github": {"#": "issues", "!": "pull", "?": "discussions", "@": "commit"},
    "gitlab": {"#": "-/issues", "!": "-/merge_requests", "@": "-/commit"},
    "bitbucket": {"#": "issues", "!": "pull-requests", "@": "commits"},
}
"""Program of a host → sign of a reference → its part of the address."""


def with_references(
    text: str, addresses: Sequence[tuple[int, int, str]], repository: str
) -> list[tuple[int, int, str]]:
    """Add short references to issues, pull requests, commits and people to the addresses of a text, in order.

    Args:
        text: A text of a paragraph.
        addresses: As `find_addresses` gives them; what is within one is not a reference.
        repository: Address of the repository that references without a name mean: `https://github.com/owner/name`.

    Source:
        PyMdown Extensions 10, MagicLink with `repo_url_shorthand`, read in 2026-11.
    """
    host = "/".join(repository.split("/")[:3])
    parts = next((parts for name, parts in _PARTS.items() if name in host), _PARTS["github"])
    found = list(addresses)
    for match in _REFERENCE.finditer(text):
        if any(start < match.end() and match.start() < end for start, end, _ in addresses):
            continue
        if match["who"]:
            href = f"{host}/{match['who']}"
        elif match["commit"] or match["at"]:
            whose = f"{host}/{match['of']}" if match["of"] else repository
            href = f"{whose}/{parts['@']}/{match['commit'] or match['at']}"
        elif match["sign"] in parts:
            whose = f"{host}/{match['owner']}/{match['name']}" if match["owner"] else repository
            href = f"{whose}/{parts[match['sign']]}/{match['number']}"
        else:
            continue
        found.append((match.start(), match.end(), href))
    return sorted(found)


def _has_domain(address: str) -> bool:
    host = address.partition("://")[2] if "://" in address[:8] else address
    return _DOMAIN.match(host) is not None


def _trim(address: str) -> str:
    """Take off the punctuation that belongs to the sentence, not to the address."""
    closing, opening = address.count(")"), address.count("(")
    end = len(address)
    while end:
        last = address[end - 1]
        if last in _TRAILING:
            end -= 1
        elif last == ")" and closing > opening:
            closing -= 1
            end -= 1
        elif last == ";" and (entity := _ENTITY_TAIL.search(address, max(0, end - 40), end)):
            end = entity.start()
        else:
            break
    return address[:end]
