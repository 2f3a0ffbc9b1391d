"""`hero`, `features` and `banner` of Starlight, VitePress, VuePress and Rspress: texts of a first page, written in its front matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from octavo.content.escape import escape_attribute
from octavo.content.scan.buffer import Buffer
from octavo.content.translate.output import label
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.source import Fragment

_BARE = re.compile(r"(?![\w+.-]+:)[^./#?]")
"""Begins a link within the site that has neither a slash nor dots in front."""
_ADDRESS = re.compile(r'(?:<|src=")([^<>"\n]+)[>"]')
"""The address of a link or an image in a line that is written here."""
HERO_ENGINES = frozenset({"rspress", "starlight", "vitepress", "vuepress"})
"""Extensions with which these keys mean something."""


def add_hero(fragment: Fragment, front: dict[str, Any]) -> Fragment:
    """Write the texts of the front matter before those of the page.

    Args:
        fragment: The page without its front matter.
        front: The front matter as it is written.
    """
    is_mdx = fragment.source.is_mdx
    hero = front.get("hero")
    if "vitepress" in fragment.source.dialect.extensions:
        front = {**front, "hero": (hero := _with_links_from_root(hero, "actions"))}
        front = _with_links_from_root(front, "features")
    blocks = [*_banner(front.get("banner")), *_hero(hero, front), *_features(front.get("features"))]
    if hero is None and front.get("home") is True and "vuepress" in fragment.source.dialect.extensions:
        blocks = [*_hero(_of_vuepress(front), front), *blocks, *filter(None, [_text(front.get("footer"))])]
    if not blocks:
        return fragment
    # Braces are expressions in MDX; the texts are HTML or plain.
    text = "\n\n".join(re.sub(r"([{}])", r"\\\1", block) if is_mdx else block for block in blocks)
    buffer = Buffer(fragment)
    start = fragment.origin(0)
    for line in f"{text}\n\n".splitlines(keepends=True):
        address = _ADDRESS.search(line)
        place = fragment.source.text.find(address[1], 0, start) if address else -1
        buffer.write(line, start if place < 0 else place)  # a finding about it is at its line of the front matter
    buffer.copy(0, len(fragment.text))
    return buffer.fragment(is_contained=fragment.is_contained)


def _with_links_from_root(table: object, key: str) -> Any:
    """Write the links of some entries as VitePress reads them: `guide/start` is from the root, `./guide/start` from the page."""
    entries = table.get(key) if isinstance(table, dict) else None
    if not isinstance(table, dict) or not isinstance(entries, list):
        return table
    found = [
        {**one, "link": f"/{link}"} if isinstance(one, dict) and _BARE.match(link := _text(one.get("link"))) else one
        for one in entries
    ]
    return {**table, key: found}


def _text(value: object) -> str:
    return " ".join(str(value).split()) if isinstance(value, (str, int, float)) else ""


def _banner(banner: object) -> list[str]:
    content = _text(banner.get("content")) if isinstance(banner, dict) else ""
    return [f":::note[]\n\n{content}\n\n:::"] if content else []


def _hero(hero: object, front: dict[str, Any]) -> list[str]:
    if not isinstance(hero, dict):
        return []
    name, text = _text(hero.get("title")) or _text(hero.get("name")), _text(hero.get("text"))
    name = name or ("" if text else _text(front.get("title")))  # a hero shows the title of the page where it has none
    blocks = [f"# {name}"] if name else []
    blocks += [f"**{text}**"] if text and name else [f"# {text}"] if text else []
    blocks += [_text(hero.get("tagline"))] if _text(hero.get("tagline")) else []
    actions = hero.get("actions")
    links = [_link(one) for one in actions if isinstance(one, dict)] if isinstance(actions, list) else []
    blocks += [f":::actions\n\n{chr(10).join(filter(None, links))}\n\n:::"] if any(links) else []
    blocks += _image(hero.get("image"))
    return ["::::hero", *blocks, "::::"] if blocks else []


def _image(image: object) -> list[str]:
    """Write an image, with a form for each color mode where there are two, or the HTML that takes its place."""
    found = image if isinstance(image, dict) else {"src": image}
    if markup := _text(found.get("html")):
        return [markup]
    alt = _text(found.get("alt"))
    modes = [(mode, _text(found.get(mode))) for mode in ("light", "dark")]
    if all(address for _, address in modes):
        shown = escape_attribute(alt)
        return [
            "\n".join(
                f'<img class="themed themed-{mode}" src="{escape_attribute(address)}" alt="{shown}" />'
                for mode, address in modes
            )
        ]
    address = next((_text(found[key]) for key in ("file", "src", "light", "dark") if _text(found.get(key))), "")
    return [f"![{label(alt)}](<{address}>)"] if address else []


def _of_vuepress(front: dict[str, Any]) -> dict[str, Any]:
    """Gather what VuePress writes into several keys; version 1 has one action."""
    action = {"text": front.get("actionText"), "link": front.get("actionLink")}
    return {
        "title": front.get("heroText"),
        "tagline": front.get("tagline"),
        "actions": front.get("actions") or ([action] if action["text"] else []),
    }


def _link(action: dict[str, Any]) -> str:
    text, address = _text(action.get("text")), _text(action.get("link"))
    return f"[{label(text)}](<{address}>)" if text and address else text


def _features(features: object) -> list[str]:
    """Write what a product can do as a list: the title of each, and its text."""
    if not isinstance(features, list):
        return []
    lines = []
    for one in features:
        if not isinstance(one, dict):
            continue
        title, details = _text(one.get("title")), _text(one.get("details"))
        icon = _text(one.get("icon"))
        icon = f"{icon} " if icon and not re.search(r"[<\w]", icon) else ""
        address, shown = _text(one.get("link")), _text(one.get("linkText"))
        head = f"{icon}**{title}**" if not address or shown else f"{icon}[**{label(title)}**](<{address}>)"
        more = f" [{label(shown)}](<{address}>)" if address and shown else ""
        if title or details:
            rest = f"{details}{more}".strip()
            lines.append(f"- {head if title else icon}".rstrip() + (f"\n\n  {rest}" if rest else ""))
    return [":::features", "\n".join(lines), ":::"] if lines else []
