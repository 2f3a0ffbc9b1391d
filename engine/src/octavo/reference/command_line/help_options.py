"""The options of a `--help` output."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from octavo.lazy import regex as re
from octavo.reference.command_line.model import OPTION_NAME, Option

PLACEHOLDER = re.compile(r"[A-Z][A-Z0-9_]*(?:\.\.\.)?|<[^>]*>|\[[^\]]*\|[^\]]*\]|\{[^}]*\}")
"""What is in the place of a value."""

_DEEPEST = 6
"""Spaces by which an option without a short name may be indented deeper than others; a line of an explanation is deeper."""
_COLUMNS = re.compile(r"\t+| {2,}")
_SPELLING = re.compile(r"(?P<dashes>--?)(?P<name>[^\s=\[]+)(?:(?:[ =]|(?=\[))(?P<value>.+))?")
_BETWEEN = re.compile(r", ?(?=-)| / |\|(?=-)| +(?=-)")
"""What is between the spellings of an option."""
_FURTHER = re.compile(r"--?[^\s,]+(?: \S+)?(?:, ?--?[^\s,]+(?: \S+)?)*")
"""Spellings in a column of their own, each with a value or without; more words are an explanation."""
_NEGATABLE = re.compile(r"--\[no-\]([^\s,|=\[]+)")
_DEFAULT = re.compile(r"\s*[(\[]default:? (?!is )(?P<value>\"[^\"]*\"|[^)\];]*)(?:;[^\])]*)?[)\]]")
_REQUIRED = re.compile(r"\s*\[required\]")
_WORD = re.compile(r"[a-z0-9][\w.+-]*")
_REPEATED = re.compile(r" *\[-[^\[\]]*\]")
_BRACKET = re.compile(r"\[(-[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]")
"""An option in brackets, within which others may be repeated, as npm writes them."""


class HelpEntry(msgspec.Struct):
    """An entry of a section."""

    indent: int
    columns: list[str]
    """Text on its first line."""
    more: list[str]
    """Lines that continue it."""

    @property
    def usage(self) -> str:
        """What is said of it."""
        return " ".join([*self.columns[1:], *self.more])


def items_of(lines: list[str]) -> Iterator[HelpEntry]:
    """List the entries of a section. What is indented deeper than an entry continues it, and what follows an option directly."""
    item: HelpEntry | None = None
    is_behind_blank = False
    first = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    for line in lines:
        if not line.strip():
            is_behind_blank = True
            continue
        indent = len(line) - len(line.lstrip())
        columns = _COLUMNS.split(line.strip().removeprefix("* ").lstrip())  # a star marks what must be given
        is_option = columns[0].startswith("-") and not columns[0].startswith("- ") and indent <= first + _DEEPEST
        # kubectl writes what an option does directly below it, without indenting it deeper.
        if (
            item is not None
            and not is_option
            and (indent > item.indent or (item.columns[0].startswith("-") and not is_behind_blank))
        ):
            item.more.append(" ".join(columns))
        else:
            if item is not None:
                yield item
            item = HelpEntry(indent, columns, [])
        is_behind_blank = False
    if item is not None:
        yield item


def read_options(lines: list[str]) -> tuple[str, list[Option]]:
    """Read the options of a section.

    Returns:
        (what it says in front of the first of them, the options).
    """
    listed = (match[1] for line in lines if line.startswith("[-") for match in _BRACKET.finditer(line))
    brackets = [_option(_REPEATED.sub("", one), "") for one in listed]
    known = {one.name: one for one in brackets if one is not None}
    listed_as = {spelling: one.name for one in known.values() for spelling in one.names}
    intro = []
    for item in items_of([line for line in lines if not line.startswith("[")]):
        if not item.columns[0].startswith("-"):
            intro.append(" ".join([*item.columns, *item.more]))
            continue
        heads = [item.columns[0].removesuffix(":")]
        rest = item.columns[1:]
        while rest and (_FURTHER.fullmatch(rest[0]) or PLACEHOLDER.fullmatch(rest[0])):
            heads.append(rest.pop(0))
        option = _option(" ".join(heads), " ".join([*rest, *item.more]), has_default=item.columns[0].endswith(":"))
        if option is None:
            continue
        add_option(known, option, listed_as.get(option.names[0], option.name))
    return " ".join(intro), list(known.values())


def add_option(known: dict[str, Option], option: Option, name: str) -> None:
    """Add an option to those that are known under a name; of one that is there already, what is said of it a second time."""
    first = known.get(name)
    if first is None:
        known[name] = option
    elif option.usage not in first.usage:
        known[name] = msgspec.structs.replace(
            first,
            usage=f"{first.usage} {option.usage}".strip(),
            default_value=first.default_value or option.default_value,
        )


def _option(head: str, usage: str, *, has_default: bool = False) -> Option | None:
    """Make an option of its spellings and its explanation; in `--all=false:` what follows the sign is the default."""
    parts = _BETWEEN.split(_NEGATABLE.sub(r"--\1, --no-\1", head))
    spellings = [match for part in parts if (match := _SPELLING.fullmatch(part.strip()))]
    names = [(match["dashes"], match["name"].removesuffix("...")) for match in spellings]
    names = [(dashes, name) for dashes, name in names if OPTION_NAME.fullmatch(name)]
    if not names:
        return None
    values = [match["value"].strip() for match in spellings if match["value"]]
    value = values[0] if values else ""
    long = next((one for one in names if len(one[1]) > 1), names[0])
    short = next((name for _, name in names if len(name) == 1 and name != long[1]), "")
    others = [dashes + name for dashes, name in names if (dashes, name) != long and name != short]
    default = _DEFAULT.search(usage)
    given = default["value"].strip("\"' ") if default else ""
    allowed = choices(value)
    return Option(
        name=long[1],
        shorthand=short,
        prefix="-" if long[0] == "-" and len(long[1]) > 1 else "",
        others=list(dict.fromkeys(others)),
        type="" if allowed or has_default else _type(value) or "bool",
        default_value=value.strip("'\"") if has_default else given,
        usage=_REQUIRED.sub("", _DEFAULT.sub("", usage)).strip(),
        allowed=allowed,
        required="required]" in usage,
    )


def _type(value: str) -> str:
    """Name the value of an option; one that may be left out keeps its brackets."""
    if value.startswith("[="):
        return f"[{value[2:].removesuffix(']').strip('<>')}]"
    return value.strip("<>")


def choices(value: str) -> list[str]:
    """List the values that can be chosen: `[a|b]`, `<a|b>` or `{a,b}`; capitals are names for values of any kind."""
    inner = value[1:-1]
    if value[:1] + value[-1:] in ("[]", "<>") and "|" in inner:
        words = inner.split("|")
        return words if all(_WORD.fullmatch(word) for word in words) else []
    return inner.split(",") if value[:1] + value[-1:] == "{}" else []


def without_required(text: str) -> str:
    """Take the mark off that an argument must be given."""
    return _REQUIRED.sub("", text)
