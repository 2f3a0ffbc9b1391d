"""Tags that well-known plug-ins of Jekyll bring, or that many sites have of their own."""

from __future__ import annotations

import html

from octavo.content.translate.output import attribute, label
from octavo.lazy import regex as re

_ADMONITIONS = frozenset(["note", "tip", "info", "warning", "caution", "danger", "important"])
_CLASSES = {
    "danger": "danger",
    "default": "note",
    "info": "info",
    "primary": "note",
    "success": "tip",
    "warning": "warning",
}
# Not in an address: `https:` and `?v=` are not names.
_NAMED = re.compile(r"""(?<![^\s,])(?P<key>[\w-]+)\s*[:=](?!//)\s*(?P<value>"[^"]*"|'[^']*'|[^\s,]+)""")
_WORDS = re.compile(r""""[^"]*"|'[^']*'|\S+""")


def plugin_tag(kind: str, rest: str) -> str | None:
    """Write a tag, or the one that ends it, in our own syntax; None where it is not known.

    Args:
        kind: Its name; that of an end begins with `end`.
        rest: What is written behind the name.
    """
    named = {match["key"]: match["value"].strip("\"'") for match in _NAMED.finditer(rest)}
    words = [word.strip("\"'") for word in _WORDS.findall(_NAMED.sub("", rest))]
    words = words if kind != "note" else [word for word in words if word != "no-icon"]
    first = words[0] if words else ""
    name = kind.removeprefix("end")
    is_end = name != kind
    if name == "note" and first in _CLASSES:
        # Themes of Hexo give the kind first.
        title = " ".join(words[1:])
        return f"\n:::{_CLASSES[first]}{f'[{label(title)}]' if title else ''}\n"
    if name in _ADMONITIONS:
        title = named.get("title") or " ".join(words)
        return "\n:::\n" if is_end else f"\n:::{name}{f'[{label(title)}]' if title else ''}\n"
    if name.lower().endswith("details"):
        # Sites that have a tag of their own for it give an id first, and the title in quotation marks.
        quoted = re.findall(r"""["']([^"']+)["']""", rest) if name != "details" else []
        summary = html.escape(named.get("summary") or " ".join(quoted or words), quote=False)
        head = f"<summary>{summary}</summary>\n" if summary else ""
        return "\n\n</details>\n" if is_end else f"\n<details>\n{head}\n"
    if name == "codeblock":
        language = named.get("lang", "")
        title = " ".join(word for word in words if not word.startswith(("http:", "https:")))
        caption = f"{language or 'text'} title={attribute(title)}" if title else language
        return "\n```\n" if is_end else f"\n```{caption}\n"
    if name in ("mermaid", "plantuml"):
        return "\n```\n" if is_end else f"\n```{name}\n"
    if name == "tabs":
        return "\n\n</Tabs>\n\n" if is_end else "\n\n<Tabs>\n\n"
    if name == "tab":
        # The first word is the name of the group that the tab belongs to.
        title = " ".join(words[1:]) or first
        return (
            "\n\n</TabItem>\n\n" if is_end else f"\n\n<TabItem value={attribute(title)} label={attribute(title)}>\n\n"
        )
    if kind == "gist" and first:
        return f"[gist.github.com/{first}](https://gist.github.com/{first})"
    if kind in ("youtube", "vimeo") and first:
        address = {"youtube": "https://www.youtube.com/embed/", "vimeo": "https://player.vimeo.com/video/"}[kind]
        number = re.split(r"[/=]", first)[-1]
        return f'<iframe src="{address}{html.escape(number)}" title={attribute(kind.capitalize())}></iframe>'
    if kind in ("octicon", "icon", "fa_svg"):
        return ""
    return None
