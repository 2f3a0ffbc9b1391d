"""Icons: SVG files of the site in its folder `icons`, and a built-in set by name. Both take the colour of the text.

The set is Lucide 1.62 (ISC licence, see LICENSE.lucide): `lucide.json.br` maps each name to what is in its `<svg>`. Marks of
companies and projects, which Lucide has none of, are of Simple Icons 11.15 (public domain, CC0): `brands.json.br` maps 350 names to
the shape of each. A mark belongs to its owner all the same.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from octavo.content.icons.sanitize import UnsafeIconError, clean_svg
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import DocumentText

FOLDER = "icons"
"""Folder of the site's own icons, from the site's folder."""
MARKS = ("discord", "github", "linkedin", "youtube")
"""Marks of other companies, which are in the theme (`pictures.ts`): entries of the top bar with one are drawn without label."""
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SETS = re.compile(
    # With `i-` and a set in front, as UnoCSS has them.
    r"(?:[a-z0-9-]+:|i-(?:bi|carbon|catppuccin|devicon|f7|flowbite|fluent|heroicons|ic|ion|logos|lucide|majesticons|material-symbols|mdi|mingcute|octicon|ph|ri|si|simple-icons|skill-icons|solar|streamline|tabler|uil|vscode-icons)-"
    r"|(?:lucide|material|mdi|octicons|simple|fontawesome-(?:solid|regular|brands)|fa-(?:solid|regular|brands)|tabler|heroicons|feather|bi)-)"
    r"(?P<name>.+?)(?:-(?:16|20|24|32))?(?:-(?:regular|filled))?"
)
"""Names of icons in other engines, which begin with that of their set; Iconify writes a colon behind it."""
_OF_PROGRAMS = re.compile(r"[A-Z][a-z0-9]+(?:[A-Z0-9][A-Za-z0-9]*)?")
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=[0-9])")
_STYLES = re.compile(
    r"-(?:outline|outlined|fill|filled|line|linear|solid|thin|bold|alt|variant|duotone|light|regular|rounded|sharp|twotone)$|^(?:baseline|outline|round|sharp|twotone)-"
)
"""Parts of names in other sets that tell how an icon is drawn, and not what it shows."""
_NUMBER = re.compile(r"(?<=[a-z])-\d\Z")
_OF_BRANDS = re.compile(
    r"^(?:logo|logos|language|square|social|mark|microsoft)-|-(?:logo|icon|square|alt|in|f|plane|original|dark|light)$"
)
"""Parts of names in other sets around that of a company or project."""
_OTHER_BRANDS = {
    "app-store-ios": "appstore", "aws": "amazonaws", "chrome": "googlechrome", "cpp": "cplusplus", "css-3": "css3", "edge": "microsoftedge",
    "firefox-browser": "firefox", "golang": "go", "html-5": "html5", "js": "javascript", "kafka": "apachekafka", "bash": "gnubash", "node": "nodedotjs",
    "twitter-x": "x", "vue": "vuedotjs", "windows-10": "windows", "x-twitter": "x",
}  # fmt: skip


def draw_icon(name: str, context: CompileContext, source: DocumentText, offset: int, *, label: str = "") -> str:
    """Draw an icon as SVG in the page; empty, and a finding, where there is none of this name.

    Args:
        name: `rocket`: the file `icons/rocket.svg` of the site, or the built-in icon.
        context: The page.
        source: File that names it.
        offset: Where, in characters of the file.
        label: What it says to those who do not see it; decoration without.
    """
    drawn = find_icon(name, context, source, offset, label=label)
    if drawn is None:
        context.report("warn", "icon", f'There is no icon "{name}".', source, offset, suggestion=suggest_icon(name))
    return drawn or ""


def find_icon(name: str, context: CompileContext, source: DocumentText, offset: int, *, label: str = "") -> str | None:
    """Draw an icon, or give None where there is none of this name; a file that is unfit is a finding."""
    try:
        return svg_of(name, context.read, label=label)
    except UnsafeIconError as error:
        message = f'The icon "{FOLDER}/{name}.svg" is left out: {error}.'
        context.report("warn", "icon", message, source, offset, suggestion="Save it as plain shapes.")
        return ""


def svg_of(name: str, read: Callable[[str], str | None], *, label: str = "") -> str | None:
    """Write an icon as SVG; None where there is none of this name. `read` gives the text of a file of the site.

    Raises:
        UnsafeIconError: the site's file of this name holds more than shapes.
    """
    if not _NAME.fullmatch(name):
        return None
    if (text := read(f"{FOLDER}/{name}.svg")) is not None:
        return _svg(f"icon icon-own icon-{name}", *clean_svg(text), label)
    if name not in _built_in() and (shape := _brands().get(_brand(name))):
        inner = f'<g fill="currentColor" stroke="none"><path d="{shape}"></path></g>'
        return _svg(f"icon icon-own icon-{name}", "0 0 24 24", inner, label)
    inner = _built_in().get(_counterpart(name), "")
    return _svg(f"icon icon-{name}", "0 0 24 24", inner, label) if inner else None


def suggest_icon(name: str) -> str:
    """Say what to do where there is no icon of a name."""
    close = difflib.get_close_matches(name, _built_in(), n=1)
    return f'Did you mean "{close[0]}"?' if close else f"Put the file {FOLDER}/{name}.svg into the site's folder."


def local_name(name: str) -> str:
    """Give the name that an icon of another engine's set has here, if it has one: `material-rocket` is `rocket`.

    `BellRing`, `BellRingIcon` and `LucideBellRing`, as programs write names of Lucide, are `bell-ring`.
    """
    if _OF_PROGRAMS.fullmatch(name):
        return _WORD_START.sub("-", re.sub(r"\ALucide(?=[A-Z])|(?<=[a-z0-9])Icon\Z", "", name)).lower()
    # Material Symbols join words by underscores.
    match = _SETS.fullmatch(name.replace("/", "-").replace("_", "-"))
    return match["name"] if match else name.replace("_", "-")


def _counterpart(name: str) -> str:
    """Give the name of the built-in icon that shows the same as an icon of another set; the name itself if none does."""
    while name not in _built_in():
        if name in _counterparts():
            return _counterparts()[name]
        shorter = _STYLES.sub("", name)
        # Of several that show the same: `settings-3`.
        if shorter == name:
            shorter = _NUMBER.sub("", name)
            if shorter not in _built_in() and shorter not in _counterparts():
                break
        name = shorter
    return name


def _brand(name: str) -> str:
    """Give the name under which the mark of a company or project is kept; one that has none where there is no such mark."""
    while True:
        name = _OTHER_BRANDS.get(name, name)
        joined = name.replace("-", "")
        plain = re.sub(r"js\Z", "dotjs", joined)
        if found := next((one for one in (joined, plain) if one in _brands()), None):
            return found
        shorter = _OF_BRANDS.sub("", name, count=1)
        if shorter == name:
            return ""
        name = shorter


def _svg(classes: str, box: str, inner: str, label: str) -> str:
    from octavo.content.escape import escape_attribute

    meaning = f'role="img" aria-label="{escape_attribute(label)}"' if label else 'aria-hidden="true"'
    return f'<svg class="{classes}" viewBox="{box}" {meaning}>{inner}</svg>'


@cache
def _built_in() -> dict[str, str]:
    """Load the built-in set; 5 ms, once in a process that draws an icon."""
    return _read("lucide.json.br")


@cache
def _brands() -> dict[str, str]:
    """Load the marks of companies and projects; once in a process that draws an icon which is not of the built-in set."""
    return _read("brands.json.br")


def _read(name: str) -> dict[str, str]:
    import brotli

    loaded: dict[str, str] = json.loads(brotli.decompress(files("octavo.content.icons").joinpath(name).read_bytes()))
    return loaded


@cache
def _counterparts() -> dict[str, str]:
    """Load the names of common icons in Material Design, Font Awesome, Octicons and Starlight that differ from Lucide's."""
    loaded: dict[str, str] = json.loads(files("octavo.content.icons").joinpath("counterparts.json").read_bytes())
    return loaded
