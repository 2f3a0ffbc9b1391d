"""What plans for all engines have in common."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from octavo.importing.model import Plan
from octavo.importing.scripts import ScriptError, Scripts
from octavo.importing.settings.files import UnreadableError, read_json, read_yaml
from octavo.importing.settings.project import project_of
from octavo.importing.watched import Watched
from octavo.lazy import regex as re

ALWAYS_EXCLUDED = ("build/**", ".octavo/**", "import-report.md")
REMEDY = "Title, top bar and sidebars have to be written into octavo.toml."
"""What to do where the settings of the old site cannot be read."""

_SOCIAL_MARKS = ("discord", "github", "linkedin", "youtube")
"""Icons that the top bar shows without their label."""
_SOCIAL_NAMES = {
    "github": "GitHub",
    "gitlab": "GitLab",
    "hackernews": "Hacker News",
    "linkedin": "LinkedIn",
    "npm": "npm",
    "opencollective": "Open Collective",
    "peertube": "PeerTube",
    "rss": "RSS",
    "stackoverflow": "Stack Overflow",
    "tiktok": "TikTok",
    "twitter": "Twitter",
    "x": "X",
    "youtube": "YouTube",
}
"""Names that are not written as other words are."""
_MOST_NAMED = 5
"""Missing files that one note names."""


def diagnostics() -> dict[str, str]:
    """Levels of findings for a site that was just imported: it is published in spite of all of them."""
    return {"errors": "warn", "front_matter_key": "ignore", "sidebar_membership": "ignore"}


def load_script(plan: Plan, path: Path | None, root: Path) -> dict[str, Any]:
    """Run the configuration of another engine; one that fails is noted, and the site imported without it."""
    if path is None:
        return {}
    scripts = Scripts(root, project_of(root))
    try:
        settings = as_dict(scripts.load(path, arguments=[{"mode": "production", "command": "build"}]))
        note_lost_files(plan, scripts, path)
        return plan.watch(settings)
    except ScriptError as error:
        plan.note(f"The configuration could not be run: {error}", REMEDY, files=[relative(path, plan.site_dir)])
        return {}


def note_lost_files(plan: Plan, scripts: Scripts, path: Path) -> None:
    """Note files that a program takes in and that are not there: often another program of the site writes them."""
    if lost := scripts.lost:
        named = ", ".join(lost[:_MOST_NAMED]) + (", …" if len(lost) > _MOST_NAMED else "")
        plan.note(
            f"{path.name} takes in files that are not there: {named}. What they hold is left out",
            "If a program of the old site writes them, run it, and import again.",
            count=len(lost),
        )


def load_settings(path: Path) -> tuple[dict[str, Any], str]:
    """Read settings in YAML.

    Returns:
        (the settings, why they cannot be read); empty where there is no such file, and nothing is wrong.
    """
    if not path.exists():
        return {}, ""
    try:
        return as_dict(read_yaml(path)), ""
    except UnreadableError as error:
        return {}, str(error).removeprefix(f"{path}").lstrip(": ").rstrip(".")


def read_or_note(plan: Plan, path: Path) -> Any:
    """Read a file in JSON or YAML beside the settings, such as the order of the pages of a folder.

    Returns:
        Its value; None where there is no such file, or where it cannot be read, which is noted.
    """
    try:
        if path.is_file():
            return read_json(path) if path.suffix == ".json" else read_yaml(path)
    except UnreadableError as error:
        file = relative(path, plan.site_dir)
        plan.note(f"{file} cannot be read", str(error).replace(str(path), file), files=[file])
    return None


def note_unread(plan: Plan, path: Path, problem: str) -> None:
    """Note settings that cannot be read; the site is imported without them."""
    if problem:
        plan.note(f"The settings could not be read: {problem}", REMEDY, files=[relative(path, plan.site_dir)])


def as_dict(value: object) -> dict[str, Any]:
    """Take a value of foreign settings for a mapping; anything else is an empty one."""
    if isinstance(value, Watched):
        return value
    return {str(key): one for key, one in value.items()} if isinstance(value, Mapping) else {}


def as_list(value: object) -> list[Any]:
    """Take a value for a list; a single value is a list of it, nothing an empty one."""
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]


def as_text(value: object, default: str = "") -> str:
    """Take a value for a text on one line."""
    return (
        " ".join(str(value).split())
        if isinstance(value, (str, int, float)) and not isinstance(value, bool)
        else default
    )


def split_url(address: object, base: object = None) -> dict[str, str]:
    """Split the address of a site into the settings `url` and `base_url`."""
    parts = urlsplit(as_text(address))
    if parts.scheme not in ("http", "https") or not parts.netloc:
        found: dict[str, str] = {}
    else:
        found = {"url": f"{parts.scheme}://{parts.netloc}"}
    path = as_text(base) or parts.path
    path = f"/{path.strip('/')}/" if path.strip("/") else "/"
    if path != "/" and re.fullmatch(r"/(?:[^/\\\s?#]+/)*", path):
        found["base_url"] = path
    return found


def carry_edit_url(plan: Plan, address: str, base: str) -> None:
    """Take over where pages can be edited: addresses are made of the setting and a path from the site's folder.

    Args:
        plan: Gets the setting.
        address: Where the old engine's paths begin.
        base: Folder at which they begin, from the site's folder.
    """
    address = f"{address.rstrip('/')}/"
    if base != "." and not address.endswith(f"/{base}/"):
        remedy = "Set edit_url to the address of the folder of octavo.toml in the repository."
        plan.note(f"Links to edit a page begin at {address}, which is not where {base} lies", remedy)
        return
    plan.settings["edit_url"] = address if base == "." else address.removesuffix(f"{base}/")


def is_external(href: str) -> bool:
    """Return whether an address leads out of the site."""
    return re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//", href) is not None


def local_href(href: str, base_url: str = "/") -> str:
    """Write an address of the old settings as a route of this site."""
    if is_external(href) or href.startswith("#"):
        return href
    path = f"/{href.removeprefix('./').lstrip('/')}"
    return path.removeprefix(base_url[:-1]) if base_url != "/" and path.startswith(base_url) else path


def common_folder(paths: Iterable[Path]) -> Path:
    """Give the folder that holds all of some folders."""
    return Path(posixpath.commonpath([path.resolve().as_posix() for path in paths]))


def relative(path: Path, site_dir: Path) -> str:
    """Name a path from the site's folder; "." for that folder itself."""
    return path.resolve().relative_to(site_dir.resolve()).as_posix()


def github_icon(href: str) -> dict[str, str]:
    """Icon of a link in the top bar, for the hosts that have one."""
    for host, icon in (
        ("github.com", "github"),
        ("discord", "discord"),
        ("linkedin.com", "linkedin"),
        ("youtube.com", "youtube"),
    ):
        if host in href:
            return {"icon": icon}
    return {}


def carry_socials(plan: Plan, links: Iterable[tuple[str, str, str]]) -> None:
    """Add links to a project's places elsewhere: those with a mark to the top bar, the others to the footer.

    Args:
        plan: Gets them; its `navbar` and `footer` are there.
        links: (name of the icon in the old engine, label, address); icon or label may be empty.
    """
    bar: list[dict[str, Any]] = plan.settings["navbar"].setdefault("items", [])
    others: list[dict[str, Any]] = []
    for icon, label, href in links:
        if not is_external(href) and not href.startswith("/"):
            continue
        if any(one.get("href") == href for one in [*bar, *others]):
            continue
        name = icon.rpartition("/")[2].lower()
        mark = {"icon": name} if name in _SOCIAL_MARKS else github_icon(href)
        host = (urlsplit(href).hostname or href).removeprefix("www.")
        shown = label or _SOCIAL_NAMES.get(mark.get("icon", name)) or _words_of_icon(name) or host
        if mark:
            bar.append({"label": shown, "href": href, "position": "right", **mark})
        else:
            others.append({"label": shown, "href": href})
    if not bar:
        del plan.settings["navbar"]["items"]
    if others:
        plan.settings.setdefault("footer", {}).setdefault("columns", []).append({"title": "", "items": others})


def _words_of_icon(name: str) -> str:
    """Make a label of an icon's name: the words in it, `rss` as it is said."""
    words = re.sub(r"[^a-z0-9]+", " ", name).split()
    return " ".join(words).capitalize()


def without_empty(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what says nothing: None, empty texts, lists and tables."""
    return {key: value for key, value in settings.items() if value not in (None, "", [], {})}


_LONGEST_TEXT = 2000
"""Characters of a parameter that pages may show: a paragraph, no file."""


def flat_texts(params: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Give the parameters that are texts or numbers; those in tables with a dot."""
    for name, value in params.items():
        key = str(name)
        if isinstance(value, dict):
            yield from flat_texts(value, f"{prefix}{key.lower()}.")
        elif isinstance(value, (str, int, float)) and not isinstance(value, bool) and len(str(value)) <= _LONGEST_TEXT:
            yield f"{prefix}{key.lower()}", str(value)


def sidebar_id(path: str, taken: set[str]) -> str:
    """Make the id of the sidebar of a path, another one than those that are taken, to which it is added."""
    name = re.sub(r"[^\w]+", "-", path).strip("-") or "docs"
    while name in taken:
        name += "-2"
    taken.add(name)
    return name
