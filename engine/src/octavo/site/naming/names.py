"""The names of published files: which of them a site can have, and who comes first where two want the same."""

from __future__ import annotations

import unicodedata

from octavo.lazy import regex as re
from octavo.manifest import HEALTH_PATH, INDEXES_PATH

LONGEST_ROUTE = 3_000
"""Bytes of a route: Linux takes 4,096 for a path, that of the output folder and `/index.html` included."""
LONGEST_PART = 255
"""Bytes that file systems take for one part of a path."""
_LONGEST_SUFFIX = len(".json.br")
"""What is put behind the last part of a route at most: a page's data, compressed."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f\\]")

_NOT_ON_WINDOWS = re.compile(r'[<>:"|?*]')
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in "0123456789¹²³"))
)
_SAFE = re.compile(r"/?(?:(?!(?i:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:[./]|$))[\w-][\w.-]*(?<!\.)(?:/|$))*")
"""Names of most files: decided in one step."""

OWN_FOLDER = "_octavo"
OWN_FILES = frozenset(
    (
        "sitemap.xml",
        "robots.txt",
        "opensearch.xml",
        "llms.txt",
        "llms-full.txt",
        "404.html",
        ".nojekyll",
        "_redirects",
        "_headers",
    )
)
"""Files at the root that a build writes, or may write, itself. One of the static folder takes the place of ours."""


_PART = re.compile(r"llms-full-\d+\.txt")
"""Further parts of `llms-full.txt`."""


class FileNames:
    """The files of a published folder. A name that is taken is not given again, neither as a file nor as a folder."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        self._folders: dict[str, str] = {}
        self._folded: dict[str, str] = {}
        """Files and folders, as `fold` writes them → as they are written."""

    def take(self, address: str, owner: str) -> str | None:
        """Take a name.

        Args:
            address: Path in the published folder.
            owner: Who wants it, for messages.

        Returns:
            None, or who has it already: the name itself, one of the folders on the way to it as a file, or a name
            below it.
        """
        taken = self._files.get(address) or self._folders.get(address)
        if taken is not None:
            return taken
        fresh = []
        end = address.rfind("/")
        while end > 0:
            folder = address[:end]
            if folder in self._folders:
                break
            if folder in self._files:
                return self._files[folder]
            fresh.append(folder)
            end = address.rfind("/", 0, end)
        self._files[address] = owner
        self._folders.update(dict.fromkeys(fresh, owner))
        for name in (address, *fresh):
            self._folded.setdefault(fold(name), name)
        return None

    def similar(self, address: str) -> str | None:
        """Tell whose file is the same where file systems know no case: on macOS and Windows one would replace the other.

        Two folders may be the same; their files lie in one then.

        Args:
            address: Path in the published folder, before it is taken.

        Returns:
            The owner; None where no other name is like this one.
        """
        other = self._folded.get(fold(address), address)
        if other != address:
            return self._files.get(other) or self._folders[other]
        end = address.rfind("/")
        while end > 0:
            folder = address[:end]
            other = self._folded.get(fold(folder), folder)
            if other != folder and other in self._files:
                return self._files[other]
            end = address.rfind("/", 0, end)
        return None

    def has_file(self, address: str) -> bool:
        """Return whether a file of this name is taken."""
        return address in self._files


def is_own(address: str) -> bool:
    """Return whether a path in the published folder is, or lies below, one that Octavo writes itself.

    Without regard to case: there are file systems that know none.
    """
    first = address.partition("/")[0].casefold()
    return first == OWN_FOLDER or first in OWN_FILES or _PART.fullmatch(first) is not None


def explain_bad_route(route: str) -> tuple[str, str, str] | None:
    """Explain why no page can have a route.

    Returns:
        (code of the finding, what is wrong, what to do); None where nothing is wrong.
    """
    path = route.strip("/")
    if _CONTROL.search(path):
        return (
            "unsafe-address",
            f'The address "{_visible(route)}" has a backslash or a control character, which no server would serve.',
            "Choose an address without it.",
        )
    if is_own(path):
        return (
            "reserved-address",
            f'The address "{route}" belongs to a file that Octavo writes itself.',
            "Choose another address.",
        )
    if len(path) > LONGEST_ROUTE // 4 and (size := len(path.encode("utf-8", "surrogatepass"))) > LONGEST_ROUTE:
        message = (
            f'The address is {size} bytes long, and file systems take few more than {LONGEST_ROUTE}: "{path[:40]}…".'
        )
        return "long-address", message, "Choose a shorter address."
    # Fewer characters than this are never too many bytes.
    if len(path) > (LONGEST_PART - _LONGEST_SUFFIX) // 4:
        for part in path.split("/"):
            size = len(part.encode("utf-8", "surrogatepass"))
            if size > LONGEST_PART - _LONGEST_SUFFIX:
                room = f"File systems take {LONGEST_PART}, of which Octavo needs {_LONGEST_SUFFIX}."
                message = f'A part of the address is {size} bytes long: "{part[:40]}…". {room}'
                return "long-address", message, "Choose a shorter address."
    return None


def explain_answered(path: str, base_url: str) -> tuple[str, str, str] | None:
    """Say whether `octavo serve` answers a path itself, so that it does not show what is published there.

    Args:
        path: Below the base URL, with a leading slash.
        base_url: Begins and ends with a slash.

    Returns:
        (code, message, suggestion).
    """
    bare = path.removesuffix(".html").removesuffix("/index").rstrip("/")
    whole = base_url.rstrip("/") + bare
    if whole == HEALTH_PATH:
        answers = "with the state of the server"
    elif f"{bare}/".startswith(f"{INDEXES_PATH}/") or f"{whole}/".startswith(f"{INDEXES_PATH}/"):
        answers = "with search"
    else:
        return None
    message = f'`octavo serve` answers "{whole}" {answers}: what is published there is seen on other hosts only.'
    return "address-clash", message, "Choose another address."


def explain_bad_file(address: str) -> tuple[str, str, str] | None:
    """Explain why a file of the static folder cannot be published under its name; see `explain_bad_route`."""
    try:
        address.encode()
    except UnicodeEncodeError:
        return "unsafe-address", f"The name of {address!a} is not UTF-8.", "Rename the file."
    if _CONTROL.search(address):
        message = f'The name "{_visible(address)}" has a backslash or a control character, which no server would serve.'
        return "unsafe-address", message, "Rename the file."
    if address.partition("/")[0].casefold() == OWN_FOLDER:
        message = f'"/{OWN_FOLDER}/" is the folder of files that Octavo writes itself; this one is left out.'
        return "reserved-address", message, "Move the file to another folder."
    return None


def explain_unportable(address: str) -> str | None:
    """Explain why Windows cannot have a file of this name; None where it can. GitHub's artifacts refuse such names too.

    Args:
        address: Path in the published folder, or a route.
    """
    if _SAFE.fullmatch(address):
        return None
    for part in address.split("/"):
        bad = _NOT_ON_WINDOWS.search(part)
        if bad is not None:
            return f'"{part}" has "{bad[0]}"'
        if part.partition(".")[0].rstrip().lower() in _DEVICES:
            return f'"{part}" is the name of a device'
        if part.endswith((".", " ")):
            return f'"{part}" ends with a dot or a space'
    return None


def fold(address: str) -> str:
    """Write a name as file systems compare it that know neither case nor Unicode normal forms (macOS, Windows)."""
    return address.lower() if address.isascii() else unicodedata.normalize("NFC", address).casefold()


def _visible(text: str) -> str:
    return _CONTROL.sub(lambda match: "\\\\" if match[0] == "\\" else f"\\x{ord(match[0]):02x}", text)
