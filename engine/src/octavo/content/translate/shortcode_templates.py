"""Templates of a site's own shortcodes, where they are simple: text around arguments, content and parameters.

Known are `.Get`, `.Inner`, `.Page.Params`, `.Site.Params`, variables, `with`, `range`, `if` and `else`, partials of the
site with a `dict`, and the functions that only change how a value is written. Anything else makes the template too much for this reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from octavo.content.translate.template_functions import (
    CODE,
    FUNCTIONS,
    SHORTCODE,
    SITE_FUNCTIONS,
    call_site,
    inline_html,
    page_value,
    shortcode_value,
)
from octavo.errors import OctavoError

if TYPE_CHECKING:
    from octavo.content.translate.shortcodes import ShortcodeCall
    from octavo.content.translate.surroundings import Surroundings

PAGE = "\ufdd4"
"""Marks the start and the end of a page's content in what a template gives."""
INNER = "\ufdd2"
"""Stands for the content of a shortcode in what its template gives."""

_ACTION = re.compile(
    r"(?P<left>\{\{-\s|\{\{)(?P<body>(?:\"(?:[^\"\\]|\\.)*\"|`[^`]*`|[^\"`])*?)(?P<right>\s-\}\}|\}\})", re.DOTALL
)
_WORD = re.compile(r"\"(?:[^\"\\]|\\.)*\"|`[^`]*`|\(|\)|\||:=|=|[^\s()|\"`]+")
_KEEPING = frozenset(
    ["markdownify", "safeHTML", "safeURL", "safeHTMLAttr", "safeCSS", "htmlEscape", "plainify", "absURL", "relURL",
     "absLangURL", "relLangURL", "string", "printf", "$.Page.RenderString", ".Page.RenderString", "page.RenderString",
     "RenderString", "transform.Markdownify", "strings.TrimSpace", "title", "humanize", "urlize"]
)  # fmt: skip
"""Functions that give their last argument, as far as readers see."""
_MOST_STEPS = 50_000
_DEEPEST = 8
"""Partials within partials."""
_TOOLS = re.compile(r"<(textarea|button|select|svg|noscript|style|template)\b[^<>]*>.*?</\1\s*>", re.DOTALL)
"""Elements that only programs of the old site use, and its styles."""
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_COUNTERS = frozenset([".Ordinal", "$.Ordinal", "now.UnixNano", "now.Unix", "now.Nanosecond"])
"""What tells several uses of a shortcode apart."""
_SCRATCH = frozenset(
    f"{root}.{what}"
    for root in (".Scratch", "$.Scratch", ".Page.Scratch", "$.Page.Scratch", ".Store", "$.Store", ".Page.Store")
    for what in ("Add", "Delete", "Get", "Set")
)
_PAGE = frozenset([".", "$", ".Page", "$.Page", "page"])
_PARAM = frozenset([".Page.Param", "$.Page.Param", "page.Param", ".Site.Param", "site.Param"])
_LONGEST_KEPT = 100_000
_LONGEST_WRITTEN = 5_000_000
_READING = frozenset(["readFile", "os.ReadFile", "fileExists", "os.FileExists"])


_ASSIGNMENT = re.compile(r"(\$\w+)\s*:?=(?!=)\s*(.+)", re.DOTALL)
_RENDERING = re.compile(r"(?:[\w.$]*\.)?RenderString")
_RENDERED = re.compile(r"(?P<page>\$?[\w.]*)\.(?:RenderShortcodes|RawContent|Content)")
_DATA = re.compile(r"\$?\.?(?:Page\.|page\.)?(?:Site|site|hugo)\.Data((?:\.\w+)*)")


class _Data(dict[str, Any]):
    """A folder of Hugo's data: its files are read when they are asked for."""

    def __init__(self, around: Surroundings, names: list[str]) -> None:
        super().__init__()
        self._around, self._path = around, names

    def get(self, key: str, default: Any = None) -> Any:
        """Give what is under a name."""
        found = self._around.data(*self._path, key)
        return default if found is None else found


class TemplateError(OctavoError):
    """A template does more than this reader knows."""


def render_template(template: str, call: ShortcodeCall, around: Surroundings) -> str:
    """Give what a template writes; its content is marked with `INNER`.

    Raises:
        TemplateError: it uses what is not known here.
    """
    reader = _Reader(template, call, around)
    text = _TOOLS.sub("", reader.block(None))
    if text.count(INNER) > 1 or "<script" in text or "<style" in text:
        raise TemplateError("its content is used twice, or it is a program")
    if CODE in text:
        # The tables and boxes around code are the old theme's; Markdown within them would need empty lines.
        pieces = text.split(CODE)
        return CODE.join(piece if index % 2 else _TAG.sub("", piece) for index, piece in enumerate(pieces))
    return text


def tidy(text: str, *, in_code: bool = False) -> str:
    """Leave out the blank lines and the indentation that a template has for its own readers, but for those of code."""
    if PAGE in text:
        parts = text.split(PAGE)
        return "\n\n".join(filter(None, (one if at % 2 else tidy(one) for at, one in enumerate(parts))))
    pieces = [
        piece if (index % 2 == 0) == in_code else "\n".join(line.strip() for line in piece.split("\n") if line.strip())
        for index, piece in enumerate(text.split(CODE))
    ]
    return pieces[0] if len(pieces) == 1 else "\n\n".join(piece for piece in pieces if piece)


class _Reader:
    def __init__(
        self,
        template: str,
        call: ShortcodeCall,
        around: Surroundings,
        *,
        depth: int = 0,
        fields: dict[str, Any] | None = None,
        written: list[int] | None = None,
    ) -> None:
        self._call = call
        self._around = around
        self._depth = depth
        self._fields = fields
        """What a partial is given; None in the template of a shortcode."""
        self._written = [0, 0] if written is None else written
        """Pieces and characters that were written, those of partials among them: these may use each other in loops."""
        self._names: dict[str, Any] = {}
        self._kept: dict[str, Any] = {}
        """What the template keeps under names (`.Scratch`)."""
        self._pieces = list(_pieces(template))
        self._at = 0

    def block(self, dot: Any, *, is_shown: bool = True) -> str:
        """Write up to the end, or to an `else` or `end` of this level."""
        out: list[str] = []
        while self._at < len(self._pieces):
            self._written[0] += 1
            self._written[1] += len(out[-1]) if out else 0
            if self._written[0] > _MOST_STEPS or self._written[1] > _LONGEST_WRITTEN:
                raise TemplateError("it is too long")
            is_action, text = self._pieces[self._at]
            if not is_action:
                out.append(text if is_shown else "")
                self._at += 1
                continue
            word = text.split(maxsplit=1)[0] if text.split() else ""
            if word in ("else", "end"):
                break
            self._at += 1
            if word in ("if", "with"):
                out.append(self._choice(word, text[len(word) :], dot, is_shown=is_shown))
            elif word == "range":
                out.append(self._range(text[len(word) :], dot, is_shown=is_shown))
            elif word in ("define", "block", "template"):
                raise TemplateError(f"{word} is not known")
            elif word.startswith("/*") or word == "":
                continue
            elif match := _ASSIGNMENT.match(text):
                if is_shown:
                    self._names[match[1]] = _bounded(self._value(match[2], dot, may_be_folder=True))
            elif is_shown:
                out.append(_shown(self._value(text, dot)))
        return "".join(out)

    def _choice(self, word: str, condition: str, dot: Any, *, is_shown: bool) -> str:
        given = self._condition(condition, dot) if is_shown else ""
        is_taken = bool(given) and is_shown
        out = self.block(given if word == "with" else dot, is_shown=is_taken)
        while self._at < len(self._pieces):
            text = self._pieces[self._at][1].split(maxsplit=2)
            self._at += 1
            if text[0] == "end":
                return out
            inner = is_shown and not is_taken
            if len(text) > 1 and text[1] in ("if", "with"):
                given = self._condition(text[2] if len(text) > 2 else "", dot) if inner else ""
                inner = inner and bool(given)
                out += self.block(given if text[1] == "with" else dot, is_shown=inner)
            else:
                out += self.block(dot, is_shown=inner)
            is_taken = is_taken or inner
        raise TemplateError("a block has no end")

    def _condition(self, text: str, dot: Any) -> Any:
        """Give the value of a condition, and keep it under the name that it is given there."""
        match = _ASSIGNMENT.match(text.strip())
        if match is None:
            return self._value(text, dot)
        self._names[match[1]] = given = self._value(match[2], dot)
        return given

    def _range(self, text: str, dot: Any, *, is_shown: bool) -> str:
        """Write a block once for each value of a list, or for each key of a mapping."""
        names, _, listed = text.rpartition(":=")
        own = re.findall(r"\$\w+", names)
        given = self._value(listed, dot) if is_shown else []
        if not isinstance(given, (list, dict)) and given:
            raise TemplateError("range goes over lists only")
        pairs = list(given.items() if isinstance(given, dict) else enumerate(given or []))
        start, out = self._at, []
        if not pairs:
            self.block(dot, is_shown=False)
        for key, value in pairs:
            self._at = start
            self._names |= dict(zip(own, [value] if len(own) == 1 else [key, value], strict=False))
            out.append(self.block(value))
        while self._at < len(self._pieces):
            word = self._pieces[self._at][1].split(maxsplit=1)[0]
            self._at += 1
            if word == "end":
                return "".join(out)
            out.append(self.block(dot, is_shown=is_shown and not pairs))
        raise TemplateError("a block has no end")

    def _field(self, word: str, dot: Any) -> Any:
        """Give a field of the current value, or of what a partial is given; None where the word is no field of these."""
        match = re.fullmatch(r"(?P<root>\$\w*)?(?P<path>(?:\.\w+)+)", word)
        if match is None:
            return None
        root = match["root"]
        found = self._names.get(root) if root not in (None, "$") else self._fields if root == "$" else dot
        if not isinstance(found, dict):
            return None
        for name in match["path"][1:].split("."):
            try:
                found = found.get(name, "") if isinstance(found, dict) else ""
            except LookupError as error:
                raise TemplateError(str(error)) from error
        return found

    def _partial(self, name: str, given: Any) -> str:
        """Draw a partial of the site."""
        template = self._around.partial(name)
        if template is None or self._depth >= _DEEPEST:
            raise TemplateError(f"the partial {name} is not known")
        fields = None if given is SHORTCODE else given if isinstance(given, dict) else {}
        reader = _Reader(
            template, self._call, self._around, depth=self._depth + 1, fields=fields, written=self._written
        )
        return reader.block(None if given is SHORTCODE else given)

    def _value(self, text: str, dot: Any, *, may_be_folder: bool = False) -> Any:
        words = _WORD.findall(text.strip())
        value, rest = self._pipeline(words, dot)
        if rest or (isinstance(value, _Data) and not may_be_folder):
            # Whether a folder of data is empty, or lies elsewhere, cannot be seen here.
            raise TemplateError(f"{text} is not known")
        return value

    def _pipeline(self, words: list[str], dot: Any) -> tuple[Any, list[str]]:
        value: Any = None
        is_first = True
        while True:
            arguments: list[Any] = []
            command = ""
            while words and words[0] not in ("|", ")"):
                word, words = words[0], words[1:]
                if word == "(":
                    inner, words = self._pipeline(words, dot)
                    if not words or words[0] != ")":
                        raise TemplateError("a bracket is open")
                    words = words[1:]
                    if words and isinstance(inner, dict) and re.fullmatch(r"\.\w+", words[0]):
                        try:
                            inner, words = inner.get(words[0][1:], ""), words[1:]
                        except LookupError as error:
                            raise TemplateError(str(error)) from error
                    arguments.append(inner)
                elif not command and not arguments and self._is_function(word):
                    command = word
                elif command in ("ref", "relref") and word in _PAGE:
                    continue  # the page from which links lead on
                else:
                    arguments.append(self._atom(word, dot))
            if not is_first:
                arguments.append(value)
            value = self._call_function(command, arguments)
            is_first = False
            if words and words[0] == "|":
                words = words[1:]
                continue
            return value, words

    def _is_function(self, word: str) -> bool:
        return (
            word in _KEEPING
            or _RENDERING.fullmatch(word) is not None
            or word in FUNCTIONS
            or word in SITE_FUNCTIONS
            or word in _READING
            or word
            in (
                ".Get",
                "$.Get",
                ".Parent.Get",
                "default",
                "or",
                "and",
                "not",
                "eq",
                "ne",
                "isset",
                "print",
                "ref",
                "relref",
                ".IsNamedParams",
                *_SCRATCH,
                *_PARAM,
            )
        )

    def _atom(self, word: str, dot: Any) -> Any:
        if word[0] in '"`':
            return re.sub(r"\\(.)", r"\1", word[1:-1]) if word[0] == '"' else word[1:-1]
        if word in self._names:
            return self._names[word]
        if word in (".Inner", "$.Inner"):
            return INNER if self._call.inner.strip() else ""
        if word == "." and isinstance(dot, (str, list, dict, int)):
            return dot
        is_own = self._fields is None and (dot is None or word.startswith("$"))
        if is_own and (known := shortcode_value(word, self._call)) is not None:
            return known
        if match := _RENDERED.fullmatch(word):
            return self._content_of(match["page"], dot)
        if (field := self._field(word, dot)) is not None:
            return field
        if re.fullmatch(r"-?\d+", word):
            return int(word)
        if re.fullmatch(r"-?\d+\.\d+", word):
            return float(word)
        if word in ("true", "false", "nil"):
            return word == "true"
        if match := re.fullmatch(r"\$?\.?(?:Page|Site|page|site)\.?(?:Page\.)?(?:Site\.)?Params\.([\w.-]+)", word):
            return self._around.value(match[1]) or ""
        if match := _DATA.fullmatch(word):
            names = match[1].strip(".").split(".") if match[1] else []
            return _Data(self._around, names) if (found := self._around.data(*names)) is None else found
        if word in _COUNTERS:
            return self._call.number
        if match := re.fullmatch(r"\$?\.?(?:Page|page)\.File\.(Path|Dir|LogicalName|BaseFileName)", word):
            return self._file(match[1])
        if re.fullmatch(r"\$?\.?(?:Page|page)\.RelPermalink", word):
            return self._around.content_route
        if (found := page_value(word, self._around)) is not None:
            return found
        raise TemplateError(f"{word} is not known")

    def _content_of(self, page: str, dot: Any) -> str:
        """Give what a page of the site holds, without its front matter."""
        found = self._field(f"{page}.Path", dot)
        if not isinstance(found, str) or (text := self._around.content_of(found)) is None:
            raise TemplateError(f"the content of {page or 'this'} is not known")
        return f"{PAGE}{text}{PAGE}"

    def _scratch(self, what: str, arguments: list[Any]) -> Any:
        """Keep, add to, or give a value that the template keeps under a name of its own."""
        key = str(arguments[0])
        if what == "Get":
            return self._kept.get(key, "")
        if what == "Delete":
            self._kept.pop(key, None)
        elif len(arguments) == 2:
            before, new = self._kept.get(key), arguments[1]
            if what == "Add" and before is not None:
                if isinstance(before, list):
                    new = [*before, *(new if isinstance(new, list) else [new])]
                elif isinstance(before, str) or isinstance(new, str):
                    new = f"{before}{new}"
                else:
                    new = before + new
            self._kept[key] = _bounded(new)
        return ""

    def _file(self, part: str) -> str:
        """Give the path of the page from the folder of the content, or a part of it."""
        path = self._around.content_path
        name = path.rpartition("/")[2]
        return {"Path": path, "Dir": path[: len(path) - len(name)], "LogicalName": name}.get(
            part, name.rpartition(".")[0]
        )

    def _read(self, path: Any) -> str:
        text = self._around.file(str(path))
        if text is None:
            raise TemplateError(f"{path} does not exist")
        return text

    def _call_function(self, name: str, arguments: list[Any]) -> Any:
        if name in (".Get", "$.Get") and len(arguments) == 1:
            key = arguments[0]
            return self._call.get(at=key) if isinstance(key, int) else self._call.get(str(key))
        if name == ".Parent.Get" and len(arguments) == 1:
            key, parent = arguments[0], self._call.parent or self._call
            return parent.get(at=key) if isinstance(key, int) else parent.get(str(key))
        if name in ("", "print") and len(arguments) == 1:
            return arguments[0]
        if name == "print":
            return _printed(arguments)
        if name in _SCRATCH and arguments:
            return self._scratch(name.rpartition(".")[2], arguments)
        if name in _PARAM and len(arguments) == 1:
            return self._around.value(str(arguments[0])) or ""
        if name == "default" and len(arguments) == 2:
            return arguments[1] or arguments[0]
        if name in ("or", "and"):
            found = [one for one in arguments if bool(one) == (name == "or")]
            return found[0] if found else arguments[-1] if arguments else ""
        if name == "not" and len(arguments) == 1:
            return not arguments[0]
        if name in ("eq", "ne") and len(arguments) == 2:
            return (str(arguments[0]) == str(arguments[1])) == (name == "eq")
        if name == ".IsNamedParams" and not arguments:
            return bool(self._call.named)
        if name in ("ref", "relref") and arguments:
            last = arguments[-1]
            return self._around.page(str(last.get("path", "") if isinstance(last, dict) else last))
        if name == "printf" and arguments and isinstance(arguments[0], str):
            values = iter(arguments[1:])
            return re.sub(
                r"%(?:%|[+#]?[\d.]*([vsdqt]))", lambda one: _formatted(one[1], values) if one[1] else "%", arguments[0]
            )
        if name in _READING and len(arguments) == 1:
            return (
                self._around.file(str(arguments[0])) is not None
                if name.endswith("Exists")
                else self._read(arguments[0])
            )
        is_partial = name in ("partial", "partialCached") and len(arguments) > 1
        if is_partial and "icon" not in (called := str(arguments[0])) and self._around.partial(called):
            return self._partial(called, arguments[1])
        if name in FUNCTIONS or name in SITE_FUNCTIONS:
            try:
                if name in SITE_FUNCTIONS:
                    return call_site(name, arguments, self._around)
                return FUNCTIONS[name](*arguments)
            except (TypeError, ValueError, LookupError, AttributeError) as error:
                raise TemplateError(f"{name}: {error}") from error
        if (name in _KEEPING or _RENDERING.fullmatch(name)) and arguments:
            last = arguments[-1]
            is_prose = name.rpartition(".")[2].lower() in ("markdownify", "renderstring")
            return inline_html(last) if is_prose and isinstance(last, str) and INNER not in last else last
        raise TemplateError(f"{name or 'this'} is not known")


def _formatted(verb: str, values: Iterator[Any]) -> str:
    shown = _shown(next(values, ""))
    return f'"{shown}"' if verb == "q" else shown


def _printed(values: list[Any]) -> str:
    """Join values as Go does: with a space between two of which neither is a text."""
    out = ""
    for number, value in enumerate(values):
        is_apart = number and not isinstance(value, str) and not isinstance(values[number - 1], str)
        out += (" " if is_apart else "") + _shown(value)
    return out


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, dict)) and any(isinstance(one, (list, dict)) for one in value):
        raise TemplateError(
            "a list within a list is no text"
        )  # lists that hold themselves twice, again and again, have no end
    return "" if value is None else str(value)


def _bounded(value: Any) -> Any:
    """Give a value that a template keeps; each step of a loop could make it twice as long."""
    if isinstance(value, (str, list)) and len(value) > _LONGEST_KEPT:
        raise TemplateError("what it keeps is too long")
    return value


def _pieces(template: str) -> Iterator[tuple[bool, str]]:
    """Split a template into text and actions; white space goes where an action says so."""
    template = re.sub(r"\{\{-?\s*/\*.*?\*/\s*-?\}\}|<!--.*?-->", "", template, flags=re.DOTALL)
    position, trims = 0, False
    for match in _ACTION.finditer(template):
        text = template[position : match.start()]
        text = text.lstrip() if trims else text
        text = text.rstrip() if match["left"] != "{{" else text
        if text:
            yield False, text
        yield True, match["body"].strip()
        position, trims = match.end(), match["right"] != "}}"
    text = template[position:]
    if text := text.lstrip() if trims else text:
        yield False, text
