"""Check selectors by their grammar: one mistake, and browsers drop the whole rule.

Source:
    Selectors Level 4 and CSS Nesting Module Level 1, W3C.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from octavo.stylesheets.names import known_names, nearest_name

Mistake = tuple[Any, str, str]
"""(token that it is about, message, suggestion)."""
_DEEPEST = 12
"""Selectors within selectors that are looked at."""
_COMBINATORS = frozenset({">", "+", "~", "||"})
_WITH_SELECTORS = frozenset({"is", "where", "not", "has", "matches", "host", "host-context", "slotted", "cue"})
_FORGIVING = frozenset({"is", "where", "matches"})
"""In their lists, browsers drop only the part that is wrong."""
_OLD_ELEMENTS = frozenset({"before", "after", "first-line", "first-letter"})
"""Pseudo-elements that may have one colon."""
_ATTRIBUTE_SIGNS = frozenset({"=", "~=", "|=", "^=", "$=", "*="})


def selector_mistakes(tokens: Sequence[Any], *, is_relative: bool, depth: int = 0) -> Iterator[Mistake]:
    """Find what is wrong in a list of selectors.

    Args:
        tokens: Component values of tinycss2.
        is_relative: A selector may begin with a combinator, as in a nested rule.
        depth: In how many other selectors this list is.
    """
    if depth > _DEEPEST:
        return
    part: list[Any] = []
    for token in [*tokens, None]:
        if token is not None and not _is(token, ","):
            part.append(token)
            continue
        meant = _without_space(part)
        if meant:
            yield from _complex(meant, is_relative=is_relative, depth=depth)
        else:
            at = token if token is not None else tokens[-1] if tokens else None
            if at is not None:
                yield at, "A selector is missing beside this comma, so browsers drop the rule.", "Remove the comma."
        part = []


def _without_space(tokens: Sequence[Any]) -> list[Any]:
    """Drop comments everywhere, and spaces at both ends."""
    kept = [token for token in tokens if token.type != "comment"]
    while kept and kept[0].type == "whitespace":
        kept.pop(0)
    while kept and kept[-1].type == "whitespace":
        kept.pop()
    return kept


def _is(token: Any, sign: str) -> bool:
    return bool(token.type == "literal" and token.value == sign)


def _complex(tokens: list[Any], *, is_relative: bool, depth: int) -> Iterator[Mistake]:
    """Check compounds with combinators between them; stops at the first mistake of the grammar."""
    needs_compound: Any = None if is_relative else tokens[0]
    """The token after which a compound must follow; None where a combinator may."""
    has_compound = False
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.type == "whitespace":
            has_compound = False
            at += 1
            continue
        if token.type == "literal" and token.value in _COMBINATORS:
            if needs_compound is not None:
                yield token, f'"{token.value}" has no selector in front of it, so browsers drop the rule.', ""
                return
            needs_compound, has_compound = token, False
            at += 1
            continue
        taken, mistakes, is_over = _simple(tokens, at, has_compound=has_compound, depth=depth)
        yield from mistakes
        if is_over:
            return
        needs_compound, has_compound = None, True
        at += taken
    if needs_compound is not None:
        yield needs_compound, f'"{needs_compound.value}" has no selector behind it, so browsers drop the rule.', ""


def _simple(tokens: list[Any], at: int, *, has_compound: bool, depth: int) -> tuple[int, list[Mistake], bool]:
    """Check a simple selector; returns (number of its tokens, mistakes, whether the rest cannot be read)."""
    token = tokens[at]
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    match token.type:
        case "ident" if not has_compound or (tokens[at - 1].type == "literal" and tokens[at - 1].value in ("|", "&")):
            return 1, [], False
        case "hash" if token.is_identifier:
            return 1, [], False
        case "[] block":
            return 1, list(_attribute(token)), False
        case "literal":
            if token.value in ("*", "&", "|"):
                return 1, [], False
            if token.value == ".":
                if following is not None and following.type == "ident":
                    return 2, [], False
                return 1, [(token, "This dot has no name of a class behind it, so browsers drop the rule.", "")], True
            if token.value == ":":
                return _pseudo(tokens, at, depth)
            if token.value == "/":
                hint = "Write /* … */: style sheets have no comments that begin with //."
                return 1, [(token, '"/" is not part of a selector, so browsers drop the rule.', hint)], True
    # Not what blocks hold: they may be within each other more often than Python can call itself.
    shown = {"() block": "(", "{} block": "{", "function": "("}.get(token.type) or token.serialize()[:40]
    if token.type == "dimension" and shown.startswith("."):
        hint = "Names of classes cannot begin with a digit."
    elif token.type == "hash":
        hint = "Names of ids cannot begin with a digit."
    else:
        hint = ""
    return 1, [(token, f'"{shown}" is not part of a selector, so browsers drop the rule.', hint)], True


def _pseudo(tokens: list[Any], at: int, depth: int) -> tuple[int, list[Mistake], bool]:
    colons = 2 if at + 1 < len(tokens) and _is(tokens[at + 1], ":") else 1
    found = tokens[at + colons] if at + colons < len(tokens) else None
    if found is None or found.type not in ("ident", "function"):
        hint = "A space may follow none of the colons of a selector. A declaration before it may have no semicolon."
        return colons, [(tokens[at], "This colon has no name behind it, so browsers drop the rule.", hint)], True
    name = found.lower_value if found.type == "ident" else found.lower_name
    is_element = colons == 2 or name in _OLD_ELEMENTS
    known = known_names("pseudo-elements" if is_element else "pseudo-classes")
    mistakes: list[Mistake] = []
    if not name.startswith("-") and name not in known:
        sign, what = ("::", "element") if is_element else (":", "class")
        other = known_names("pseudo-classes" if is_element else "pseudo-elements")
        if name in other:
            hint = f'Did you mean "{":" if is_element else "::"}{name}"?'
        else:
            close = nearest_name(name, known)
            hint = f'Did you mean "{sign}{close}"?' if close else ""
        message = f'"{sign}{name}" is not a pseudo-{what} that is known; browsers that do not know it drop the rule.'
        mistakes.append((found, message, hint))
    if found.type == "function":
        if not _without_space(found.arguments) and name not in _FORGIVING:
            mistakes.append((found, f'"{name}()" holds nothing, so browsers drop the rule.', ""))
        elif name in _WITH_SELECTORS and name not in _FORGIVING:
            mistakes += selector_mistakes(found.arguments, is_relative=name == "has", depth=depth + 1)
        elif name in _FORGIVING:
            mistakes += [
                (token, message.replace("drop the rule", "ignore it"), hint)
                for token, message, hint in selector_mistakes(found.arguments, is_relative=False, depth=depth + 1)
            ]
    return colons + 1, mistakes, False


def _attribute(block: Any) -> Iterator[Mistake]:
    """Check `[name]`, `[ns|name]`, `[name=value]` and `[name=value i]`."""
    parts = [token for token in block.content if token.type not in ("whitespace", "comment")]
    while len(parts) > 1 and (_is(parts[0], "|") or _is(parts[1], "|")):
        parts = parts[1:] if _is(parts[0], "|") else parts[2:]
    if not parts or parts[0].type != "ident":
        yield block, "These brackets hold no name of an attribute, so browsers drop the rule.", ""
        return
    if len(parts) == 1:
        return
    sign, *value = parts[1:]
    if not (sign.type == "literal" and sign.value in _ATTRIBUTE_SIGNS):
        yield (
            block,
            "After the name of an attribute there must be = or one of ~= |= ^= $= *=; browsers drop the rule.",
            "",
        )
    elif not value or value[0].type not in ("ident", "string"):
        yield block, "The value of this attribute must be a name or in quotes; browsers drop the rule.", 'Write ["…"].'
    elif len(value) > 1 and not (len(value) == 2 and value[1].type == "ident" and value[1].lower_value in ("i", "s")):
        yield block, "Only i or s may follow the value of an attribute; browsers drop the rule.", ""
