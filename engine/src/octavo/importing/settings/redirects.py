"""Redirects of an old site: patterns of other engines and hosts are written with our star, the rest is noted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from octavo.importing.common import as_dict, as_list, as_text, is_external, relative
from octavo.importing.model import Plan
from octavo.importing.settings.files import UnreadableError, read_json, read_text, read_toml
from octavo.lazy import regex as re

_TAIL = re.compile(
    r"/(?::(?P<name>[A-Za-z_]\w*)(?:\*|\+|\(\.[*+]\))?|\(\.[*+]\)|\*|:splat|\$1|\[\.\.\.(?P<rest>[\w-]+)\])/?\Z"
)
"""Ends a path that stands for all of a folder, in the forms of Vercel, Netlify, Next, Mintlify, and Astro.

`:name` alone stands for one step of a path; a star holds for it too.
"""
_PATTERN = re.compile(r"[*()?#\[\]{}\\\s]|/:[A-Za-z_]|\$\d|:splat\b")
"""What a plain path has not."""
_MOST_RULES = 20_000


class CarriedRedirects:
    """Collects the redirects of an old site; the first one of a path holds."""

    def __init__(self, plan: Plan, taken: Collection[str] = ()) -> None:
        """Initialize.

        Args:
            plan: Gets the redirects, beside those that it has, and notes.
            taken: Routes of pages, which keep their addresses.
        """
        self._plan = plan
        self._taken = {_bare(route) for route in taken}
        self._found: list[dict[str, str]] = list(plan.settings.get("redirects", []))
        self._sources = {_bare(one["from"]) for one in self._found}

    def add(self, source: str, target: str) -> None:
        """Add a redirect; one that has no counterpart is noted.

        Args:
            source: Path from the site's root, plain or as a pattern.
            target: Route, or address elsewhere; of a pattern with its variable part.
        """
        written = _translated(source, target)
        if written is None:
            self._plan.note(
                "Redirects by a pattern that octavo.toml cannot express",
                "Write their paths into [[redirects]] one by one; a star at the end stands for all of a folder.",
                files=[f"{source} → {target}"],
            )
            return
        old, new = written
        bare = _bare(old)
        if bare in self._taken:
            if bare != _bare(new.partition("#")[0]):
                self._plan.note(
                    "Redirects from the address of a page",
                    "Pages keep their addresses: take the page out if readers should be led on.",
                    files=[f"{source} → {target}"],
                )
        elif bare not in self._sources and bare != _bare(new):
            self._sources.add(bare)
            self._found.append({"from": old, "to": new})

    def write(self) -> None:
        """Write them into the plan."""
        if self._found:
            self._plan.settings["redirects"] = self._found


def carry_rules_of_hosts(plan: Plan, folders: Iterable[Path]) -> None:
    """Take over the redirects in the files of hosts: `_redirects`, `netlify.toml`, `vercel.json`.

    Args:
        plan: Gets the redirects and notes.
        folders: Where the files may lie; those outside of the site are left alone.
    """
    carried = CarriedRedirects(plan)
    for folder in dict.fromkeys(one.resolve() for one in folders):
        for name, read in (("_redirects", _lines), ("netlify.toml", _netlify), ("vercel.json", _vercel)):
            path = folder / name
            if not path.is_file() or not path.resolve().is_relative_to(plan.site_dir.resolve()):
                continue
            place = relative(path, plan.site_dir)
            try:
                rules = list(read(path))
            except UnreadableError as error:
                reason = str(error).removeprefix(str(path)).lstrip(": ").rstrip(".")
                plan.note(
                    "Redirects of the host that cannot be read",
                    "Mend the file, and import again.",
                    files=[f"{place}: {reason}"],
                )
                continue
            for given, target, condition in rules[:_MOST_RULES]:
                source = _local(plan, given)
                reason = condition or ("from another host" if is_external(source) else "")
                if reason:
                    plan.note(
                        "Rules of the host that are not plain redirects",
                        "Static files cannot express them: keep them in the settings of the host.",
                        files=[f"{place}: {given} → {target} ({reason})"],
                    )
                else:
                    carried.add(source, _local(plan, target))
            if len(rules) > _MOST_RULES:
                plan.note(
                    "Redirects of the host beyond the first 20,000",
                    "Write them with stars.",
                    count=len(rules) - _MOST_RULES,
                    files=[place],
                )
    carried.write()


def _local(plan: Plan, address: str) -> str:
    """Write an address without the site's own host and base path."""
    settings = plan.settings
    url, base = as_text(settings.get("url")), as_text(settings.get("base_url"), "/")
    if is_external(address):
        own, parts = urlsplit(url), urlsplit(address)
        if not url or parts.netloc.lower() != own.netloc.lower():
            return address
        address = address.partition(parts.netloc)[2] or "/"
    return address[len(base) - 1 :] if base != "/" and address.startswith(base) else address


def _lines(path: Path) -> Iterator[tuple[str, str, str]]:
    """Read `_redirects`: old path, new path, status, conditions on a line."""
    for line in read_text(path).splitlines():
        words = line.partition(" #")[0].split()
        if len(words) < 2 or words[0].startswith("#"):
            continue
        source, target, *rest = words
        queries = []
        while "=" in target and not target.startswith("/") and not is_external(target) and rest:
            queries.append(target)
            target, *rest = rest
        status = rest[0] if rest else "301"
        conditions = [*queries, *rest[1:]]
        yield source, target, f"only for {' '.join(conditions)}" if conditions else _reason_of(status)


def _netlify(path: Path) -> Iterator[tuple[str, str, str]]:
    for one in map(as_dict, as_list(read_toml(path).get("redirects"))):
        conditions = [*as_dict(one.get("conditions")), *as_dict(one.get("query")), *as_dict(one.get("headers"))]
        reason = f"only for {', '.join(conditions)}" if conditions else _reason_of(as_text(one.get("status"), "301"))
        yield as_text(one.get("from")), as_text(one.get("to")), reason


def _vercel(path: Path) -> Iterator[tuple[str, str, str]]:
    settings = as_dict(read_json(path))
    for one in map(as_dict, as_list(settings.get("redirects"))):
        conditions = [
            as_text(as_dict(each).get("type")) for key in ("has", "missing") for each in as_list(one.get(key))
        ]
        reason = f"only for {', '.join(conditions)}" if conditions else ""
        yield as_text(one.get("source")), as_text(one.get("destination")), reason
    for one in map(as_dict, as_list(settings.get("rewrites"))):
        yield as_text(one.get("source")), as_text(one.get("destination")), "a rewrite"


def _reason_of(status: str) -> str:
    return "" if re.fullmatch(r"30[12378]!?", status) else f"status {status}"


def _translated(source: str, target: str) -> tuple[str, str] | None:
    """Write a redirect with a star where it has a pattern at its end; None where it has another one."""
    if not source or not target:
        return None
    start = "" if source.startswith("/") else "/"
    tail = _TAIL.search(source)
    old = f"{start}{source[: tail.start()]}/*" if tail else f"{start}{source}"
    new = target if is_external(target) or target.startswith("/") else f"/{target}"
    end = _TAIL.search(new)
    if end:
        if tail is None:
            return None
        names = [match["name"] or match["rest"] for match in (tail, end)]
        if all(names) and names[0] != names[1]:
            return None
        new = f"{new[: end.start()]}/*"
    plain = new.partition("#")[0].removesuffix("/*")
    if is_external(plain):
        parts = urlsplit(plain)
        if parts.scheme not in ("http", "https") or re.search(r"[*{}\\\s]|/:[A-Za-z_]|\$\d", plain):
            return None
    elif _PATTERN.search(plain.partition("?")[0]):
        return None
    if _PATTERN.search(old.removesuffix("/*")) or {".", ".."}.intersection(old.split("/")):
        return None
    if old.endswith("/*") and new.startswith(old[:-1]):
        return None
    return old, new


def _bare(path: str) -> str:
    return path.rstrip("/") or "/"


def pairs_of(raw: object) -> Iterator[tuple[str, str]]:
    """List redirects: of a mapping old path → new path, or of tables with `source` and `destination`.

    Whether one is permanent makes no difference here: pages lead readers on, not the status of an answer.
    """
    if isinstance(raw, Mapping):
        for source, target in as_dict(raw).items():
            yield source, _destination(target) if isinstance(target, Mapping) else as_text(target)
    for one in map(as_dict, as_list(None if isinstance(raw, Mapping) else raw)):
        yield as_text(one.get("source")), _destination(one)


def _destination(table: object) -> str:
    found = as_dict(table)
    for key in ("permanent", "status", "statusCode"):
        found.get(key)  # read, so that no report says that they have no effect
    return as_text(found.get("destination"))
