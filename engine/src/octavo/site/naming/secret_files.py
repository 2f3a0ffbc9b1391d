"""Files of the static folder that hold secrets: all of that folder is published, also what its author does not think of."""

from __future__ import annotations

from pathlib import Path

from octavo.lazy import regex as re

_ENVIRONMENT = re.compile(r"\.env(?:\.(?!example$|sample$|template$|dist$|defaults?$)[\w-]+)?|[\w-]+\.env")
_PRIVATE_KEY = re.compile(rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----")
_HOLDS: tuple[tuple[re.Pattern[str], re.Pattern[bytes], str], ...] = (
    (_ENVIRONMENT, re.compile(rb"^[ \t]*(?:export[ \t]+)?\w+[ \t]*=[ \t]*[^\s#]", re.MULTILINE), "variables"),
    (
        re.compile(r"\.(?:npmrc|yarnrc(?:\.yml)?)"),
        re.compile(rb"_auth|_password|authToken", re.IGNORECASE),
        "a password or token",
    ),
    (re.compile(r"[._]netrc|\.pypirc|\.pgpass"), re.compile(rb"password|:[^\s:]+[ \t]*$", re.MULTILINE), "a password"),
    (re.compile(r"\.git-credentials"), re.compile(rb"://[^\s/]+:[^\s/]+@"), "a password"),
    (re.compile(r"\.htpasswd"), re.compile(rb"^[^\s:]+:\S", re.MULTILINE), "passwords"),
    (re.compile(r"id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p8|ppk)"), _PRIVATE_KEY, "a private key"),
)
"""Name of a file, what it holds then, and how to call it."""
_LOOKED_AT = 1 << 16
"""Bytes of a file that are looked at."""


_ANY = re.compile("|".join(f"(?:{named.pattern})" for named, _, _ in _HOLDS))
"""Most files have none of these names: a site may have tens of thousands."""


def held_secret(site_dir: Path, path: str) -> str:
    """Say what secret a file seems to hold.

    Args:
        site_dir: The site's folder.
        path: The file, from there.

    Returns:
        The words for it; empty where name and content are none of the known ones.
    """
    name = path.rpartition("/")[2]
    if _ANY.fullmatch(name) is None:
        return ""
    try:
        with (site_dir / path).open("rb") as file:
            start = file.read(_LOOKED_AT)
    except OSError:
        return ""  # reported where it is published
    return next((what for named, holds, what in _HOLDS if named.fullmatch(name) and holds.search(start)), "")
