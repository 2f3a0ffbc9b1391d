"""Elements of HTML in JSX: their attributes, written as HTML, and braces around them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, NamedTuple

from octavo.content.escape import escape_attribute
from octavo.content.html_names import needs_end_tag
from octavo.content.plain import code_in
from octavo.content.scan.buffer import Buffer
from octavo.content.scan.expressions import NotLiteralError
from octavo.content.scan.jsx import MissingProp, find_expression_end, parse_expression
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.scan.jsx import Tag
    from octavo.content.scan.scope import Scope
    from octavo.content.source import Fragment

_RENAMED = {
    "className": "class",
    "htmlFor": "for",
    "tabIndex": "tabindex",
    "colSpan": "colspan",
    "rowSpan": "rowspan",
    "srcSet": "srcset",
    "autoPlay": "autoplay",
    "playsInline": "playsinline",
    "allowFullScreen": "allowfullscreen",
    "frameBorder": "frameborder",
    "crossOrigin": "crossorigin",
    "xlinkHref": "xlink:href",
}
_HYPHENATED = re.compile(
    r"(?:stroke|fill|stop|clip|flood|lighting|font|text|dominant|alignment|marker|paint|shape|color|image|pointer|vector)"
    r"[A-Z]\w*"
)
"""SVG attributes that HTML writes with hyphens."""
_WITHOUT_UNIT = frozenset(
    {
        "animationIterationCount",
        "aspectRatio",
        "columnCount",
        "columns",
        "fillOpacity",
        "flex",
        "flexGrow",
        "flexShrink",
        "fontWeight",
        "gridArea",
        "gridColumn",
        "gridRow",
        "lineClamp",
        "lineHeight",
        "opacity",
        "order",
        "orphans",
        "scale",
        "strokeOpacity",
        "tabSize",
        "widows",
        "zIndex",
        "zoom",
    }
)
"""Style properties whose numbers have no unit; React adds `px` to the numbers of all others."""


_SHOWN_IN_DARK = frozenset(f"dark:{one}" for one in ("block", "flex", "grid", "inline", "inline-block", "inline-flex"))


def needs_html(tag: Tag) -> bool:
    """Whether a tag holds anything that HTML would write in another way."""
    return tag.has_expressions or any(_html_name(name) != name for name in tag.attributes)


def tag_to_html(tag: Tag) -> str:
    """Write a tag as HTML."""
    parts = [tag.name]
    for name, value in tag.attributes.items():
        text = _style(value) if name == "style" and isinstance(value, dict) else value
        if name in ("class", "className") and isinstance(text, str):
            text = with_mode(text)
        if text is True:
            parts.append(_html_name(name))
        elif text is not None and text is not False and not isinstance(text, (list, dict)):
            parts.append(f'{_html_name(name)}="{escape_attribute(str(text))}"')
    if tag.is_self_closing and needs_end_tag(tag.name):
        return f"<{' '.join(parts)}></{tag.name}>"
    return f"<{' '.join(parts)}{' />' if tag.is_self_closing else '>'}"


def with_mode(classes: str) -> str:
    """Add the classes of pictures for one mode to those with which Tailwind hides them in the other."""
    names = classes.split()
    if "dark:hidden" in names:
        return f"{classes} themed themed-light"
    if "hidden" in names and not _SHOWN_IN_DARK.isdisjoint(names):
        return f"{classes} themed themed-dark"
    return classes


def _html_name(name: str) -> str:
    if name in _RENAMED:
        return _RENAMED[name]
    return _hyphenated(name) if _HYPHENATED.fullmatch(name) else name


def _hyphenated(name: str) -> str:
    return re.sub(r"[A-Z]", lambda match: f"-{match[0].lower()}", name)


def _style(values: dict[str, Any]) -> str:
    """Write a style object as CSS; numbers are pixels where the property has a unit."""
    rules = []
    for name, value in values.items():
        is_length = isinstance(value, (int, float)) and not isinstance(value, bool) and value != 0
        unit = "px" if is_length and name not in _WITHOUT_UNIT and not name.startswith("--") else ""
        rules.append(f"{name if name.startswith('--') else _hyphenated(name)}: {value}{unit}")
    return "; ".join(rules)


_MAX_UNCLOSED = 20
"""Braces without an end that are looked at in one file: each is read to the end of the text."""
_WRAPPED = re.compile(r"(?<![=\w$}\\{])\{(?=\s*<[A-Za-z>])")


def prepare_jsx(fragment: Fragment, scope: Scope, own: Collection[str]) -> Fragment:
    """Read what a page in MDX has of JSX around its text: braces around elements, and the head that Docusaurus knows.

    Args:
        fragment: What is read.
        scope: Of the file.
        own: Names of the site's components.
    """
    fragment = _without_wrapped_jsx(_with_conditions(fragment, scope))
    if "<Head" in fragment.text and "Head" not in own:
        scope.imports.setdefault("Head", "")
        scope.builtins.setdefault("Head", "Head")
    if "<head" in fragment.text:
        scope.imports.setdefault("head", "")
        scope.builtins.setdefault("head", "Head")
    return fragment


def _without_wrapped_jsx(fragment: Fragment) -> Fragment:
    """Take the braces away from expressions that are nothing but elements, `{<div>…</div>}`: what they hold is a part of the page."""
    text = fragment.text
    if _WRAPPED.search(text) is None:
        return fragment

    def kept(match: re.Match[str], end: int) -> _Kept | None:
        start = match.start() + 1
        return _Kept(start, end - 1, " ") if text[start : end - 1].rstrip().endswith(">") else None

    return _replaced(fragment, _WRAPPED, kept)


class _Kept(NamedTuple):
    """What is left of an expression: offsets in the text, and what is written around it."""

    start: int
    stop: int
    before: str = ""
    after: str = ""


def _replaced(
    fragment: Fragment, pattern: re.Pattern[str], kept: Callable[[re.Match[str], int], _Kept | None]
) -> Fragment:
    """Write a part of expressions in their place.

    Args:
        fragment: What is read.
        pattern: How such an expression begins, its brace included.
        kept: Gives what is left of one, from its beginning and the offset after its end; None leaves it as it is.
    """
    text = fragment.text
    code = list(code_in(text))
    starts = [block.start for block in code]
    buffer, position, unclosed = Buffer(fragment), 0, 0
    for match in pattern.finditer(text):
        at = match.start()
        before = bisect_right(starts, at) - 1
        if at < position or unclosed >= _MAX_UNCLOSED or (before >= 0 and at < code[before].end):
            continue
        end = find_expression_end(text, at)
        unclosed += end < 0
        # Not an attribute's value, nor a part of another expression.
        if end < 0 or _in_tag(text, at) or (part := kept(match, end)) is None:
            continue
        buffer.copy(position, at)
        if part.start < part.stop:
            buffer.write(part.before, fragment.origin(at))
            buffer.copy(part.start, part.stop)
            buffer.write(part.after, fragment.origin(part.stop))
        position = end
    if not position:
        return fragment
    buffer.copy(position, len(text))
    return buffer.fragment(is_contained=fragment.is_contained)


_CONDITION = re.compile(
    r"""(?<![=\w$}\\{])\{\s*(?P<negation>!{0,2})\s*(?P<left>[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*)\s*"""
    r"""(?:(?P<operator>[=!]==?)\s*(?P<right>"[^"\n]*"|'[^'\n]*'|-?\d+(?:\.\d+)?|true|false|null|undefined)\s*)?(?P<then>&&|\?(?![.?]))\s*"""
)
"""A condition in front of a part of the page: `{props.isOld && <p>…</p>}`, `{props.kind === "a" ? "one" : "two"}`."""
_LITERAL = re.compile(r"""(?:"[^"\n]*"|'[^'\n]*'|`[^`$]*`|null|undefined|false)(?=\s*(?::|\Z))""")
_ELSE = re.compile(r"""(?<=[>)"'`l])\s*:\s*(?=[<("'`]|null\b|undefined\b)""")


def _with_conditions(fragment: Fragment, scope: Scope) -> Fragment:
    """Decide conditions whose values are known: the part that counts stays, in the place where it stands."""
    text = fragment.text
    if "&&" not in text and " ? " not in text and "?\n" not in text:
        return fragment

    def kept(match: re.Match[str], end: int) -> _Kept | None:
        branches = _branches(text, match.end(), end - 1, match["then"])
        decided = _decide(match, scope) if branches else None
        if branches is None or decided is None:
            return None
        return _Kept(*branches[0 if decided else 1], "{", "}")

    return _replaced(fragment, _CONDITION, kept)


def _decide(match: re.Match[str], scope: Scope) -> bool | None:
    """Give the value of a condition; None where it is not known."""
    try:
        left, _ = parse_expression(f"{{{match['left'].replace('?.', '.')}}}", 0, scope.props)
        right = parse_expression(f"{{{match['right']}}}", 0, scope.props)[0] if match["operator"] else None
    except NotLiteralError:
        return None
    if isinstance(left, MissingProp):
        if len(scope.chain) == 1:  # a page, which nobody gives anything
            return None
        left = None
    if match["operator"]:
        is_equal = left == right and isinstance(left, bool) == isinstance(right, bool)
        return is_equal == (match["operator"][0] == "=") if not match["negation"] else None
    # Lists and tables count, also without content.
    is_true = isinstance(left, (list, dict)) or bool(left)
    return is_true != (len(match["negation"]) == 1)


def _branches(text: str, start: int, end: int, then: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Find what counts where a condition holds and where not: offsets; None where a part is more than elements or a literal."""
    split = _ELSE.search(text, start, end) if then == "?" else None
    if then == "?" and split is None:
        return None
    first = _part(text, start, split.start() if split else end)
    second = _part(text, split.end(), end) if split else (end, end)
    return (first, second) if first and second else None


def _part(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if text.startswith("(", start) and text.endswith(")", start, end):
        return _part(text, start + 1, end - 1)
    is_markup = text.startswith("<", start) and text.endswith(">", start, end)
    literal = _LITERAL.match(text, start, end)
    return (start, end) if is_markup or (literal and literal.end() == end) else None


def _in_tag(text: str, at: int) -> bool:
    """Whether braces stand among the attributes of a tag."""
    before = text[max(0, at - _LONGEST_TAG) : at]
    start = before.rfind("<")
    return start >= 0 and re.match(r"<[A-Za-z][\w.]*(?:\s[^<>]*)?\Z", before[start:]) is not None


_LONGEST_TAG = 2_000
