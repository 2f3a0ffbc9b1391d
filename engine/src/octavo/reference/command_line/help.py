"""`--help` output → `Command`, as far as it follows the habits of cobra, click, typer, argparse or pip."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator

import msgspec

from octavo.errors import UsageError
from octavo.reference.command_line.model import NAME, OPTION_NAME, Argument, Command, Option

_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_HEADING = re.compile(
    r"(?P<title>(?:[\w ()-]* )?(?:usage|options|flags|commands|arguments|examples?|aliases|description)):(?P<rest>.*)",
    re.IGNORECASE,
)
_COLUMNS = re.compile(r"\t+| {2,}")
_SPELLING = re.compile(r"(?P<dashes>--?)(?P<name>[^\s=\[]+)(?:(?:[ =]|(?=\[))(?P<value>.+))?")
_PLACEHOLDER = re.compile(r"[A-Z][A-Z0-9_]*(?:\.\.\.)?|<[^>]*>|\[[^\]]*\|[^\]]*\]|\{[^}]*\}")
_DEFAULT = re.compile(r"\s*[(\[]default:? (?!is )(?P<value>\"[^\"]*\"|[^)\];]*)(?:;[^\])]*)?[)\]]")
_REQUIRED = re.compile(r"\s*\[required\]")
_POINTER = re.compile(r"(?:Use|Run|See) [\"'`]")
"""How a sentence begins that tells about the help itself."""
_DEEPEST = 5
_MOST = 1000
"""Commands of one program; more are taken for a program that answers everything."""


class HelpPage(msgspec.Struct, frozen=True):
    """What one help text says."""

    command: Command
    subcommands: list[str]
    """Last words of their names."""


class _Section(msgspec.Struct):
    title: str
    """In lower case; empty for text under no heading."""
    rest: str
    """Text on the heading's own line."""
    lines: list[str]


class _Item(msgspec.Struct):
    indent: int
    columns: list[str]
    """Text on its first line."""
    more: list[str]
    """Lines that continue it."""

    @property
    def usage(self) -> str:
        return " ".join([*self.columns[1:], *self.more])


def collect_help(read: Callable[[list[str]], str], name: str) -> list[Command]:
    """Follow a program's subcommands and read the help of each.

    Args:
        read: Words after the program's name → its help for them; empty where it has none.
        name: The program's name.

    Raises:
        UsageError: its first help cannot be understood.
    """
    found: dict[str, Command] = {}
    seen: set[str] = set()
    queue: list[list[str]] = [[]]
    while queue and len(found) < _MOST:
        words = queue.pop(0)
        text = read(words)
        if text in seen or (words and not text.strip()):
            continue  # a program that shows the same help for everything
        seen.add(text)
        page = parse_help(text, name=" ".join([name, *words]))
        found[page.command.name] = page.command
        if len(words) < _DEEPEST:
            queue += [[*words, word] for word in page.subcommands if word != "help"]
    return [found[key] for key in sorted(found)]


def parse_help(text: str, *, name: str | None = None) -> HelpPage:
    """Read one help text.

    Args:
        text: As the program prints it; colors and frames are taken off.
        name: The whole name of the command; by default the first words of its usage.

    Raises:
        UsageError: there is neither a name nor a usage to take it from.
    """
    sections = list(_split(_bare(text)))
    usage, below = _usage(sections)
    name = name or _name_in(usage)
    if name is None or not NAME.fullmatch(name):
        raise UsageError("This help does not say which command it is about: it has no line that begins with `Usage:`.")
    described = [section.lines for section in sections if section.title in ("", "description")]
    first = next((lines for lines in described if any(line.strip() for line in lines)), [])
    paragraphs = [part for part in _paragraphs([*first, "", *below]) if not _POINTER.match(part)]
    subcommands = dict(_subcommands(sections))
    own = [section for section in sections if section.title.endswith(("options", "flags"))]
    command = Command(
        name=name,
        synopsis=" ".join(paragraphs[0].split()) if paragraphs else "",
        description="\n\n".join(paragraphs) + "\n" if len(paragraphs) > 1 else "",
        usage=usage,
        aliases=_aliases(sections, name),
        arguments=list(_arguments(sections, usage)),
        options=[option for section in own if not _is_inherited(section) for option in _options(section)],
        inherited_options=[option for section in own if _is_inherited(section) for option in _options(section)],
        example=_example(sections),
    )
    return HelpPage(command, [word for word in subcommands if NAME.fullmatch(word)])


def _bare(text: str) -> list[str]:
    """Take colors and frames off; a frame's title becomes a heading."""
    lines = _ESCAPE.sub("", text).expandtabs(4).splitlines()
    is_framed = any(line.startswith("╭─") for line in lines)
    return [bare for line in lines for bare in _unframe(line.rstrip(), is_framed=is_framed)]


def _unframe(line: str, *, is_framed: bool) -> Iterator[str]:
    if line.startswith("╭─"):
        yield line.strip("╭─╮ ") + ":"
    elif line.startswith("│"):
        yield "  " + line[1:].removesuffix("│").rstrip()[1:]
    elif not line.startswith("╰─"):
        yield line.removeprefix(" ") if is_framed else line


def _split(lines: list[str]) -> Iterator[_Section]:
    section = _Section("", "", [])
    for line in lines:
        match = _HEADING.fullmatch(line) if line[:1].strip() else None
        if match:
            yield section
            section = _Section(match["title"].lower(), match["rest"].strip(), [])
        elif line[:1].strip() and section.title and section.title != "usage":
            yield section  # text that is not indented belongs to no heading
            section = _Section("", "", [line])
        else:
            section.lines.append(line)
    yield section


def _usage(sections: list[_Section]) -> tuple[str, list[str]]:
    """Find the usage.

    Returns:
        (its lines, what follows them before the next heading: where click and argparse describe the command).
    """
    section = next((one for one in sections if one.title == "usage"), None)
    if section is None:
        return "", []
    end = next((index for index, line in enumerate(section.lines) if not line.strip()), len(section.lines))
    lines = [section.rest] if section.rest else []
    lines += textwrap.dedent("\n".join(section.lines[:end])).split("\n") if end else []
    return "\n".join(lines), section.lines[end:]


def _name_in(usage: str) -> str | None:
    words = []
    for word in usage.partition("\n")[0].split():
        if not re.fullmatch(r"[a-z0-9][\w.+-]*", word):
            break
        words.append(word)
    return " ".join(words) or None


def _paragraphs(lines: list[str]) -> list[str]:
    text = textwrap.dedent("\n".join(lines))
    return [textwrap.dedent(part).strip("\n") for part in re.split(r"\n\s*\n", text) if part.strip()]


def _is_inherited(section: _Section) -> bool:
    return section.title.startswith(("global", "general", "inherited", "options inherited"))


def _items(section: _Section) -> Iterator[_Item]:
    """List the entries of a section. What is indented deeper than the first one continues the entry before it."""
    item: _Item | None = None
    for line in section.lines:
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        columns = _COLUMNS.split(line.strip().removeprefix("* ").lstrip())  # a star marks what must be given
        is_option = columns[0].startswith("-")
        if item is None or is_option or (not item.columns[0].startswith("-") and indent <= item.indent):
            if item is not None:
                yield item
            item = _Item(indent, columns, [])
        else:
            item.more.append(" ".join(columns))
    if item is not None:
        yield item


def _options(section: _Section) -> Iterator[Option]:
    for item in _items(section):
        if not item.columns[0].startswith("-"):
            continue
        heads = [item.columns[0].removesuffix(":")]
        rest = item.columns[1:]
        while rest and (rest[0].startswith("-") or _PLACEHOLDER.fullmatch(rest[0])):
            heads.append(rest.pop(0))
        option = _option(" ".join(heads), " ".join([*rest, *item.more]), has_default=item.columns[0].endswith(":"))
        if option is not None:
            yield option


def _option(head: str, usage: str, *, has_default: bool) -> Option | None:
    """Make an option of its spellings and its explanation; in `--all=false:` what follows the sign is the default."""
    spellings = [match for part in re.split(r", ?| / | +(?=-)", head) if (match := _SPELLING.fullmatch(part.strip()))]
    names = [match["name"] for match in spellings if OPTION_NAME.fullmatch(match["name"])]
    if not names:
        return None
    values = [match["value"].strip() for match in spellings if match["value"]]
    value = values[0] if values else ""
    long = next((name for name in names if len(name) > 1), names[0])
    short = next((name for name in names if len(name) == 1 and name != long), "")
    default = _DEFAULT.search(usage)
    given = default["value"].strip("\"' ") if default else ""
    allowed = _choices(value)
    return Option(
        name=long,
        shorthand=short,
        type="" if allowed or has_default else value.strip("<>") or "bool",
        default_value=value.strip("'\"") if has_default else given,
        usage=_REQUIRED.sub("", _DEFAULT.sub("", usage)).strip(),
        allowed=allowed,
        required="required]" in usage,
    )


def _choices(value: str) -> list[str]:
    inner = value[1:-1]
    if value[:1] + value[-1:] in ("[]", "<>") and "|" in inner:
        return inner.split("|")
    return inner.split(",") if value[:1] + value[-1:] == "{}" else []


def _subcommands(sections: list[_Section]) -> Iterator[tuple[str, str]]:
    """List (last word, synopsis)."""
    for section in sections:
        if section.title.endswith("commands"):
            for item in _items(section):
                yield item.columns[0].split(",")[0].split(" ")[0].rstrip("*:"), item.usage
        elif section.title == "positional arguments":
            for item in _items(section):
                # What argparse prints of subparsers: `{build,serve}`, then an entry for each.
                yield from ((word, "") for word in _choices(item.columns[0]))


def _arguments(sections: list[_Section], usage: str) -> Iterator[Argument]:
    for section in sections:
        if not section.title.endswith("arguments"):
            continue
        for item in _items(section):
            name = item.columns[0]
            if not name.startswith("{"):
                is_optional = name.startswith("[") or f"[{name}" in usage
                texts = [text for text in item.columns[1:] if not _PLACEHOLDER.fullmatch(text)]
                meaning = _REQUIRED.sub("", " ".join([*texts, *item.more]))
                yield Argument(name=name.strip("[]"), usage=meaning, required=not is_optional)


def _aliases(sections: list[_Section], name: str) -> list[str]:
    last = name.rpartition(" ")[2]
    words = [alias.split(" ")[-1] for alias in _listed(sections, "aliases").replace("\n", ",").split(",") if alias]
    return [word for word in dict.fromkeys(words) if word and word != last]


def _listed(sections: list[_Section], title: str) -> str:
    found = next((section for section in sections if section.title == title), None)
    return "\n".join(line.strip() for line in [found.rest, *found.lines]) if found else ""


def _example(sections: list[_Section]) -> str:
    found = next((section for section in sections if section.title in ("example", "examples")), None)
    text = textwrap.dedent("\n".join(found.lines)).strip("\n") if found else ""
    return f"{text}\n" if text else ""
