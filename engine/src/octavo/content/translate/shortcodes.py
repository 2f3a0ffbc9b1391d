"""The shortcodes that are known: Hugo's own, and those of Docsy, Book, Hextra, Relearn and Kubernetes."""

from __future__ import annotations

import posixpath
import textwrap
from collections.abc import Callable
from typing import Any

import msgspec

from octavo.content.translate.output import attribute, fenced, label
from octavo.content.translate.surroundings import Surroundings
from octavo.lazy import regex as re


class ShortcodeCall(msgspec.Struct, eq=False):
    """A shortcode as it is used in a page."""

    name: str
    plain: list[str] = []
    named: dict[str, str] = {}
    inner: str = ""
    is_markdown: bool = False
    """It is written with percent signs: its content is Markdown."""
    parent: ShortcodeCall | None = None
    children: list[ShortcodeCall] = []
    bare: frozenset[str | int] = frozenset()
    """Names and places of the arguments that are `true` or `false` without quotes."""
    number: int = 0
    """Its place among those of its name in its parent, from 0."""

    def get(self, *names: str, at: int | None = None) -> str:
        """Give the first of these arguments, or the one at a place among those without a name; else nothing."""
        for name in names:
            if name in self.named:
                return self.named[name]
        return self.plain[at] if at is not None and at < len(self.plain) else ""


class DrawnShortcode(msgspec.Struct, frozen=True):
    """What takes the place of a shortcode."""

    opening: str
    closing: str
    is_block: bool = False
    takes_inner: bool = False
    """`opening` stands for its content as well."""
    is_file: bool = False
    """`opening` is a text with shortcodes of its own, such as that of a file."""


Draw = Callable[[ShortcodeCall, Surroundings], "DrawnShortcode | None"]


def _admonition(kind: str = "", *, title_at: int | None = None) -> Draw:
    def draw(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
        given = call.get("color", "type", "style", "context", at=0 if not kind else None).lower()
        chosen = kind or _KINDS.get(given, "note" if call.name in ("alert", "pageinfo") else "info")
        title = call.get("title", "header", at=title_at)
        head = f":::{chosen}[{label(title)}]" if title else f":::{chosen}"
        # Lotus, Hextra and others have the text in an argument of a mark that has no end.
        text = "" if call.inner.strip() else call.get("text", "content", "body", "message")
        if text:
            return DrawnShortcode(f"{head}\n{text}\n:::", "", is_block=True, is_file="{{" in text)
        return DrawnShortcode(head, ":::", is_block=True)

    return draw


_KINDS = {
    "primary": "note",
    "secondary": "note",
    "note": "note",
    "info": "info",
    "default": "info",
    "success": "tip",
    "tip": "tip",
    "hint": "tip",
    "warning": "warning",
    "caution": "caution",
    "danger": "danger",
    "error": "danger",
    "important": "important",
}


def _details(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
    title = call.get("title", "summary", "header", at=0) or around.word("directive.details")
    is_open = call.get("open") in ("true", "1") or call.get("closed") == "false" or "open" in call.plain[1:]
    return DrawnShortcode(
        f"<details{' open' if is_open else ''}>\n<summary>{label(title)}</summary>\n", "\n</details>", is_block=True
    )


def _tabs(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
    if not any(one.name.rpartition("/")[2] in ("tab", "codetab") for one in call.children):
        return DrawnShortcode("", "", is_block=True)
    return draw_tabs(call, around)


def draw_tabs(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
    """Draw the shortcode around tabs."""
    # A tab that cannot be chosen is a label for the others.
    labels = [f"**{label(one.get('header', 'name', at=0))}**" for one in call.children if _is_label(one)]
    return DrawnShortcode("\n\n".join([*labels, "<Tabs>"]), "</Tabs>", is_block=True)


def _is_label(call: ShortcodeCall) -> bool:
    return call.get("disabled") == "true" and not call.inner.strip() and bool(call.get("header", "name", at=0))


def draw_tab(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
    """Draw a tab; one that is in no group is its label, and its content."""
    parent = call.parent
    if parent is not None and _is_label(call):
        return DrawnShortcode("", "")
    listed = re.split(r"\s*,\s*", parent.get("items")) if parent and parent.get("items") else []
    title = call.get("header", "name", "title", at=0) or (listed[call.number] if call.number < len(listed) else "")
    title = title or f"Tab {call.number + 1}"
    taken = sum(1 for one in parent.children[: parent.children.index(call)] if one.name == call.name) if parent else 0
    opening = f"<TabItem value={attribute(f'{title}-{taken + 1}' if _is_twice(call, title) else title)} label={attribute(title)}>"
    if parent is None:
        return DrawnShortcode(f"**{label(title)}**\n", "", is_block=True)
    is_code = parent.name.endswith("tabpane") and not call.is_markdown
    if is_code and "true" not in (call.get("text"), parent.get("text")):
        language = call.get("lang", at=1) or parent.get("lang")
        code = fenced(textwrap.dedent(call.inner), "" if language == "text" else language)
        return DrawnShortcode(f"{opening}\n\n{code}\n\n</TabItem>", "", is_block=True, takes_inner=True)
    return DrawnShortcode(f"{opening}\n", "\n</TabItem>", is_block=True)


def _is_twice(call: ShortcodeCall, title: str) -> bool:
    others = call.parent.children if call.parent else []
    return sum(1 for one in others if (one.get("header", "name", "title", at=0) or "") == title) > 1


def _highlight(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
    options = call.get("options", at=1)
    lines = re.search(r"hl_lines=\[?[\"']?([\d ,\"'-]+)", options)
    marks = ",".join(re.findall(r"\d+(?:-\d+)?", lines[1])) if lines else ""
    info = call.get("lang", "language", at=0) + (f" {{{marks}}}" if marks else "")
    return DrawnShortcode(fenced(textwrap.dedent(call.inner), info), "", is_block=True, takes_inner=True)


def _fence_of(language: str) -> Draw:
    def draw(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
        return DrawnShortcode(fenced(textwrap.dedent(call.inner), language), "", is_block=True, takes_inner=True)

    return draw


def _prism(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
    """Draw the code of Prism's shortcode in the theme Lotus."""
    marks = re.sub(r"[^\d,-]", "", call.get("line"))
    title = call.get("title")
    info = call.get("lang", "language", at=0) or "text"
    info += (f" {{{marks}}}" if marks else "") + (f" title={attribute(title)}" if title else "")
    return DrawnShortcode(fenced(textwrap.dedent(call.inner), info), "", is_block=True, takes_inner=True)


def _children(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
    """List the pages below this one."""
    return DrawnShortcode("<DocCardList />", "", is_block=True)


def _progress(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    title, value = call.get("title", at=0), call.get("value", at=1)
    return DrawnShortcode(f"**{label(title)}** {value} %", "", is_block=True) if value else None


def _properties(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    """List what a file of `data/properties` describes, as the theme Geekdoc does."""
    found = around.data("properties", call.get("name", at=0))
    properties = found.get("properties") if isinstance(found, dict) else None
    if not isinstance(properties, list):
        return None
    if call.get("sort"):
        properties = sorted(
            properties, key=lambda one: str(one.get(call.get("sort"), "")) if isinstance(one, dict) else ""
        )
        properties = properties[::-1] if call.get("order") == "desc" else properties
    lines: list[str] = []
    for one in properties:
        if not isinstance(one, dict) or not one.get("name"):
            return None
        facts = [str(one["type"])] if one.get("type") else []
        if isinstance(one.get("required"), bool):
            facts.append("required" if one["required"] else "optional")
        if "defaultValue" in one:
            facts.append("default `" + (str(one["defaultValue"]) or '""') + "`")
        text = one.get("description", "")
        text = next(iter(text.values()), "") if isinstance(text, dict) else text
        lines.append(f"**`{one['name']}`** {', '.join(facts)}\n\n{str(text).strip()}\n")
    return DrawnShortcode("\n".join(lines), "", is_block=True)


def _frame_of(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    """Show another page in a frame."""
    source = call.get("src", "url", at=0)
    if not re.match(r"https://[^\s\"<>]+\Z", source):
        return None
    title = call.get("title", "sub") or source
    return DrawnShortcode(f'<iframe src="{source}" title={attribute(title)}></iframe>', "", is_block=True)


def _math(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
    inner = call.inner.strip()
    is_display = "\n" in inner or call.get(at=0) == "display" or "display" in call.named
    return DrawnShortcode(f"$${inner}$$" if is_display else f"${inner}$", "", is_block="\n" in inner, takes_inner=True)


def _figure(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    source = call.get("src", "link", "file", at=0)
    named = _named(call.get("name") or source, around)
    if not source and not named:
        return None
    source = str(named["src"]) if named else _resource(source, around)
    title, caption = call.get("title"), call.get("caption") or call.inner.strip() or str(named.get("title") or "")
    alt = call.get("alt") or caption or title
    image = f"![{label(alt)}](<{source}>)" if " " in source else f"![{label(alt)}]({source})"
    if call.get("link") and call.get("src"):
        image = f"[{image}]({call.get('link')})"
    below = " ".join(part for part in (f"**{title}**" if title else "", caption, _attribution(call)) if part)
    text = f"{image}\n\n{below}\n" if below else image
    return DrawnShortcode(text, "", is_block=bool(below), takes_inner=True)


def _attribution(call: ShortcodeCall) -> str:
    text, href = call.get("attr"), call.get("attrlink")
    return f"[{text or href}]({href})" if href else text


def _named(name: str, around: Surroundings) -> dict[str, Any]:
    """Give the file of the page that its front matter has under a name (`resources`); an empty table where there is none."""
    given = around.front.get("resources")
    found = (one for one in given if isinstance(one, dict)) if isinstance(given, list) else iter(())
    return next((one for one in found if name and str(one.get("name")) == name and isinstance(one.get("src"), str)), {})


def _resource(source: str, around: Surroundings) -> str:
    """Name a file that lies with the page; a pattern stands for one that begins so."""
    if "*" not in source and posixpath.splitext(source)[1]:
        return source
    return next((f"{source.strip('*')}.{end}" for end in _IMAGES if around.read(f"{source.strip('*')}.{end}")), source)


_IMAGES = ("png", "jpg", "svg", "webp", "gif", "jpeg")


def _reference(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    target = call.get("path", "ref", "page", at=0)
    return DrawnShortcode(around.page(target), "") if target else None


def _param(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    value = around.value(call.get("name", at=0))
    return None if value is None else DrawnShortcode(value, "")


def _video(host: str) -> Draw:
    addresses = {"youtube": "https://www.youtube-nocookie.com/embed/", "vimeo": "https://player.vimeo.com/video/"}

    def draw(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
        name = call.get("id", at=0)
        title = call.get("title") or ("Video on YouTube" if host == "youtube" else "Video on Vimeo")
        if not re.fullmatch(r"[\w-]+(?:\?[\w=&%-]*)?", name):
            return None
        frame = f'<iframe src="{addresses[host]}{name}" title={attribute(title)} allowfullscreen></iframe>'
        return DrawnShortcode(frame, "", is_block=True)

    return draw


def _elsewhere(write: Callable[[ShortcodeCall], str]) -> Draw:
    """Link to what a shortcode would show from another site."""

    def draw(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
        address = write(call)
        return DrawnShortcode(f"<{address}>", "") if address and " " not in address else None

    return draw


def _gist(call: ShortcodeCall) -> str:
    return f"https://gist.github.com/{call.get(at=0)}/{call.get(at=1)}" if len(call.plain) > 1 else ""


def _tweet(call: ShortcodeCall) -> str:
    name, number = call.get("user"), call.get("id", at=0)
    return f"https://x.com/{name or 'i/status'}{'/status' if name else ''}/{number}" if number else ""


def _configuration(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    """Write settings, which the documentation of Hugo and of its themes shows in three formats, in the one that is written."""
    text = textwrap.dedent(call.inner).strip("\n")
    if not text.strip():
        return None
    first = text.lstrip()[:1]
    language = (
        "json" if first == "{" else "toml" if re.search(r"^\s*(?:\[|[\w.'\"-]+\s*=)", text, re.MULTILINE) else "yaml"
    )
    file = call.get("file")
    name = f"{file}.{language}" if file and "." not in posixpath.basename(file) else file
    title = f" title={attribute(name)}" if name else ""
    return DrawnShortcode(fenced(text, f"{language}{title}"), "", is_block=True, takes_inner=True)


def _read_file(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    path = call.get("file", "path", at=0)
    # Snippets that pages share often lie in Hugo's folder of assets.
    found = (around.read(path) or around.read(f"/assets/{path.lstrip('/')}")) if path else None
    if found is None:
        return None
    text = found[1].replace("\r\n", "\n")
    if call.get("code") == "true" or call.get("lang") or call.name in ("code", "codefile", "code_sample", "codenew"):
        language = call.get("lang", "language") or posixpath.splitext(path)[1].lstrip(".")
        return DrawnShortcode(fenced(text, language), "", is_block=True)
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    return DrawnShortcode(text.strip("\n"), "", is_block=True, is_file=True)


def _button(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    named, plain = call.get("href", "link", "url", "to"), call.get("relref", "ref")
    href = around.page(plain) if plain and not named else named or call.get(at=0)
    if not href:
        return None
    if text := call.get("text", "label", "content") or ("" if call.inner.strip() else href):
        return DrawnShortcode(f"[{label(text)}]({href})", "")
    return DrawnShortcode("[", f"]({href})")


def _card(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
    title, href = call.get("title", "header"), call.get("link", "href", "url")
    above = call.get("header") if call.get("title") else ""
    relref = call.get("relref", "ref")
    href = around.page(relref) if relref else href
    words = (above, call.get("subtitle", "description"), call.get("footer"), call.get("tag"))
    below = " ".join(filter(None, words))
    if href and title and not call.inner.strip():
        more = f" description={attribute(below)}" if below else ""
        return DrawnShortcode(f"<LinkCard href={attribute(href)} title={attribute(title)}{more} />", "", is_block=True)
    head = f" title={attribute(f'[{label(title)}]({href})' if href else title)}" if title or href else ""
    image = call.get("image")
    picture = f"\n![{label(title)}]({image})\n" if image else ""
    return DrawnShortcode(f"<Card{head}>\n{picture}" + (f"\n{below}\n" if below else ""), "\n</Card>", is_block=True)


def _frame(name: str) -> Draw:
    def draw(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
        if not call.inner.strip():
            return DrawnShortcode("", "")
        return DrawnShortcode(f"<{name}>\n", f"\n</{name}>", is_block=True)

    return draw


def _content(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
    """Keep what a shortcode for looks holds, below its title where it has one."""
    title, href = call.get("title", "header"), call.get("url") if call.name.endswith("feature") else ""
    more = f"\n[{label(call.get('url_text') or title or href)}]({href})\n" if href else ""
    return DrawnShortcode(f"**{label(title)}**\n" if title else "", more, is_block=bool(title or more))


def _nothing(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
    return DrawnShortcode("", "")


def _comment(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
    return DrawnShortcode("", "", takes_inner=True)


def _badge(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    text, href = call.get("content", "text", "title", at=0), call.get("link")
    if not text:
        return DrawnShortcode("", "") if call.inner.strip() else None
    shown = f"<Badge text={attribute(text)} />"
    return DrawnShortcode(f"[{shown}]({href})" if href else shown, "")


def _tree_line(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode:
    depth, parent = 0, call.parent
    while parent is not None and parent.name.endswith("folder"):
        depth, parent = depth + 1, parent.parent
    name = call.get("name", at=0) + ("/" if call.name.endswith("folder") else "")
    return DrawnShortcode(f"{'  ' * depth}- `{name}`", "", is_block=True)


def _glossary(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    text = call.get("text") or call.get("term_id", at=0).replace("-", " ")
    return DrawnShortcode(text, "") if text else None


def _term(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    text, title = call.get("term", "entry", "text", at=0), call.get("title")
    return DrawnShortcode(f"<abbr title={attribute(title)}>{text}</abbr>" if title else text, "") if text else None


def _file_link(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    """Link to a file that a shortcode would show in a viewer of its own."""
    path = call.get("src", "file", "cast", "url", at=0)
    if named := _named(call.get("name") or path, around):
        path = str(named["src"])
    return DrawnShortcode(f"[{label(posixpath.basename(path))}](<{path}>)", "") if path else None


def _feature_state(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    version, state = call.get("for_k8s_version"), call.get("state")
    return DrawnShortcode(f"**{version} [{state}]**", "", is_block=True) if version and state else None


def _heading(call: ShortcodeCall, around: Surroundings) -> DrawnShortcode | None:
    texts = {
        "whatsnext": "What's next",
        "prerequisites": "Before you begin",
        "objectives": "Objectives",
        "cleanup": "Clean up",
        "options": "Options",
        "seealso": "See also",
        "synopsis": "Synopsis",
    }
    text = texts.get(call.get(at=0).strip("\"'"))
    return DrawnShortcode(text, "") if text else None


SHORTCODES: dict[str, Draw] = {
    **dict.fromkeys(("alert", "hint", "callout", "notice", "admonition", "pageinfo", "box"), _admonition()),
    **{
        kind: _admonition(kind, title_at=0)
        for kind in ("note", "tip", "info", "warning", "caution", "danger", "important")
    },
    "attention": _admonition("warning"),
    "notice": _admonition(title_at=1),
    **dict.fromkeys(("details", "expand", "collapse", "collapsible", "spoiler", "accordion"), _details),
    **dict.fromkeys(("tabs", "tabpane", "tabgroup", "codetabs", "code-tabs"), _tabs),
    **dict.fromkeys(("tab", "codetab"), draw_tab),
    "highlight": _highlight,
    "code-toggle": _configuration,
    "prism": _prism,
    **dict.fromkeys(("children", "toc-tree", "childpages"), _children),
    "progress": _progress,
    "propertylist": _properties,
    "iframe": _frame_of,
    "mermaid": _fence_of("mermaid"),
    **dict.fromkeys(("katex", "math"), _math),
    **dict.fromkeys(("figure", "image", "img", "imgproc", "picture"), _figure),
    **dict.fromkeys(("ref", "relref", "siteref", "link-hextra"), _reference),
    **dict.fromkeys(("param", "siteparam", "_param"), _param),
    "youtube": _video("youtube"),
    "vimeo": _video("vimeo"),
    "gist": _elsewhere(_gist),
    **dict.fromkeys(("tweet", "x", "twitter"), _elsewhere(_tweet)),
    "instagram": _elsewhere(lambda call: f"https://www.instagram.com/p/{call.get(at=0)}/"),
    **dict.fromkeys(
        ("readfile", "include", "reuse", "snippet", "code", "codefile", "code_sample", "codenew"), _read_file
    ),
    **dict.fromkeys(("button", "button-link", "link-button"), _button),
    **dict.fromkeys(("card", "link-card", "feature-card", "hero-card"), _card),
    **dict.fromkeys(("cards", "cardpane", "card-grid", "feature-grid"), _frame("CardGrid")),
    "steps": _frame("Steps"),
    "badge": _badge,
    "icon": _nothing,
    **dict.fromkeys(("folder", "file"), _tree_line),
    **dict.fromkeys(("columns", "column", "col", "row", "container", "section", "lead", "cover", "feature"), _content),
    **dict.fromkeys(
        (
            "div",
            "center",
            "wrapper",
            "wrap",
            "kbd",
            "small",
            "lead",
            "grid",
            "centered",
            "link-down",
            "html",
            "rawhtml",
            "unsafe",
            "table",
        ),
        _content,
    ),
    **dict.fromkeys(("toc", "br", "clear", "anchor"), _nothing),
    "comment": _comment,
    **dict.fromkeys(("glossary_tooltip", "glossary-tooltip"), _glossary),
    **dict.fromkeys(("hero-badge", "hero-headline", "hero-subtitle", "hero-container", "hero-section"), _content),
    "hero-button": _button,
    **dict.fromkeys(("term", "abbr"), _term),
    **dict.fromkeys(
        ("pdf", "asciinema", "audio", "video", "swagger", "swaggerui", "redoc", "openapi", "jupyter"), _file_link
    ),
    "feature-state": _feature_state,
    "heading": _heading,
}
"""Name, or what follows the last slash of it → how it is drawn."""
BLOCK: frozenset[Draw] = frozenset({draw_tabs, *SHORTCODES.values()}) - {_reference, _param, _glossary, _read_file}
"""Those that mean nothing inside of code."""
TABS: frozenset[Draw] = frozenset({_tabs, draw_tabs, draw_tab})
"""Those of groups of tabs."""
