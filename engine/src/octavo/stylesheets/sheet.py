"""Read a style sheet: what browsers would drop of it without a word, and what it loads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, cast

import msgspec
import tinycss2

from octavo.lazy import regex as re
from octavo.stylesheets.names import (
    DESCRIPTORS,
    known_names,
    nearest_name,
)
from octavo.stylesheets.selectors import selector_mistakes

_END = "octavo-end"
"""Put behind the text: what holds this at-rule is not closed."""
_MOST = 20
"""Problems of one file that are listed."""
_DEEPEST = 50
_IN_RULES = ("media", "supports", "layer", "container", "starting-style", "document", "scope")
"""At-rules with rules in them; within a rule of style they may hold declarations."""
_STATEMENTS = ("charset", "import", "namespace")
_STEPS = ("from", "to", "cover", "contain", "entry", "exit", "entry-crossing", "exit-crossing")
_BEFORE_IMPORT = ("charset", "import", "layer")
_OTHER_LANGUAGES = {
    **dict.fromkeys(("tailwind", "apply", "screen", "utility", "variant", "theme", "plugin", "source"), "Tailwind"),
    **dict.fromkeys(
        ("use", "forward", "mixin", "include", "extend", "if", "else", "each", "for", "while", "return", "at-root"),
        "Sass",
    ),
    **dict.fromkeys(("custom-media", "custom-selector"), "PostCSS"),
}

Inside = Literal["sheet", "style", "keyframes", "declarations", "page"]
"""What may be at a place: rules, declarations with nested rules, steps, declarations alone, those of a page."""


class SheetProblem(msgspec.Struct, frozen=True):
    """Something that browsers drop."""

    line: int
    column: int
    message: str
    suggestion: str = ""


class Reference(msgspec.Struct, frozen=True):
    """An address that the sheet loads."""

    line: int
    column: int
    kind: Literal["import", "font", "image"]
    address: str


class Token(msgspec.Struct, frozen=True):
    """A custom property without which a declaration has no value."""

    line: int
    column: int
    name: str


class Sheet(msgspec.Struct, frozen=True):
    """A style sheet that was read."""

    problems: list[SheetProblem] = []
    references: list[Reference] = []
    defined: frozenset[str] = frozenset()
    """Custom properties that it sets."""
    used: list[Token] = []
    """Custom properties that it uses without giving another value, each once."""


def read_sheet(text: str) -> Sheet:
    """Read a style sheet.

    Args:
        text: Its text.
    """
    reader = _Reader()
    reader.read(text)
    problems = sorted(reader.problems, key=lambda problem: (problem.line, problem.column))
    if len(problems) > _MOST:
        left = len(problems) - _MOST
        last = problems[_MOST]
        message = f"There are {left} more places in this style sheet that browsers drop; they are not listed."
        problems = [*problems[:_MOST], SheetProblem(last.line, last.column, message)]
    references = sorted(reader.references, key=lambda one: (one.line, one.column))
    return Sheet(problems, references, frozenset(reader.defined), list(reader.used.values()))


class _Reader:
    def __init__(self) -> None:
        self.problems: list[SheetProblem] = []
        self.references: list[Reference] = []
        self.defined: set[str] = set()
        self.used: dict[str, Token] = {}
        self._lines: list[str] = []
        self._has_rules = False
        """A rule was read before which `@import` must be."""

    def read(self, text: str) -> None:
        tokens = tinycss2.parse_component_value_list(f"{text}\n\n@{_END};")
        self._lines = re.split(r"\r\n|[\n\r\f]", text)
        self._unclosed(tokens)
        waiting: list[tuple[Sequence[Any], Inside, int]] = [(tokens, "sheet", 0)]
        while waiting:
            inner, inside, depth = waiting.pop()
            if depth > _DEEPEST:
                self._report(inner[0], f"More than {_DEEPEST} blocks are within each other, so this is not looked at.")
                continue
            waiting += [(block.content, kind, depth + 1) for block, kind in self._block(inner, inside) if block.content]

    def _report(self, token: Any, message: str, suggestion: str = "") -> None:
        self.problems.append(SheetProblem(token.source_line, token.source_column, message, suggestion))

    def _shown(self, token: Any) -> str:
        """Give the text from a token on: to the end of what it is part of, or of the line."""
        line = self._lines[token.source_line - 1] if token.source_line <= len(self._lines) else ""
        return re.split(r"[;{}]", line[token.source_column - 1 :], maxsplit=1)[0][:40].strip()

    def _unclosed(self, tokens: Sequence[Any]) -> None:
        last = tokens[-1]
        opened: list[Any] = []
        while (inner := _inner(last)) is not None:
            opened.append(last)
            if not inner:
                break
            last = inner[-1]
        if last.type == "comment":
            self._report(last, "This comment is not closed, so nothing after it counts.", "Close it with */.")
        elif opened and last.type != "error":  # an address or a text in quotes without an end is reported as such
            # Within parentheses a brace closes nothing: what is around them may well be closed.
            token = opened[0] if opened[-1].type == "{} block" else opened[-1]
            sign = {"{} block": "}", "[] block": "]"}.get(token.type, ")")
            where = self._next_rule(token) if sign == "}" else None
            hint = f'Add the missing "{sign}"' + (f", probably before line {where}." if where else ".")
            self._report(token, "This bracket is not closed, so all that follows belongs to it.", hint)

    @staticmethod
    def _next_rule(block: Any) -> int | None:
        """Find the line of a rule in a block that is not closed which begins at the margin, as rules of a sheet do."""
        for before, token in zip(block.content, block.content[1:], strict=False):
            is_at_margin = token.source_column == 1 and token.type not in ("whitespace", "comment", "error")
            if (
                before.type == "whitespace"
                and is_at_margin
                and not (token.type == "at-keyword" and token.value == _END)
            ):
                return int(token.source_line)
        return None

    # Blocks

    def _block(self, tokens: Sequence[Any], inside: Inside) -> Iterator[tuple[Any, Inside]]:
        """Read what is in a block; yields the blocks in it that are to be read, with what they may hold."""
        for head, block in rules_of(tokens):
            if any(token.type == "error" for token in head):
                self._errors(head)
                continue
            if head and head[0].type == "at-keyword":
                yield from self._at_rule(head, block, inside)
            elif block is None:
                self._statement(head, inside)
            elif inside == "keyframes":
                self._step(head, block)
                yield block, "declarations"
            elif inside in ("declarations", "page"):
                self._report(head[0] if head else block, "No rule can be here; browsers drop it.")
            else:
                self._has_rules = True
                self._rule(head, block, inside)
                yield block, "style"

    def _rule(self, head: list[Any], block: Any, inside: Inside) -> None:
        if not head:
            self._report(block, "This block has no selector, so browsers drop it.")
            return
        if _declared(head) is not None and len(head) > 2 and head[2].type == "whitespace":
            message = "Browsers take this declaration and what follows it for a selector, and drop the block."
            self._report(head[0], message, 'End the declaration with ";", or the rule before it with "}".')
            return
        if any(token.type == "literal" and token.value == "$" for token in head):
            self._report(head[0], "Variables with $ are part of Sass; browsers drop them.", _compiled("Sass"))
            return
        for token, message, hint in selector_mistakes(head, is_relative=inside == "style"):
            self._report(token, message, hint)

    def _statement(self, head: list[Any], inside: Inside) -> None:
        if inside in ("style", "declarations", "page"):
            self._declaration(head, inside)
            return
        shown = self._shown(head[0])
        if shown.startswith("$"):
            self._report(head[0], "Variables with $ are part of Sass; browsers drop them.", _compiled("Sass"))
        elif _declared(head) is not None:
            message = f'"{shown}" is outside of a rule, so browsers drop it, with the rule behind it.'
            self._report(head[0], message, "Write it in a block, such as :root { … }.")
        else:
            self._report(head[0], f'"{shown}" is not a rule: it has no block.', "")

    def _step(self, head: list[Any], block: Any) -> None:
        steps = [token for token in head if token.type not in ("whitespace", "comment")]
        is_one = steps and all(
            token.type == "percentage"
            or (token.type == "ident" and token.lower_value in _STEPS)
            or (token.type == "literal" and token.value == ",")
            for token in steps
        )
        if not is_one:
            self._report(steps[0] if steps else block, "A step of @keyframes is from, to, or a percentage.")

    def _at_rule(self, head: list[Any], block: Any, inside: Inside) -> Iterator[tuple[Any, Inside]]:
        keyword, name = head[0], head[0].lower_value
        if name == _END:
            return
        if inside == "page" and block is not None:
            yield block, "declarations"  # a margin box
            return
        if name == "import":
            self._import(head, inside)
        elif name not in _BEFORE_IMPORT or block is not None:
            self._has_rules = True
        plain = name.removeprefix("-webkit-") if name.endswith("keyframes") else name
        if plain.startswith("-"):
            return
        if plain not in known_names("at-rules"):
            self._unknown_at_rule(keyword, name)
            return
        if plain in _STATEMENTS or (plain == "layer" and block is None):
            if block is not None:
                self._report(keyword, f"@{name} ends with a semicolon and has no block; browsers drop it.")
            return
        if block is None:
            self._report(keyword, f"@{name} has no block, so browsers drop it.")
            return
        if plain == "media":
            self._media(head)
        if plain in _IN_RULES:
            yield block, "style" if inside == "style" or plain == "scope" else "sheet"
        elif plain == "keyframes":
            yield block, "keyframes"
        elif plain in DESCRIPTORS:
            self._descriptors(plain, block)
        elif plain == "page":
            yield block, "page"
        elif plain == "position-try":
            yield block, "declarations"

    def _unknown_at_rule(self, keyword: Any, name: str) -> None:
        language = _OTHER_LANGUAGES.get(name)
        if language is not None:
            hint = _compiled(language)
        else:
            close = nearest_name(name, known_names("at-rules"))
            hint = f'Did you mean "@{close}"?' if close else ""
        self._report(keyword, f"@{name} is not a rule that browsers know; they drop it.", hint)

    def _import(self, head: list[Any], inside: Inside) -> None:
        if self._has_rules or inside != "sheet":
            message = "Browsers ignore @import behind other rules."
            self._report(head[0], message, "Move it to the top of the file.")
        named = next((token for token in head[1:] if token.type not in ("whitespace", "comment")), None)
        address = _address(named)
        if named is None or address is None:
            self._report(head[0], "@import names no file.", 'Write @import "other.css";')
        else:
            self.references.append(Reference(named.source_line, named.source_column, "import", address))

    def _media(self, head: list[Any]) -> None:
        for token in head[1:]:
            if token.type == "literal" and token.value == ":":
                message = "This condition has no parentheses, so the block never applies."
                self._report(head[0], message, "Write @media (min-width: 40rem) { … }.")
                return
            if token.type == "() block":
                names = [one for one in token.content if one.type == "ident"]
                for one in names[:1]:
                    plain = one.lower_value.removeprefix("min-").removeprefix("max-")
                    if plain not in known_names("media-features") and not plain.startswith("-"):
                        close = nearest_name(plain, known_names("media-features"))
                        if close is not None:
                            given = one.lower_value.removesuffix(plain)
                            message = (
                                f'"{one.value}" is not a feature of media that is known, so the block never applies.'
                            )
                            self._report(one, message, f'Did you mean "{given}{close}"?')

    # Declarations

    def _descriptors(self, name: str, block: Any) -> None:
        for head, inner in rules_of(block.content):
            if any(token.type == "error" for token in head):
                self._errors(head)
            elif inner is not None or (head and head[0].type == "at-keyword" and head[0].value != _END):
                self._report(head[0] if head else inner, f"@{name} holds declarations only; browsers drop this.")
            elif head[0].type != "at-keyword":
                self._declaration(head, "declarations", name)

    def _declaration(self, head: list[Any], inside: Inside, of: str = "") -> None:
        """Read a declaration; `of` is the at-rule whose descriptor it is."""
        colon = _declared(head)
        if colon is None:
            hack = head[0].type == "literal" and head[0].value == "*" and len(head) > 1
            if not (hack and _declared(head[1:]) is not None):  # for Internet Explorer 7
                shown = self._shown(head[0])
                expected = "expected a property, a colon, and a value"
                self._report(head[0], f'"{shown}" is not a declaration, so browsers drop it: {expected}.')
            return
        name, value = head[0], head[colon + 1 :]
        if name.value.startswith("--"):
            self.defined.add(name.value)
        else:
            self._property(name, inside, of)
            self._value(name, value)
        self._loads(value, "font" if of == "font-face" else "image")

    def _property(self, name: Any, inside: Inside, of: str) -> None:
        known = known_names(f"descriptors of {of}" if of else "properties")
        plain = name.lower_value
        is_hack = plain.startswith("_") and plain[1:] in known  # for Internet Explorer 6
        if (
            plain in known
            or plain.startswith("-")
            or is_hack
            or (inside == "page" and plain in known_names("descriptors of page"))
        ):
            return
        close = nearest_name(plain, known)
        what = f"descriptor of @{of}" if of else "property"
        message = f'"{name.value}" is not a {what} that is known; browsers drop the declaration.'
        self._report(name, message, f'Did you mean "{close}"?' if close else "")

    def _value(self, name: Any, value: list[Any]) -> None:
        meant = [token for token in value if token.type not in ("whitespace", "comment")]
        if not meant:
            self._report(name, f'"{name.value}" has no value, so browsers drop the declaration.')
            return
        for at, token in enumerate(meant):
            if token.type != "literal":
                continue
            if token.value == ":" and at and meant[at - 1].type == "ident" and meant[at - 1].lower_value != "progid":
                message = f'A semicolon is missing before "{meant[at - 1].value}", so browsers drop both declarations.'
                self._report(meant[at - 1], message)
                return
            if token.value == "!":
                rest = meant[at + 1 :]
                if not (len(rest) == 1 and rest[0].type == "ident" and rest[0].lower_value == "important"):
                    message = 'Only "important" can follow "!", at the end; browsers drop the declaration.'
                    self._report(token, message, "Write !important.")
                    return

    def _loads(self, value: list[Any], kind: Literal["font", "image"]) -> None:
        """Note the addresses in a value, and the custom properties that it needs."""
        waiting = list(reversed(value))
        while waiting:
            token = waiting.pop()
            if token.type == "url" or (token.type == "function" and token.lower_name in ("url", "src")):
                address = _address(token)
                if address is not None:
                    self.references.append(Reference(token.source_line, token.source_column, kind, address))
            elif token.type == "function":
                given = [one for one in token.arguments if one.type not in ("whitespace", "comment")]
                is_set = token.lower_name in ("image-set", "-webkit-image-set")
                if token.lower_name == "var" and len(given) == 1 and given[0].type == "ident":
                    name = given[0].value
                    self.used.setdefault(name, Token(given[0].source_line, given[0].source_column, name))
                if is_set:
                    self.references += [
                        Reference(one.source_line, one.source_column, kind, one.value)
                        for one in given
                        if one.type == "string"
                    ]
                waiting += reversed(token.arguments)
            elif token.type in ("() block", "[] block", "{} block"):
                waiting += reversed(token.content)

    def _errors(self, tokens: Sequence[Any]) -> None:
        for token in tokens:
            if token.type == "error":
                if token.kind in "}])":
                    self._report(token, f'This "{token.kind}" closes nothing, so browsers drop what it is part of.')
                elif "string" in token.kind:
                    self._report(
                        token, "This text in quotes does not end on its line; browsers drop what it is part of."
                    )
                elif "url" in token.kind:
                    hint = 'Write it in quotes: url("…").'
                    self._report(token, "This address is malformed, so browsers drop what it is part of.", hint)
                else:
                    self._report(token, f"Browsers drop this: {token.message}.")
                return


def _compiled(language: str) -> str:
    return f"Octavo publishes style sheets as they are: compile {language} to CSS first."


def rules_of(tokens: Sequence[Any]) -> Iterator[tuple[list[Any], Any]]:
    """Cut the content of a block into its parts: what is in front, and the block that ends it, or None."""
    head: list[Any] = []
    for token in tokens:
        if not head and (token.type in ("whitespace", "comment") or _is_mark(token)):
            continue
        if token.type == "literal" and token.value == ";":
            if head:
                yield head, None
            head = []
        elif token.type == "{} block" and not _is_custom(head):
            yield head, token
            head = []
        else:
            head.append(token)
    if head:
        yield head, None


def _inner(token: Any) -> list[Any] | None:
    """List the tokens within a token; None for one that has none."""
    if token.type == "function":
        return cast("list[Any]", token.arguments)
    return cast("list[Any]", token.content) if token.type in ("() block", "[] block", "{} block") else None


def _is_mark(token: Any) -> bool:
    """Return whether a token is one that HTML of the nineties had around style sheets."""
    return bool(token.type == "literal" and token.value in ("<!--", "-->"))


def _declared(head: Sequence[Any]) -> int | None:
    """Find the colon of a declaration; None where these tokens are none."""
    if not head or head[0].type != "ident":
        return None
    for at, token in enumerate(head[1:], start=1):
        if token.type not in ("whitespace", "comment"):
            return at if token.type == "literal" and token.value == ":" else None
    return None


def _is_custom(head: Sequence[Any]) -> bool:
    return bool(head and head[0].type == "ident" and head[0].value.startswith("--") and _declared(head) is not None)


def _address(token: Any) -> str | None:
    """Read the address that a token names; None where it names none."""
    if token is None:
        return None
    if token.type in ("url", "string"):
        return str(token.value)
    if token.type == "function" and token.lower_name in ("url", "src"):
        return next((str(one.value) for one in token.arguments if one.type == "string"), None)
    return None
