"""Components of other engines: those of Starlight, VitePress, Rspress, Nextra and Mintlify, and the listings of mdBook.

They are known where the dialect of a file has the extension of their engine, and need no import there.
"""

from __future__ import annotations

import json
import posixpath
from html import unescape
from typing import TYPE_CHECKING, Any

from octavo.content.code.blocks import draw_for_managers
from octavo.content.document import SLOT
from octavo.content.escape import escape, escape_attribute
from octavo.content.html_names import refresh_address, refresh_finding, refresh_tag
from octavo.content.render.nodes.admonitions import draw_admonition
from octavo.content.render.nodes.cards import draw_card
from octavo.content.render.nodes.icons import draw_named_icon
from octavo.content.render.nodes.jsx_themes import JSX_THEMES
from octavo.content.render.nodes.partials import draw_partial
from octavo.content.render.nodes.parts import (
    Draw,
    draw_children,
    draw_inline,
    draw_linked,
    draw_panel,
    make_frame,
    text_of,
)
from octavo.content.render.nodes.tabs import draw_group
from octavo.content.render.raw_html import report_missing_alt
from octavo.content.render.unwrap import unwrap
from octavo.content.scan.expressions import NotLiteralError
from octavo.content.scan.jsx import Tag, parse_expression, parse_tag
from octavo.content.scan.jsx_html import with_mode
from octavo.content.scan.nodes import MARK, Admonition, Element, Value
from octavo.content.scan.scope import Content
from octavo.content.source import Fragment
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer

_DATA_SCRIPT = re.compile(
    r"""<script\b(?=[^<>]*\btype\s*=\s*["']application/ld\+json["'])[^<>]*>(?P<data>.*?)</script\s*>""", re.DOTALL
)
_WRITTEN = re.compile(r"\{\s*JSON\.stringify\((?P<value>.*)\)\s*\}", re.DOTALL)
_EMPTY = re.compile(r"\s*(?:\{/\*.*?\*/\}\s*)*", re.DOTALL)
_WITHOUT_READERS = re.compile(
    r"""<meta\b(?=[^<>]*\b(?:name=["'](?:docsearch|algolia|viewport|generator|theme-color|msapplication)|charSet=|charset=))[^<>]*?/?>(?:\s*</meta\s*>)?""",
    re.IGNORECASE,
)
"""What a page tells the old engine, or its search, about itself: it has no effect here, and none for readers."""
_VIDEO_ID = re.compile(r"(?:\A|[=/])([\w-]{6,})(?:[?&#][^/]*)?\Z")
"""The last part of an address, or the id itself."""


def draw_foreign(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw a component of another engine.

    Args:
        node: Its name is in `FOREIGN_COMPONENTS`.
        renderer: Of the fragment with its placeholder.
        content: HTML of its children, where it is inside a line.
    """
    renderer.context.is_blank = False
    return _DRAW[node.name](node, renderer, content)


def _link_card(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    if not isinstance(node.attributes.get("href"), str):
        return draw_panel(node, renderer, None)
    return draw_card(node, renderer)


def _aside(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    kind, title = text_of(node, "type") or "note", text_of(node, "title")
    source = renderer.fragment.source
    head = Fragment(source, title, [0], [node.offset]) if title else None
    if content is not None or node.body is None:
        body, markdown = draw_children(node, renderer, content)
        return f'<div class="panel">{escape(title)} {body}</div>', f"{title} {markdown}"
    return draw_admonition(Admonition(kind, head, None, node.offset, node.body, icon=text_of(node, "icon")), renderer)


def _link_button(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    button, markdown = draw_linked(node, renderer, content, text_of(node, "href", "link"), "button-link")
    icon = draw_named_icon(text_of(node, "icon"), node, renderer) if text_of(node, "icon") else ""
    if not icon or not button.endswith("</a>"):
        return button, markdown
    opening, label = button.removesuffix("</a>").split(">", 1)
    # As in Starlight: after the label, unless the author sets another placement.
    label = f"{icon} {label}" if text_of(node, "iconPlacement") == "start" else f"{label} {icon}"
    return f"{opening}>{label}</a>", markdown


def _badge(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    body, markdown = draw_children(node, renderer, content)
    text = text_of(node, "text")
    if text:
        renderer.context.prose(renderer.kind, text)
        body, markdown = escape(text), text
    return f'<span class="badge">{unwrap(body).strip()}</span>', markdown.strip()


def _nothing(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Leave a picture out; a label of its own is read aloud."""
    label = text_of(node, "label")
    body, markdown = draw_children(node, renderer, content)
    return (f'<span role="img" aria-label="{escape_attribute(label)}"></span>' if label else "") + body, markdown


def _icon(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw the icon that has the same meaning here; one without a counterpart is left out, with a finding."""
    given, label = text_of(node, "name", "icon"), text_of(node, "label")
    drawn = draw_named_icon(given, node, renderer, label=label) if given else ""
    return (drawn, label) if drawn else _nothing(node, renderer, content)


def _make_list_frame(name: str) -> Draw:
    """Make the drawing of a component that frames a list, which Starlight asks for."""
    frame = make_frame(name)

    def draw(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
        html, markdown = frame(node, renderer, content)
        source = renderer.fragment.source
        if "starlight" in source.dialect.extensions and "<ol" not in html and "<ul" not in html and SLOT not in html:
            message = f'"<{node.name}>" contains no list.'
            hint = (
                "Write a numbered list."
                if name == "steps"
                else "Write a list of files, with those of a folder below it."
            )
            renderer.context.report("warn", "empty-block", message, source, node.offset, suggestion=hint)
        return html, markdown

    return draw


def _listing(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw a listing of mdBook: a block of code with its file, number and caption."""
    file, number, caption = (text_of(node, name) for name in ("file-name", "number", "caption"))
    name, _ = draw_inline(f"Filename: {file}", node, renderer) if file else ("", "")
    body, markdown = draw_children(node, renderer, content)
    head = f'<p class="listing-file">{name}</p>' if name else ""
    label = ": ".join(part for part in (f"Listing {number}" if number else "", caption) if part)
    if file:
        markdown = f"Filename: {file}\n\n{markdown.strip()}"
    if not label:
        return f"{head}{body}", markdown.strip("\n")
    shown, _ = draw_inline(label, node, renderer)
    anchor = f"listing-{number}" if number else ""
    if anchor:
        renderer.context.anchors.append(anchor)
    own = f' id="{escape_attribute(anchor)}"' if anchor else ""
    html = f'<figure class="listing"{own}>{head}{body}<figcaption>{shown}</figcaption></figure>'
    return html, f"{markdown.strip()}\n\n{label}"


def _link(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw the link of Docusaurus."""
    return draw_linked(node, renderer, content, text_of(node, "to", "href"), text_of(node, "className", "class"))


def _image(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw the image of Astro, of Fumadocs, or of Docusaurus' plug-in for images; one without an address holds its image."""
    href, alt = text_of(node, "src", "img"), text_of(node, "alt")
    if not href:
        return draw_children(node, renderer, content)
    numbers = {key: node.attributes[key] for key in ("width", "height") if isinstance(node.attributes.get(key), int)}
    if node.attributes.get("alt") is None:
        report_missing_alt(renderer.context, renderer.fragment, node.offset, href)
    classes = text_of(node, "className", "class")
    size = "".join(f' {key}="{value}"' for key, value in numbers.items())
    size += f' class="{escape_attribute(with_mode(classes))}"' if classes else ""
    title = text_of(node, "title")
    size += f' title="{escape_attribute(title)}"' if title else ""
    tag = f'<img src="{escape_attribute(href)}" alt="{escape_attribute(alt)}"{size} loading="lazy" decoding="async">'
    return renderer.opening_tag(tag, node.offset), f"![{alt}]({href})"


def _details(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    body, markdown = draw_children(node, renderer, content)
    summary = text_of(node, "summary")
    return f"<details><summary>{escape(summary)}</summary>{body}</details>", f"**{summary}**\n\n{markdown.strip()}"


def _make_video(address: str, title: str) -> Draw:
    def draw(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
        given = text_of(node, "id", "videoId", "src")
        match = _VIDEO_ID.search(given)
        if match is None:
            return "", ""
        shown = text_of(node, "title") or title
        frame = f'<iframe src="{address}{match[1]}" title="{escape_attribute(shown)}" loading="lazy" allowfullscreen></iframe>'
        return frame, f"[{shown}]({address}{match[1]})"

    return draw


def _head(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw the structured data that a page of Docusaurus puts into its head, and take over what it says for search engines."""
    nodes = renderer.scope.nodes
    text = node.body.text if node.body is not None else ""
    text = MARK.sub(lambda mark: one.text if isinstance(one := nodes[int(mark[1])], Value) else mark[0], text)
    drawn: list[str] = []

    def taken(match: re.Match[str]) -> str:
        value = _read_data(match["data"].strip(), renderer.scope.props)
        if not isinstance(value, (dict, list)):
            return match[0]
        written = json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
        drawn.append(f'<script type="application/ld+json">{written}</script>')
        return ""

    left = _take_head(
        _WITHOUT_READERS.sub("", _DATA_SCRIPT.sub(taken, text)), renderer.scope.props, renderer.context.metas
    )
    if (sent := refresh_tag(left)) and (href := refresh_address(unescape(sent["content"]))):
        left = left.replace(sent[0], "")
        opening = renderer.opening_tag(f'<a href="{escape_attribute(href)}">', node.offset)
        drawn.append(f"<p>{opening}{escape(href)}</a></p>")
        message, hint = refresh_finding(f'"<{node.name}>"', href)
        renderer.context.report(
            "warn", "foreign-syntax", message, renderer.fragment.source, node.offset, suggestion=hint
        )
    if _EMPTY.fullmatch(left) is None:
        message = f'A part of "<{node.name}>" is left out: "{" ".join(left.split())[:80]}".'
        hint = "Its title, its canonical address and tags of search engines are read; scripts and styles belong into the settings."
        source = renderer.fragment.source
        renderer.context.report("warn", "foreign-syntax", message, source, node.offset, suggestion=hint)
    return "".join(drawn), ""


_HEAD_TAG = re.compile(r"<(?:title|meta|link)\b")
_HEAD_END = {
    "title": re.compile(r"(?P<text>[^<>]*)</title\s*>"),
    "meta": re.compile(r"\s*</meta\s*>"),
    "link": re.compile(r"\s*</link\s*>"),
}
_OF_THE_BROWSER = frozenset(["viewport", "referrer", "color-scheme", "theme-color"])
"""Tags that change how a browser treats the whole site."""
_LONGEST_SAID = 5_000
_ADDRESS = re.compile(r"https?://\S+\Z|/(?!/)\S*\Z")


def _take_head(text: str, props: dict[str, Any], metas: dict[str, str]) -> str:
    """Take the title, the canonical address and the tags for search engines and previews out of a head.

    Args:
        text: What the head holds.
        props: Values that its expressions may name.
        metas: What is taken is added here: name of a tag → content; `title` and `canonical` stand for those.

    Returns:
        What is left.
    """
    left, place = [], 0
    for match in _HEAD_TAG.finditer(text):
        tag = parse_tag(text, match.start(), props) if match.start() >= place else None
        if tag is None or tag.bad or tag.missing:
            continue
        rest = None if tag.is_self_closing else _HEAD_END[tag.name].match(text, tag.end)
        found = _said(tag, rest["text"] if rest is not None and tag.name == "title" else "", props)
        if found is None or len(found[1]) > _LONGEST_SAID:
            continue
        metas[found[0]] = found[1]
        left.append(text[place : match.start()])
        place = rest.end() if rest is not None else tag.end
    return "".join([*left, text[place:]])


def _said(tag: Tag, inner: str, props: dict[str, Any]) -> tuple[str, str] | None:
    """Give the name and the content of a tag; None where it is not for search engines and previews."""
    given = tag.attributes
    if tag.name == "title":
        text = _title_text(inner, props)
        return ("title", text) if text else None
    if tag.name == "link":
        address = given.get("href")
        is_known = given.get("rel") == "canonical" and isinstance(address, str) and _ADDRESS.match(address)
        return ("canonical", str(address)) if is_known else None
    name, content = given.get("name", given.get("property")), given.get("content")
    if not isinstance(name, str) or not isinstance(content, (str, int, float)) or set(given) - _SAID_BY:
        return None
    name = name.strip().lower()
    return None if name in _OF_THE_BROWSER or not re.fullmatch(r"[a-z][\w:.-]*", name) else (name, str(content))


_SAID_BY = frozenset(["name", "property", "content", "key", "id", "data-rh"])


def _title_text(inner: str, props: dict[str, Any]) -> str:
    """Give the text of a title; empty where a program computes it."""
    text = inner.strip()
    while (at := text.find("{")) >= 0:
        try:
            value, end = parse_expression(text, at, props)
        except NotLiteralError:
            return ""
        if not isinstance(value, (str, int, float)) or "{" in str(value):
            return ""
        text = f"{text[:at]}{value}{text[end:]}"
    return " ".join(text.split())


def _read_data(data: str, props: dict[str, Any]) -> object:
    """Read JSON, or the literal of a program that stands for it; None for anything else."""
    try:
        if match := _WRITTEN.fullmatch(data):
            return parse_expression(f"{{{match['value']}}}", 0, props)[0]
        if data.startswith("{`"):
            data = str(parse_expression(data, 0, props)[0])
        return json.loads(data)
    except (NotLiteralError, ValueError, RecursionError):
        return None


_NPM = {
    "add": "npm install{dev} {pkg}{args}",
    "create": "npm create {pkg}{args}",
    "dlx": "npx {pkg}{args}",
    "exec": "npx {pkg}{args}",
    "install": "npm install{args}",
    "remove": "npm uninstall {pkg}{args}",
    "run": "npm run{args}",
}
"""Kind of `<PackageManagers>` → the command of npm."""


def _package_managers(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    del content  # the component has attributes only
    given = {name: text_of(node, name) for name in ("pkg", "args")}
    pattern = _NPM.get(text_of(node, "type") or "add", _NPM["add"])
    args = f" {given['args']}" if given["args"] else ""
    command = pattern.format(pkg=given["pkg"], args=args, dev=" -D" if "dev" in node.attributes else "").rstrip()
    before, comment = text_of(node, "prefix"), text_of(node, "comment")
    command = f"{before} {command}" if before else command
    # A comment may name the package manager, as `{PKG}`.
    return _draw_command(f"# {comment}\n{command}" if comment else command, node, renderer)


def _package_manager_tabs(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw a command of Rspress: `add name` for all package managers, or one for each of them."""
    del content  # the component has attributes only
    given = node.attributes.get("command")
    if isinstance(given, dict):
        return _draw_commands({str(key): str(value) for key, value in given.items()}, node, renderer)
    words = (given if isinstance(given, str) else "").split()
    if words and words[0] in ("dlx", "exec"):
        words = ["npx", *words[1:]]
    elif words and words[0] not in ("npm", "npx", "pnpm", "yarn", "bun", "bunx"):
        words = ["npm", "install" if words[0] == "add" else words[0], *words[1:]]
    return _draw_command(" ".join(words), node, renderer) if words else ("", "")


def _source_code(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw the link to the source of what a page of Rspress describes."""
    del content  # the component has an address only
    href = text_of(node, "href")
    if not href:
        return "", ""
    shown, markdown = draw_inline(f"[Source]({href})", node, renderer)
    return f"<p>{shown}</p>", markdown


def _draw_commands(commands: dict[str, str], node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw commands that the author gives for each package manager."""
    source = renderer.fragment.source
    items = [
        Element(
            "TabItem", {"label": manager}, node.offset, Fragment(source, f"```sh\n{command}\n```\n", [0], [node.offset])
        )
        for manager, command in commands.items()
    ]
    return draw_group(items, renderer) if items else ("", "")


def _draw_command(command: str, node: Element, renderer: NodeRenderer) -> tuple[str, str]:
    """Draw a command of npm, and what it is for other package managers."""
    drawn = draw_for_managers(renderer.context, "sh npm2yarn", f"{command}\n", renderer.fragment.source, node.offset)
    return drawn, f"```sh\n{command}\n```"


def _snippet(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw the file in the folder `snippets`, or `_snippets` of older sites, that an attribute of Mintlify names."""
    given = text_of(node, "file").lstrip("/")
    files = [posixpath.normpath(posixpath.join(folder, given)) for folder in ("snippets", "_snippets")]
    file = next((one for one in files if renderer.context.read(one) is not None), files[0])
    props = {name: value for name, value in node.attributes.items() if name != "file"}
    named = Element(f"Snippet {file}", props, node.offset, node.body)
    renderer.scope.imports[named.name] = file
    return draw_partial(named, renderer, content)


def _card_of_hope(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
    """Draw the card of VuePress' theme Hope, which is a link."""
    names = {"desc": "description", "link": "href"}
    attributes = {names.get(name, name): value for name, value in node.attributes.items() if name != "logo"}
    return _link_card(Element("LinkCard", attributes, node.offset, node.body), renderer, content)


def _of_nuxt(name: str) -> Draw:
    """Make the drawing of a component of Nuxt UI, which has its label and its address in attributes."""
    names = {"to": "href", "label": "text"}

    def draw(node: Element, renderer: NodeRenderer, content: Content | None) -> tuple[str, str]:
        attributes = {names.get(key, key): value for key, value in node.attributes.items()}
        own = Element(name, {**attributes, "iconPlacement": "start"}, node.offset, node.body)
        if node.body is None and content is None:
            label = text_of(own, "text")
            content = Content(html=escape(label), markdown=label)
        return _DRAW[name](own, renderer, content)

    return draw


_DRAW: dict[str, Draw] = {
    **JSX_THEMES,
    "Card": draw_panel,
    "CardGrid": make_frame("panels"),
    "LinkCard": _link_card,
    "LinkButton": _link_button,
    "Aside": _aside,
    "Steps": _make_list_frame("steps"),
    "FileTree": _make_list_frame("file-tree"),
    "Icon": _icon,
    "Badge": _badge,
    "ClientOnly": draw_children,
    "Details": _details,
    "Fragment": draw_children,
    "Head": _head,
    "Image": _image,
    "ImageZoom": _image,
    "Link": _link,
    "Listing": _listing,
    "NoSSR": draw_children,
    "PackageManagers": _package_managers,
    "PackageManagerTabs": _package_manager_tabs,
    "Snippet": _snippet,
    "SourceCode": _source_code,
    "OutboundLink": _nothing,
    "RouterLink": _link,
    "TOC": _nothing,
    "UBadge": _of_nuxt("Badge"),
    "UButton": _of_nuxt("LinkButton"),
    "UIcon": _icon,
    "VPCard": _card_of_hope,
    "Vimeo": _make_video("https://player.vimeo.com/video/", "Video on Vimeo"),
    "YouTube": _make_video("https://www.youtube-nocookie.com/embed/", "Video on YouTube"),
}
