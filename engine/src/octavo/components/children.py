"""What is between the tags of a component, as elements of React: for components that look into their children.

Most components show their children as they are, and get a mark in their place. Some take them apart: tabs read the
labels of their panels, a code box counts lines, a link makes an id of its text. These get elements, as in MDX.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from octavo.content import BLOCKS, SLOT, VOID
from octavo.lazy import regex as re
from octavo.rendering import InnerHtml, Use

ALWAYS: Final = "elements"
"""A component looks into its children."""
NESTED: Final = "nested"
"""It may give something to the components in them, by a context."""
NEVER: Final = "html"

_DEEPEST = 60
"""Elements within each other; content that is deeper is given as HTML."""
_OWN = r"(?:\w+\.)?children\b"
_LOOKING = re.compile(
    "|".join(
        (
            r"\bChildren\b\s*\.\s*\w",
            r"\b(?:cloneElement|isValidElement)\b",
            rf"\b{_OWN}\s*(?:\?\.|!?\.(?!\.)|!?\[)",  # children.map, children?.props, children[0]
            rf"\btypeof\s+{_OWN}",
            rf"\$\{{\s*{_OWN}",
            rf"(?<![\w-])(?!children\b)[A-Za-z][\w-]*=\{{\s*{_OWN}\s*\}}",  # title={children}
            rf"(?<![+])\+\s*{_OWN}|\b{_OWN}\s*\+",
            rf"(?<![=!<>])=\s*{_OWN}(?!\s*[:,}}=])",  # const items = children
            rf"\b(?!(?:if|while|return|switch|function|Boolean)\b)\w+\(\s*{_OWN}\s*(?:as\s+[^),]+)?[,)](?!\s*(?:=>|\{{))",
            rf"\b(?!createElement\b|jsxs?\b|h\b)\w+\(\s*[^()\n]*,\s*{_OWN}\s*\)(?!\s*(?:=>|\{{|:))",  # join(a, children)
            rf"\b(?:of|in)\s+{_OWN}|\.\.\.\s*{_OWN}",
        )
    )
)
_LOOKING_IN_PACKAGES = re.compile(r"\bChildren\b\s*\.\s*(?:map|forEach|toArray|only)\b|\bcloneElement\b")
_CONTEXT = re.compile(r"\bcreateContext\b")

_TAG = re.compile(
    r"""<!--|</([A-Za-z][\w:.-]*)[^<>]*>|<([A-Za-z][\w:.-]*)((?:[^<>"']++|"[^"]*+"|'[^']*+')*)>|\x00I([0-9]+)\x00""",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?""")
_OPAQUE = frozenset(
    [
        "audio",
        "base",
        "canvas",
        "embed",
        "iframe",
        "link",
        "math",
        "meta",
        "noscript",
        "object",
        "script",
        "select",
        "style",
        "svg",
        "template",
        "textarea",
        "title",
        "video",
    ]
)
"""Elements that are given as HTML: their attributes or their content mean something else to React."""
_COLUMNS = frozenset(["col", "colgroup"])
_HOLD_TEXT = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "button",
        "cite",
        "code",
        "del",
        "dfn",
        "em",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "p",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strong",
        "sub",
        "summary",
        "sup",
        "u",
        "var",
    ]
)
_HEADING = re.compile(
    r'<div class="heading heading-\d">(<h(\d)[^<>]*>)(.{0,2000}?)</h\2>(?:<a [^<>]*></a>)?</div>', re.DOTALL
)
_CODE_BLOCK = re.compile(r'<figure class="code"[^<>]*?(?: data-language="([^"]*)")?[^<>]*>', re.DOTALL)
_CODE = re.compile(r"<code[^<>]*>(.*?)</code>", re.DOTALL)
_NO_TEXT = re.compile(f"<[^<>]*>|{SLOT}[^{SLOT}]*{SLOT}")
_ANY_TAG = re.compile(r"<[^<>]*>")
_NAMES = {
    name.lower(): name
    for name in [
        "accessKey",
        "allowFullScreen",
        "autoCapitalize",
        "autoComplete",
        "autoFocus",
        "autoPlay",
        "cellPadding",
        "cellSpacing",
        "charSet",
        "colSpan",
        "contentEditable",
        "crossOrigin",
        "dateTime",
        "encType",
        "enterKeyHint",
        "fetchPriority",
        "formAction",
        "formMethod",
        "formTarget",
        "frameBorder",
        "hrefLang",
        "inputMode",
        "itemID",
        "itemProp",
        "itemRef",
        "itemScope",
        "itemType",
        "maxLength",
        "minLength",
        "noValidate",
        "playsInline",
        "readOnly",
        "referrerPolicy",
        "rowSpan",
        "spellCheck",
        "srcDoc",
        "srcLang",
        "srcSet",
        "tabIndex",
        "useMap",
    ]
} | {"class": "className", "for": "htmlFor", "checked": "defaultChecked"}
BOOLEAN_ATTRIBUTES = frozenset(
    [
        "allowfullscreen",
        "async",
        "autofocus",
        "autoplay",
        "checked",
        "controls",
        "default",
        "defer",
        "disabled",
        "formnovalidate",
        "hidden",
        "inert",
        "ismap",
        "itemscope",
        "loop",
        "multiple",
        "muted",
        "nomodule",
        "novalidate",
        "open",
        "playsinline",
        "readonly",
        "required",
        "reversed",
        "selected",
    ]
)
"""Attributes of HTML that are on where they are written, in lower case."""


def what_it_needs(code: str, *, is_package: bool) -> str:
    """Say how the components of a module want their children: one of `ALWAYS`, `NESTED` and `NEVER`.

    Args:
        code: The module, as its author wrote it.
        is_package: It is the copy of a package, whose short names say little.
    """
    if (_LOOKING_IN_PACKAGES if is_package else _LOOKING).search(code):
        return ALWAYS
    return NESTED if _CONTEXT.search(code) else NEVER


class Trees(NamedTuple):
    """The content of a use, as elements."""

    nodes: dict[str, list[Any]]
    """Name of the property → elements: texts, `[tag, props, children]`, `{use, props, nodes}`, and `{part, tag}`."""
    parts: list[str]
    """HTML that is shown as it is, by its number, with slots for islands."""
    uses: dict[str, Use]
    """Components in it: name → one of its uses."""
    texts: list[str]
    """What readers read, in order."""


def build_trees(use: Use) -> Trees | None:
    """Read the content of a use; None where it has none, or is too deep."""
    if not use.contents:
        return None
    reader = _Reader()
    try:
        nodes = reader.contents(use)
    except RecursionError:
        return None
    return Trees(nodes, reader.parts, reader.uses, reader.texts)


class _Reader:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.uses: dict[str, Use] = {}
        self.texts: list[str] = []
        self._depth = 0

    def contents(self, use: Use) -> dict[str, list[Any]]:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise RecursionError
        nodes = {name: self._nodes(content) for name, content in use.contents.items()}
        self._depth -= 1
        return nodes

    def _nodes(self, content: InnerHtml) -> list[Any]:
        # As in Markdown, a heading is an element of its own, without the link to itself.
        text = _HEADING.sub(r"\1\3</h\2>", content.html) if 'class="heading ' in content.html else content.html
        root: list[Any] = []
        open_: list[tuple[str, list[Any]]] = [("", root)]
        position = 0
        while match := _TAG.search(text, position):
            self._text(text[position : match.start()], open_[-1][1])
            position = match.end()
            if match[0] == "<!--":
                end = text.find("-->", position)
                position = end + 3 if end >= 0 else len(text)
            elif match[1]:
                _close(match[1].lower(), open_)
            elif match[2]:
                position = self._open(text, match, open_)
            elif match[4]:
                self._island(int(match[4]), match[0], content, open_[-1])
        self._text(text[position:], open_[-1][1])
        while len(open_) > 1:
            _tidy(*open_.pop())
        if len(root) == 1 and isinstance(root[0], str) and not root[0].isspace():
            # A component makes of a text alone what it wants.
            self.texts.pop()
        _tidy("", root)
        return root

    def _text(self, text: str, into: list[Any]) -> None:
        if not text:
            return
        shown = html.unescape(text)
        if not shown.isspace():
            self.texts.append(shown)
        if into and isinstance(into[-1], str):
            into[-1] += shown
        else:
            into.append(shown)

    def _open(self, text: str, match: re.Match[str], open_: list[tuple[str, list[Any]]]) -> int:
        """Take an opening tag; returns the offset behind what it takes."""
        tag, end = match[2].lower(), match.end()
        code = _CODE_BLOCK.match(text, match.start()) if tag == "figure" else None
        props = None if code or tag in _OPAQUE or "-" in tag else _props(match[3])
        if props is None:
            is_alone = tag in VOID or match[3].rstrip().endswith("/")
            end = end if is_alone else _end_of(text, tag, end)
            self._part(text[match.start() : end], open_[-1], code)
            return end
        if len(open_) > _DEEPEST:
            raise RecursionError
        kids: list[Any] = []
        open_[-1][1].append([tag, props, kids])
        if tag not in VOID and not match[3].rstrip().endswith("/"):
            open_.append((tag, kids))
        return end

    def _part(self, markup: str, around: tuple[str, list[Any]], code: re.Match[str] | None = None) -> None:
        part: dict[str, Any] = {"part": len(self.parts), "tag": "span" if around[0] in _HOLD_TEXT else "div"}
        if code is not None and (found := _CODE.search(markup)) is not None:
            part["code"] = html.unescape(_ANY_TAG.sub("", found[1]))
            part["language"] = html.unescape(code[1] or "")
        self.parts.append(markup)
        around[1].append(part)

    def _island(self, number: int, slot: str, content: InnerHtml, around: tuple[str, list[Any]]) -> None:
        use = content.uses.get(number)
        if use is None:
            self._part(slot, around)
            return
        self.uses.setdefault(use.name, use)
        node: dict[str, Any] = {"use": use.name, "props": dict(use.props), "nodes": self.contents(use)}
        if use.is_inline:
            node["inline"] = True
        around[1].append(node)


def _close(tag: str, open_: list[tuple[str, list[Any]]]) -> None:
    if any(name == tag for name, _ in open_[1:]):
        while True:
            name, kids = open_.pop()
            _tidy(name, kids)
            if name == tag:
                return


def _end_of(text: str, tag: str, start: int) -> int:
    """Find the end of an element whose opening tag ends here."""
    depth = 1
    for match in re.compile(rf"<(/?){re.escape(tag)}(?=[\s>/])[^<>]*(?<!/)>", re.IGNORECASE).finditer(text, start):
        depth += -1 if match[1] else 1
        if not depth:
            return match.end()
    return len(text)


def _props(written: str) -> dict[str, Any] | None:
    """Read attributes as properties of React; None where it would not set one of them as a browser does."""
    props: dict[str, Any] = {}
    for name, value in _ATTRIBUTE.findall(written):
        folded = name.lower()
        shown = html.unescape(value[1:-1] if value[:1] in ("'", '"') else value)
        if folded.startswith("on"):
            return None
        if folded == "style":
            props["style"] = dict(_styles(shown))
        elif folded in BOOLEAN_ATTRIBUTES:
            props[_NAMES.get(folded, folded)] = True
        else:
            props[_NAMES.get(folded, folded)] = shown
    return props


def _styles(text: str) -> Iterator[tuple[str, str]]:
    for declaration in text.split(";"):
        name, mark, value = declaration.partition(":")
        name = name.strip()
        if mark and name:
            key = name if name.startswith("--") else re.sub(r"-(\w)", lambda found: found[1].upper(), name.lower())
            yield key, value.strip()


def _tidy(tag: str, kids: list[Any]) -> None:
    """Take line ends between blocks away, as MDX does; the list itself is changed."""
    if tag not in _HOLD_TEXT and tag != "pre":
        kids[:] = [kid for index, kid in enumerate(kids) if not _is_line_end(kids, index)]


def _is_line_end(kids: list[Any], index: int) -> bool:
    kid = kids[index]
    if not isinstance(kid, str) or not kid.isspace() or "\n" not in kid:
        return False
    around = [kids[at] for at in (index - 1, index + 1) if 0 <= at < len(kids)]
    return len(around) < 2 or any(map(_is_block, around))


def _is_block(node: Any) -> bool:
    if isinstance(node, dict):
        return "inline" not in node and node.get("tag") != "span"
    return isinstance(node, list) and node[0] in BLOCKS | _COLUMNS


def hidden_text(trees: Trees, drawn: str) -> str:
    """Give the first text of some content that is not in what was drawn of it; empty where all of it is."""
    shown = set(_words(html.unescape(_NO_TEXT.sub(" ", drawn))))
    for number, part in enumerate(trees.parts):
        if f"{SLOT}P{number}{SLOT}" not in drawn:
            text = " ".join(html.unescape(_NO_TEXT.sub(" ", part)).split())
            # What it makes of the text of a block of code is what it wants.
            if not text or not set(_words(text)) <= shown:
                return text or "a part of its content"
    return next((text.strip() for text in trees.texts if not set(_words(text)) <= shown), "")


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def fill_parts(drawn: str, parts: list[str]) -> str:
    """Put the parts into what was drawn."""
    pieces = drawn.split(SLOT)
    for index in range(1, len(pieces), 2):
        key = pieces[index]
        pieces[index] = parts[int(key[1:])] if key[0] == "P" else f"{SLOT}{key}{SLOT}"
    return "".join(pieces)
