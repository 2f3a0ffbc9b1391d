"""Components in Markdown (MDC), as Nuxt Content and Docus read them: `::name{key="value"}` to `::`, `:name[text]{…}`, `[text]{.class}`.

Callouts, cards, tabs, steps and other components of Nuxt UI are written as ours. Of any other component its texts and its content are shown, with a finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from octavo.content.translate.output import CodeRanges, Edit, attribute, fenced, fences, label, marked_label, replaced
from octavo.lazy import regex as re
from octavo.text_files import SyntaxMistakeError, parse_yaml

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_ATTRIBUTES = r"\{(?P<attributes>(?:\"[^\"\n]*\"|'[^'\n]*'|[^\"'{}\n])*)\}"
_OPENING = re.compile(
    rf"(?P<indent>[ \t]*)(?P<colons>:{{2,}})(?P<name>[a-z][\w-]*)(?:\[(?P<text>[^\[\]\n]*)\])?(?:{_ATTRIBUTES})?[ \t]*"
)
_CLOSING = re.compile(r"[ \t]*(?P<colons>:{2,})[ \t]*")
_SLOT = re.compile(rf"[ \t]*#(?P<slot>[a-z][\w-]*)(?:{_ATTRIBUTES})?[ \t]*")
_INLINE = re.compile(
    rf"(?<![\w:`\\/.)\]}}-]):(?P<name>[a-z][\w-]*)(?:(?:\[(?P<text>(?:[^\[\]\n]|\[[^\[\]\n]*\])*)\])?{_ATTRIBUTES}|\[(?P<alone>(?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]|(?<=:br)(?![\w:-]))"
    r"|(?<![!\]\\])\[(?P<span>[^\[\]\n]+)\]\{[^{}\n]*\}"
    r"|(?<=[`)*_])\{(?=[^{}\n]*[.#=:\w])[^{}\n]*\}"
)
_GIVEN = re.compile(
    r"""(?P<key>[:@]?[\w.-]+)=(?:"(?P<a>[^"]*)"|'(?P<b>[^']*)'|(?P<c>[^\s"'}]+))|(?<!\S)(?P<alone>[a-z][\w-]*)(?!\S)"""
)
_FILE = re.compile(r"[ \t]*\[(?P<name>[^\]\n]+)\]")
_COLORS = {"danger": "danger", "error": "danger", "green": "tip", "info": "info", "orange": "warning", "primary": "tip", "red": "danger", "success": "tip", "warning": "warning", "yellow": "warning", "amber": "warning", "blue": "info"}  # fmt: skip
_KINDS = {"caution": "caution", "danger": "danger", "error": "danger", "important": "important", "info": "info", "note": "note", "success": "tip", "tip": "tip", "warning": "warning"}  # fmt: skip
_CALLOUTS = frozenset(["alert", "callout", *_KINDS])
_CARDS = frozenset(["card", "landing-card", "page-card", "page-feature", "blog-post"])
_GRIDS = frozenset(["blog-posts", "card-grid", "card-group", "card-list", "page-columns", "page-grid", "page-list"])
_FOLDED = frozenset(["accordion-item", "collapsible", "details", "spoiler"])
_GROUPS = frozenset(["code-group"])
_BUTTONS = frozenset(["button", "button-link", "link", "nuxt-link", "read-more"])
_ARRANGING = frozenset(
    ["accordion", "aside", "block", "body", "center", "code-block", "code-collapse", "code-preview", "code-tree", "container", "div", "ellipsis", "field-group",
     "figure", "fit", "grid", "hero", "landing", "landing-hero", "landing-section", "li", "list", "main", "ol", "p", "page", "page-body", "page-cta",
     "page-header", "page-hero", "page-links", "page-logos", "page-section", "props", "section", "span", "step", "steps", "terminal", "timeline", "ul"]
)  # fmt: skip
"""Components that only arrange what is in them."""
_COMMANDS = {"pm-install": "npm install {given}", "pm-x": "npx {given}", "pm-run": "npm run {given}"}
"""Components of undocs that show a command for each package manager."""
_SHOWN = ("headline", "title", "label", "description")
_LISTS = ("items", "features", "links", "cards")
_DEEPEST = 12
_COLONS = 24


class _Frame(NamedTuple):
    """A component that is open."""

    colons: int
    strip: int
    """Columns that its lines lose: they are indented as it is."""
    closing: str
    is_group: bool
    name: str
    """With its colons."""
    start: int


def translate_mdc(fragment: Fragment, context: CompileContext) -> Fragment:
    """Rewrite the components of a page as those of Octavo."""
    text = fragment.text
    if not any(mark in text for mark in ("::", "{", "]", ":br")):
        return fragment
    page = _Page(fragment, context)
    edits = list(page.blocks())
    return replaced(fragment, [*edits, *page.inline()], page.tail)


class _Page:
    def __init__(self, fragment: Fragment, context: CompileContext) -> None:
        self._fragment = fragment
        self._context = context
        self._text = fragment.text
        self._code = CodeRanges(self._text)
        self._openings = {start for start, _ in fences(self._text)}
        self._stack: list[_Frame] = []
        self._indent = ""
        """What is before the lines of the outermost component."""
        self.tail = ""
        """What is to be added at the end: ends of components that are not closed."""

    def blocks(self) -> Iterator[Edit]:
        """Give the edits of whole lines."""
        position, text = 0, self._text
        while position < len(text):
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            line = text[position:end]
            after = min(end + 1, len(text)) if end < len(text) else len(text)
            if self._code.holds(position + len(line) - len(line.lstrip())) and line.strip():
                yield from self._code_line(position, line)
            elif (opening := _OPENING.fullmatch(line)) and len(self._stack) < _DEEPEST:
                given, after = self._given(opening, after)
                yield position, after, self._open(opening, given, position)
            elif (closing := _CLOSING.fullmatch(line)) and any(
                one.colons == len(closing["colons"]) for one in self._stack
            ):
                yield position, after, self._close(len(closing["colons"]))
            elif self._stack and _SLOT.fullmatch(line):
                yield position, after, "\n"
            else:
                yield from self._dedent(position, line)
            position = after
        if self._stack:
            for one in self._stack:
                message = f'"{one.name}" is never closed: what follows is taken for its content.'
                self._report("unclosed", message, one.start)
            self.tail = "\n\n" + self._close(0, is_end=True)

    def inline(self) -> Iterator[Edit]:
        """Give the edits within lines."""
        for match in _INLINE.finditer(self._text):
            if self._code.holds(match.start()):
                continue
            if match["span"] is not None:
                yield match.start(), match.start() + 1, ""
                yield match.start() + 1 + len(match["span"]), match.end(), ""
            elif match["name"] is None:
                yield match.start(), match.end(), ""
            else:
                yield match.start(), match.end(), self._shown(match)

    def _code_line(self, position: int, line: str) -> Iterator[Edit]:
        yield from self._dedent(position, line)
        if position not in self._openings or any(frame.is_group for frame in self._stack[-1:]):
            return
        if name := _FILE.search(line):
            start = position + name.start()
            yield start, position + name.end(), f" title={attribute(name['name'])} "

    def _dedent(self, position: int, line: str) -> Iterator[Edit]:
        strip = self._stack[-1].strip if self._stack else 0
        own = min(strip, len(line) - len(line.lstrip(" \t")))
        if own:
            yield position, position + own, ""

    def _given(self, opening: re.Match[str], after: int) -> tuple[dict[str, Any], int]:
        """Read what a component is given: its attributes, and the YAML below it; gives the offset behind that, too."""
        given = _attributes(opening["attributes"])
        rest = re.compile(r"[ \t]*---[ \t]*\n(?P<yaml>.*?)(?<![^\n])[ \t]*---[ \t]*(?:\n|\Z)", re.DOTALL).match(
            self._text, after
        )
        if rest is None:
            return given, after
        lines = rest["yaml"].split("\n")
        indent = min((len(one) - len(one.lstrip()) for one in lines if one.strip()), default=0)
        try:
            found = parse_yaml("\n".join(one[indent:] for one in lines))
        except SyntaxMistakeError:
            self._report("foreign-syntax", "The values of this component are not YAML that can be read.", after)
            found = None
        return (given | found if isinstance(found, dict) else given), rest.end()

    def _open(self, opening: re.Match[str], given: dict[str, Any], position: int) -> str:
        """Begin a component; the outermost keeps its place, in a list for instance."""
        if not self._stack:
            self._indent = opening["indent"]
        name = _plain(opening["name"])
        start, closing = self._frame(name, opening["name"], given, position)
        strip = len(opening["indent"]) - len(self._indent)
        self._stack.append(
            _Frame(
                len(opening["colons"]),
                max(strip, 0),
                closing,
                name in _GROUPS,
                opening["colons"] + opening["name"],
                position,
            )
        )
        return self._indented(f"{start}{opening['text'] or ''}") if start or opening["text"] else "\n"

    def _close(self, colons: int, *, is_end: bool = False) -> str:
        """End the innermost component with so many colons, and those in it."""
        written = ""
        while self._stack:
            frame = self._stack.pop()
            written += self._indented(frame.closing) if frame.closing else ""
            if frame.colons == colons and not is_end:
                break
        return written or "\n"

    def _indented(self, text: str) -> str:
        lines = f"\n{text}\n\n".split("\n")
        return "\n".join(f"{self._indent}{line}" if line else "" for line in lines)

    def _frame(self, name: str, written: str, given: dict[str, Any], position: int) -> tuple[str, str]:
        """Give what begins and ends a component."""
        title = _text(given, "title", "label", "name", "summary")
        href = _text(given, "to", "href")
        fence = ":" * (_COLONS - len(self._stack))
        if name in _CALLOUTS:
            kind = (
                _KINDS.get(name)
                or _COLORS.get(_text(given, "color", "type", "variant").lower())
                or _KINDS.get(_text(given, "type"), "note")
            )
            about = _text(given, "description")
            shown = f"[{title}]({href})" if title and href else title
            link = f"\n[{label(href)}](<{href}>)\n" if href and not title else ""
            icon = f"{{icon={attribute(_text(given, 'icon'))}}}" if _text(given, "icon") else ""
            return f"{fence}{kind}[{marked_label(shown)}]{icon}\n\n{about}", f"{link}\n{fence}"
        if name in _CARDS:
            own = f" title={attribute(title)}" if title else ""
            own += f" href={attribute(href)}" if href else ""
            own += f" icon={attribute(icon)}" if (icon := _text(given, "icon")) else ""
            return f"<Card{own}>\n\n{self._texts(given, ('headline', 'description'))}", "</Card>"
        if name in _GRIDS:
            return f"<CardGrid>\n{self._texts(given, _SHOWN)}", "</CardGrid>"
        if name in _FOLDED:
            return (
                f"{fence} details {label(title) or 'Details'}\n\n{self._texts(given, ('description', 'content'))}",
                fence,
            )
        if name == "tabs":
            return "<Tabs>\n", "</Tabs>"
        if name in ("tab", "tabs-item"):
            own = attribute(title or "Tab")
            return f"<TabItem value={own} label={own}>\n", "</TabItem>"
        if name in _GROUPS:
            return f"{fence} code-group\n", fence
        if name == "field":
            marks = [f"`{_text(given, 'name')}`"] if given.get("name") else []
            marks += [f"*{_text(given, 'type')}*"] if given.get("type") else []
            marks += ["required"] if given.get("required") not in (None, False) else []
            marks += [f"default: `{_text(given, 'default')}`"] if given.get("default") not in (None, "") else []
            return " ".join(marks) + f"\n\n{self._texts(given, ('description',))}", ""
        if name in _BUTTONS and not href:
            return (f"{title}\n" if title else ""), ""
        if name in _BUTTONS:
            return (
                (f"[{label(title or href)}](<{href}>)\n", "")
                if title or name == "read-more"
                else (f"<LinkButton href={attribute(href)}>\n", "</LinkButton>")
            )
        if name not in _ARRANGING and written[:2] != "u-":
            hint = "Write its content in Markdown, or a component in its place."
            self._report(
                "foreign-syntax",
                f'"::{written}" is a component of the site, which is a program: only its texts and its content are shown.',
                position,
                hint,
            )
        return self._texts(given, _SHOWN), ""

    def _texts(self, given: dict[str, Any], keys: tuple[str, ...]) -> str:
        """Write the texts that a component is given: title, description, and lists of links."""
        shown = [
            f"**{given[key]}**" if key == "title" else str(given[key])
            for key in keys
            if isinstance(given.get(key), str) and given[key].strip()
        ]
        for key in _LISTS:
            entries = given.get(key)
            if isinstance(entries, list) and (
                lines := [line for one in entries if isinstance(one, dict) and (line := _entry(one))]
            ):
                shown.append("\n".join(lines))
        return "\n\n".join(shown) + ("\n" if shown else "")

    def _shown(self, match: re.Match[str]) -> str:
        """Give what a component within a line is shown as."""
        name, given = _plain(match["name"]), _attributes(match["attributes"])
        text = match["text"] if match["text"] is not None else match["alone"]
        text = text or _text(given, "label", "title", "text", "value", "alt")
        href = _text(given, "to", "href", "src")
        if name == "br":
            return "<br>"
        if name in _COMMANDS:
            shown = _text(given, "name", "command", "script")
            if name == "pm-install" and given.get("dev") not in (None, False, "false"):
                shown = f"-D {shown}"
            return f"\n\n{fenced(_COMMANDS[name].format(given=shown), 'sh npm2yarn')}\n\n"
        if name in ("kbd", "shortcut"):
            return f"<kbd>{text}</kbd>"
        if name in _BUTTONS or (href and text and name not in ("img", "image", "video")):
            return f"[{label(text or href)}](<{href}>)"
        if name in ("img", "image", "nuxt-img", "nuxt-picture", "color-image") and href:
            return f"![{label(text)}](<{href}>)"
        if name == "video" and href:
            return f"<video src={attribute(href)} controls></video>"
        if name not in ("icon", "badge", "ellipsis", "span", *_ARRANGING):
            what = "only its text is shown" if text else "it is left out"
            message = f'":{match["name"]}" is a component of the site, which is a program: {what}.'
            self._report("foreign-syntax", message, match.start(), "Write the text itself.")
        return f"<Badge text={attribute(text)} />" if name == "badge" and text else text

    def _report(self, code: str, message: str, at: int, suggestion: str = "") -> None:
        origin = self._fragment.origin(at)
        self._context.report("error", code, message, self._fragment.source, origin, suggestion=suggestion)


def _plain(name: str) -> str:
    """Give the name of a component of Nuxt UI without its prefix."""
    return re.sub(r"^(?:u|prose|pro|docs)-", "", name)


def _attributes(written: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for match in _GIVEN.finditer(written or ""):
        if match["alone"]:
            found[match["alone"]] = True
        else:
            found[match["key"].lstrip(":@")] = next(
                value for value in (match["a"], match["b"], match["c"]) if value is not None
            )
    return found


def _text(given: dict[str, Any], *keys: str) -> str:
    return next(
        (str(given[key]).strip() for key in keys if isinstance(given.get(key), str | int) and given[key] is not True),
        "",
    )


def _entry(one: dict[str, Any]) -> str:
    """Write an entry of a list: its title, as a link where it has an address, and what it says."""
    title, href = _text(one, "title", "label", "name"), _text(one, "to", "href")
    shown = f"[{label(title)}](<{href}>)" if title and href else f"**{title}**" if title else ""
    rest = _text(one, "description", "content")
    line = " ".join(part for part in (shown, " ".join(rest.split())) if part)
    return f"- {line}" if line else ""
