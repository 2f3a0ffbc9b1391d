"""Blocks of HTML as Markdown: what programs read instead of an author's tags."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

import msgspec

from octavo.content.html_names import VOID, is_element
from octavo.content.source import MARK_CLOSE, MARK_OPEN
from octavo.lazy import regex as re

TAG = re.compile(r"""<(/?)([A-Za-z][\w:.-]*)((?:[^<>"']++|"[^"]*+"|'[^']*+')*)>""")
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?""")
_PIECE = re.compile(rf"<\?{MARK_OPEN}[0-9]+{MARK_CLOSE}\?>|{MARK_OPEN}[0-9]+{MARK_CLOSE}")
_MOST_BROKEN = 50
"""Angle brackets that do not start a tag, after which the rest is text: keeps hostile input cheap."""
_DEEPEST = 100
"""Elements within elements; those further inside are written beside each other."""
_SPACES = re.compile(r"\s+")
_LINE_SPACES = re.compile(r"(?<=[ \n]) +")
_SPECIAL = re.compile(r"[\\`*\[\]<]|(?<!\w)_|_(?!\w)")
_LINE_START = re.compile(r"(?m)^(?=(?:[-+#>]|~~~|={3,}|\|))|^(\d{1,9})(?=[.)](?:\s|$))")

STRONG = frozenset({"strong", "b"})
EMPHASIS = frozenset({"em", "i", "cite", "dfn", "var"})
STRUCK = frozenset({"del", "s", "strike"})
CODE = frozenset({"code", "kbd", "samp", "tt"})
KEPT = frozenset({"sub", "sup"})
"""Markdown has no form for them, and without them "x²" would read as "x2"."""
HIDDEN = frozenset({"script", "style", "template", "svg", "head", "object", "canvas", "datalist", "colgroup"})
FRAMES = frozenset({"iframe", "video", "audio", "embed"})
_VERBATIM = frozenset({"script", "style"})
_ENDED_BY = {
    "li": frozenset({"li"}),
    "p": frozenset({"p"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "tr": frozenset({"tr", "td", "th"}),
    "td": frozenset({"td", "th"}),
    "th": frozenset({"td", "th"}),
    "option": frozenset({"option"}),
}
"""Opening tag → open elements that HTML closes before it."""
_SCOPES = frozenset({"ul", "ol", "dl", "table", "td", "th", "blockquote", "div", "details", "figure"})
BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "html",
        "legend",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "search",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
        "caption",
        "optgroup",
        "option",
    ]
)


_BREAK = "\\\n"


class HtmlElement(msgspec.Struct):
    """An element and what is in it."""

    name: str
    attributes: dict[str, str] = {}
    children: list[HtmlElement | str] = []
    is_closed: bool = True


def attributes_of(text: str) -> dict[str, str]:
    """Read the attributes of a tag."""
    return {key.lower(): html.unescape(value.strip("\"'")) for key, value in _ATTRIBUTE.findall(text)}


def html_as_markdown(text: str) -> str:
    """Write a block of HTML as Markdown.

    Lifted pieces in it stay where they are. Elements that it leaves open, and end tags without a start, add nothing to
    their content.
    """
    return "\n\n".join(_blocks(_parse(text)))


def escape_text(text: str) -> str:
    """Escape what Markdown would take for markup."""
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", text)


def fenced(code: str, language: str = "") -> str:
    """Write a block of code."""
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}{language}\n{code}\n{fence}"


def in_ticks(code: str) -> str:
    """Write code within a line."""
    ticks = "`"
    while ticks in code:
        ticks += "`"
    space = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{ticks}{space}{code}{space}{ticks}"


def link(label: str, href: str, title: str = "", *, is_image: bool = False) -> str:
    """Write a link or an image."""
    target = f"<{href}>" if re.search(r"[\s()]", href) else href
    named = f' "{title}"'.replace("\n", " ") if title and '"' not in title else ""
    return f"{'!' if is_image else ''}[{label}]({target}{named})"


def image(attributes: dict[str, str]) -> str:
    """Write an image; empty where it has no address, or is a decoration."""
    src = attributes.get("src", "") if attributes.get("alt") != "" else ""
    return link(escape_text(attributes.get("alt", "")), src, attributes.get("title", ""), is_image=True) if src else ""


def frame(name: str, attributes: dict[str, str]) -> str:
    """Write a film, a sound or another page as a link; empty where it has no address."""
    src = attributes.get("src", "")
    return link(escape_text(attributes.get("title") or attributes.get("aria-label") or name), src) if src else ""


def _parse(text: str) -> HtmlElement:
    root = HtmlElement("")
    open_: list[HtmlElement] = [root]
    position = broken = 0
    while (start := text.find("<", position)) >= 0 and broken < _MOST_BROKEN:
        _add_text(open_[-1], text[position:start])
        if text.startswith("<!--", start):
            end = text.find("-->", start + 4)
            position = end + 3 if end >= 0 else len(text)
        elif piece := _PIECE.match(text, start):
            open_[-1].children.append(piece[0])
            position = piece.end()
        elif (match := TAG.match(text, start)) and is_element(match[2]):
            position = match.end()
            _add_tag(match, open_)
            name = match[2].lower()
            if name in _VERBATIM and not match[1]:
                found = re.compile(f"</{name}", re.IGNORECASE).search(text, position)
                position = found.start() if found else len(text)
        elif text.startswith(("<!", "<?"), start):
            end = text.find(">", start)
            position = end + 1 if end >= 0 else len(text)
        else:
            _add_text(open_[-1], "<")
            position, broken = start + 1, broken + 1
    _add_text(open_[-1], text[position:])
    for element in open_[1:]:
        element.is_closed = False
    return root


def _add_text(parent: HtmlElement, text: str) -> None:
    position = 0
    for piece in _PIECE.finditer(text):
        if piece.start() > position:
            parent.children.append(html.unescape(text[position : piece.start()]))
        parent.children.append(piece[0])
        position = piece.end()
    if position < len(text):
        parent.children.append(html.unescape(text[position:]))


def _add_tag(match: re.Match[str], open_: list[HtmlElement]) -> None:
    name = match[2].lower()
    if match[1]:
        index = next((i for i in range(len(open_) - 1, 0, -1) if open_[i].name == name), 0)
        if index:
            del open_[index:]
        return
    ended = _ENDED_BY.get(name, frozenset())
    while ended and (index := _implied_end(open_, ended)):
        del open_[index:]
    element = HtmlElement(name, attributes_of(match[3]))
    open_[-1].children.append(element)
    if name not in VOID and not match[3].rstrip().endswith("/") and len(open_) < _DEEPEST:
        open_.append(element)


def _implied_end(open_: Sequence[HtmlElement], names: frozenset[str]) -> int:
    """Find the innermost open element that the next one closes; 0 where there is none in its own list or table."""
    for index in range(len(open_) - 1, 0, -1):
        if open_[index].name in names:
            return index
        if open_[index].name in _SCOPES:
            return 0
    return 0


def _blocks(element: HtmlElement) -> list[str]:
    """Write the content of an element as blocks."""
    blocks: list[str] = []
    line: list[HtmlElement | str] = []

    def flush() -> None:
        text = _starting_line(_inline(line).strip())
        if text:
            blocks.append(text)
        line.clear()

    for child in element.children:
        if isinstance(child, HtmlElement) and (
            child.name in BLOCKS or (_holds_block(child) and child.name not in HIDDEN)
        ):
            flush()
            blocks.extend(filter(None, _block(child)))
        else:
            line.append(child)
    flush()
    return blocks


def _holds_block(element: HtmlElement) -> bool:
    return any(
        isinstance(child, HtmlElement) and (child.name in BLOCKS or _holds_block(child)) for child in element.children
    )


def _block(element: HtmlElement) -> list[str]:
    name = element.name
    if "hidden" in element.attributes:
        return []
    if len(name) == 2 and name[0] == "h" and name[1].isdigit():
        text = _inline(element.children).strip().replace(_BREAK, " ")
        return [f"{'#' * int(name[1])} {text}"] if text else []
    if name == "hr":
        return ["---"]
    if name == "pre":
        return [_preformatted(element)]
    if name in ("summary", "dt", "legend", "caption"):
        text = _inline(element.children).strip()
        return [text if text.startswith("**") else f"**{text}**"] if text else []
    if not element.is_closed:
        return _blocks(element)
    if name in ("ul", "ol", "menu"):
        return [_list(element)]
    if name == "dl":
        return _blocks(element)
    if name == "blockquote":
        lines = "\n\n".join(_blocks(element)).split("\n")
        return ["\n".join(f"> {line}".rstrip() for line in lines)]
    if name == "table":
        return _table(element)
    return _blocks(element)


def _preformatted(element: HtmlElement) -> str:
    inner = [child for child in element.children if isinstance(child, HtmlElement)]
    classes = f"{element.attributes.get('class', '')} {inner[0].attributes.get('class', '') if inner else ''}"
    language = re.search(r"(?:language|lang)-([\w+#-]+)", classes)
    return fenced(_text(element).strip("\n"), language[1] if language else "")


def _text(element: HtmlElement) -> str:
    return "".join(child if isinstance(child, str) else _text(child) for child in element.children)


def _list(element: HtmlElement) -> str:
    number = int(start) if (start := element.attributes.get("start", "")).isdecimal() and len(start) < 9 else 1
    items: list[str] = []
    for child in element.children:
        if isinstance(child, str) and not child.strip():
            continue
        blocks = (
            _blocks(child)
            if isinstance(child, HtmlElement) and child.name == "li"
            else _blocks(HtmlElement("", {}, [child]))
        )
        mark = f"{number}. " if element.name == "ol" else "- "
        number += 1
        is_tight = len(blocks) == 1 or (len(blocks) == 2 and blocks[1].startswith(("- ", "1. ")))
        lines = ("\n" if is_tight else "\n\n").join(blocks).split("\n")
        items.append(
            "\n".join(
                (f"{' ' * len(mark)}{line}" if index else mark + line).rstrip() for index, line in enumerate(lines)
            )
        )
    return "\n".join(items)


def _table(element: HtmlElement) -> list[str]:
    """Write a table with bars; one whose cells hold blocks becomes its cells, one after the other."""
    captions = list(_rows(element, "caption"))
    rows = [
        [cell for cell in row.children if isinstance(cell, HtmlElement) and cell.name in ("td", "th")]
        for row in _rows(element, "tr")
    ]
    above = [block for caption in captions for block in _block(caption)]
    rows = [row for row in rows if row]
    if not rows:
        return above
    texts = [[_blocks(cell) for cell in row] for row in rows]
    if any(len(blocks) > 1 or "\n" in "".join(blocks).replace(_BREAK, "") for row in texts for blocks in row):
        return above + [block for row in texts for blocks in row for block in blocks]
    written = [
        [text for cell, blocks in zip(*row, strict=True) for text in _cells(cell, blocks)]
        for row in zip(rows, texts, strict=True)
    ]
    columns = max(map(len, written))
    if not all(cell.name == "th" for cell in rows[0]):
        written.insert(0, [])
    lines = [f"| {' | '.join([*row, *[''] * (columns - len(row))])} |" for row in written]
    lines.insert(1, f"|{' --- |' * columns}")
    return [*above, "\n".join(re.sub(r" {2,}", " ", line) for line in lines)]


def _rows(element: HtmlElement, name: str) -> Iterator[HtmlElement]:
    for child in element.children:
        if isinstance(child, HtmlElement):
            if child.name == name:
                yield child
            elif child.name in ("thead", "tbody", "tfoot"):
                yield from _rows(child, name)


def _cells(cell: HtmlElement, blocks: Sequence[str]) -> list[str]:
    span = cell.attributes.get("colspan", "1")
    width = min(int(span), 100) if span.isdecimal() and len(span) < 4 else 1
    # A row is one line: there is no other form for a break in its cells.
    text = "".join(blocks).replace(_BREAK, "<br>").replace("|", "\\|")
    return [text, *[""] * (width - 1)]


def _starting_line(text: str) -> str:
    """Escape what would begin a list, a heading or a quote; images and lifted pieces never do."""
    return _LINE_START.sub(lambda match: f"{match[1]}\\" if match[1] else "\\", text) if text else text


def _inline(children: Sequence[HtmlElement | str]) -> str:
    out: list[str] = []
    for child in children:
        if isinstance(child, str):
            is_piece = child.endswith((MARK_CLOSE, f"{MARK_CLOSE}?>")) and _PIECE.fullmatch(child)
            out.append(child if is_piece else escape_text(_SPACES.sub(" ", child)))
        else:
            out.append(_inline_element(child))
    return _LINE_SPACES.sub("", "".join(out))


def _inline_element(element: HtmlElement) -> str:
    name, given = element.name, element.attributes
    if name == "img":
        return image(given)
    if name == "br":
        return _BREAK
    if name in FRAMES:
        if not given.get("src"):
            given = given | next(
                (c.attributes for c in element.children if isinstance(c, HtmlElement) and c.name == "source"), {}
            )
        return frame(name, given)
    if name == "input":
        is_box = given.get("type") == "checkbox"
        return ("[x] " if "checked" in given else "[ ] ") if is_box else ""
    if name in HIDDEN or "hidden" in given:
        return escape_text(given.get("aria-label", ""))
    if name == "math":
        return in_ticks(given.get("alttext") or _SPACES.sub(" ", _text(element)).strip() or " ")
    text = _inline(element.children)
    if name in BLOCKS:
        return f" {text.strip()} "
    return wrap(name, given, text, _SPACES.sub(" ", _text(element)))


def wrap(name: str, given: dict[str, str], text: str, plain: str | None) -> str:
    """Write an element within a line.

    Args:
        name: Of the element.
        given: Its attributes.
        text: Its content as Markdown.
        plain: Its content as plain text; None where it holds more than that.
    """
    inner = text.strip()
    if name == "a":
        return (
            _around(text, link(inner, given["href"], given.get("title", ""))) if given.get("href") and inner else text
        )
    if not inner:
        return text
    if name in CODE and plain is not None:
        return _around(text, in_ticks(plain.strip()))
    if name in STRONG:
        return _around(text, inner if inner.startswith("**") else f"**{inner}**")
    if name in EMPHASIS:
        return _around(text, f"*{inner}*")
    if name in STRUCK:
        return _around(text, f"~~{inner}~~")
    if name in KEPT:
        return f"<{name}>{text}</{name}>"
    if name == "q":
        return _around(text, f"“{inner}”")
    if name in ("abbr", "acronym") and given.get("title"):
        return _around(text, f"{inner} ({escape_text(given['title'])})")
    if name == "rt":
        return f" ({inner})"
    return "" if name == "rp" else text


def _around(text: str, written: str) -> str:
    """Keep the spaces around a text outside of its marks."""
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{written}{after}"
