"""`hero`, `features` and `banner` of Starlight, VitePress, VuePress and Rspress: texts of a first page, written in its front matter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from octavo.content.translate.output import Output, label

if TYPE_CHECKING:
    from octavo.content.source import Fragment

_BARE = re.compile(r"(?![\w+.-]+:)[^./#?]")
"""Begins a link within the site that has neither a slash nor dots in front."""
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
    output = Output(fragment)
    output.write(f"{text}\n\n", 0)
    output.copy(0, len(fragment.text))
    return output.fragment()


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
    blocks = [f"# {name}"] if name and name != _text(front.get("title")) else []
    blocks += [f"**{text}**"] if text and name else [f"# {text}"] if text else []
    blocks += [_text(hero.get("tagline"))] if _text(hero.get("tagline")) else []
    actions = hero.get("actions")
    links = [_link(one) for one in actions if isinstance(one, dict)] if isinstance(actions, list) else []
    blocks += [f":::actions\n\n{' '.join(filter(None, links))}\n\n:::"] if any(links) else []
    blocks += _image(hero.get("image"))
    return ["::::hero", *blocks, "::::"] if blocks else []


def _image(image: object) -> list[str]:
    """Write an image of the site; the first where there is one for each color mode."""
    found = image if isinstance(image, dict) else {"src": image}
    address = next((_text(found[key]) for key in ("file", "src", "light", "dark") if _text(found.get(key))), "")
    is_own = re.match(r"\.{0,2}/(?!/)", address) is not None
    return [f"![{label(_text(found.get('alt')))}](<{address}>)"] if is_own else []


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
