"""Draw a template of Hugo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from octavo.content.translate.hugo_templates.functions import FUNCTIONS, SITE_FUNCTIONS, call_site
from octavo.content.translate.hugo_templates.objects import (
    INNER,
    HugoPage,
    HugoSite,
    Shortcode,
    partial_as_shortcode,
)
from octavo.content.translate.hugo_templates.prose import markdown_html
from octavo.content.translate.hugo_templates.syntax import (
    Act,
    Bracket,
    Branch,
    Call,
    Literal,
    Node,
    Pipeline,
    Template,
    TemplateError,
    Term,
    Write,
    read_template,
)
from octavo.content.translate.hugo_templates.times import Time, read_time, write_time
from octavo.content.translate.hugo_templates.values import Data, Thing, Trimmed, field_of, with_content
from octavo.content.translate.surroundings import Kept
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.translate.shortcodes import ShortcodeCall
    from octavo.content.translate.surroundings import Surroundings

_KEEPING = frozenset(
    ["markdownify", "safeHTML", "safeURL", "safeHTMLAttr", "safeCSS", "safeJS", "safeJSStr", "htmlEscape", "plainify",
     "absURL", "relURL", "absLangURL", "relLangURL", "string", "title", "urlize", "transform.Markdownify",
     "strings.TrimSpace", "transform.Plainify", "transform.HTMLEscape", "safe.HTML", "safe.URL", "safe.HTMLAttr",
     "safe.CSS", "safe.JS", "urls.AbsURL", "urls.RelURL", "urls.AbsLangURL", "urls.RelLangURL", "cast.ToString"]
)  # fmt: skip
"""Functions that give their last argument, as far as readers see."""
_CHANGING = frozenset(
    ["split", "strings.Split", "findRE", "strings.FindRE", "replace", "strings.Replace", "replaceRE", "strings.ReplaceRE",
     "len", "strings.Contains", "strings.Count", "strings.Fields", "transform.Unmarshal", "unmarshal", "lower", "upper",
     "strings.ToLower", "strings.ToUpper", "hasPrefix", "hasSuffix", "strings.HasPrefix", "strings.HasSuffix", "truncate",
     "countwords", "substr", "eq", "ne", "in", "findRESubmatch", "strings.FindRESubmatch", "strings.TrimPrefix",
     "strings.TrimSuffix", "md5", "sha1", "sha256", "anchorize"]
)  # fmt: skip
"""Functions that must know the content of a shortcode."""
_TRIMMING = frozenset(["trim", "chomp", "strings.Trim", "strings.TrimSpace", "strings.Chomp"])
_NUMBERED = frozenset(["UnixNano", "Unix", "Nanosecond"])
"""Parts of the time by which templates tell several uses of a shortcode apart."""
_MOST_STEPS = 50_000
_LONGEST_KEPT = 100_000
_LONGEST_WRITTEN = 5_000_000
_DEEPEST = 12
"""Partials within partials."""


class _Leaving(Exception):  # noqa: N818 - no mistake: it ends a block
    """`return`, `break` or `continue`."""

    def __init__(self, kind: str, value: Any) -> None:
        super().__init__(kind)
        self.kind = kind
        self.value = value


def draw(text: str, call: ShortcodeCall, around: Surroundings) -> str:
    """Give what the template of a shortcode writes.

    Raises:
        TemplateError: it uses what is not known here.
    """
    template = read_template(text)
    drawing = _Drawing(call, around)
    scopes: list[dict[str, Any]] = [{}]
    given = Shortcode(call, around)
    try:
        written = drawing.block(template.nodes, given, _Frame(given, template, scopes, 0))
    except _Leaving as leaving:
        raise TemplateError(f"{leaving.kind} outside of a partial") from None
    # Content that is kept for the layout of the page, which puts it elsewhere, is shown where it is written.
    is_kept = around.kept.give_back(INNER) and INNER not in written
    return f"{written}{INNER}" if is_kept else written


class _Frame:
    """What a template sees besides its dot: what it was given, its variables, and how deep it is."""

    def __init__(self, given: Any, template: Template, scopes: list[dict[str, Any]], depth: int) -> None:
        self.given = given
        self.template = template
        self.scopes = scopes
        self.depth = depth

    def value(self, name: str) -> Any:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        raise TemplateError(f"{name} is not known")

    def keep(self, names: tuple[str, ...], values: list[Any], *, is_new: bool) -> None:
        for name, value in zip(names, values, strict=False):
            scope = next((one for one in reversed(self.scopes) if name in one), self.scopes[-1])
            (self.scopes[-1] if is_new else scope)[name] = _bounded(value)


class _Drawing:
    def __init__(self, call: ShortcodeCall, around: Surroundings) -> None:
        self._call = call
        self._around = around
        self._steps = 0
        self._views = 0
        self._written = 0
        """Characters that were written, those of partials among them: these may use each other in loops."""

    def block(self, nodes: tuple[Node, ...], dot: Any, frame: _Frame) -> str:
        out: list[str] = []
        for node in nodes:
            self._steps += 1
            if self._steps > _MOST_STEPS or self._written > _LONGEST_WRITTEN:
                raise TemplateError("it is too long")
            text = self._node(node, dot, frame)
            self._written += len(text)
            out.append(text)
        return "".join(out)

    def _node(self, node: Node, dot: Any, frame: _Frame) -> str:
        if isinstance(node, Write):
            return node.text
        if isinstance(node, Act):
            value = self._value(node.pipeline, dot, frame)
            return "" if node.pipeline.names else shown(value)
        if isinstance(node, Branch):
            return self._range(node, dot, frame) if node.kind == "range" else self._choice(node, dot, frame)
        if isinstance(node, Call):
            return self._template(node, dot, frame)
        value = self._value(node.pipeline, dot, frame) if node.pipeline else None
        raise _Leaving(node.kind, value)

    def _choice(self, node: Branch, dot: Any, frame: _Frame) -> str:
        frame.scopes.append({})
        try:
            value = self._value(node.pipeline, dot, frame)
            if self._is_true(value):
                return self.block(node.body, value if node.kind == "with" else dot, frame)
            return self.block(node.otherwise, dot, frame)
        finally:
            frame.scopes.pop()

    def _is_true(self, value: Any) -> bool:
        try:
            return bool(value)
        except LookupError as error:
            raise TemplateError(str(error)) from error

    def _range(self, node: Branch, dot: Any, frame: _Frame) -> str:
        """Write a block once for each value of a list, or for each key of a mapping."""
        bare = node.pipeline._replace(names=())
        pairs = list(self._pairs(self._value(bare, dot, frame)))
        if not pairs:
            return self.block(node.otherwise, dot, frame)
        names, out = node.pipeline.names, []
        for key, value in pairs:
            frame.scopes.append({})
            frame.keep(names, [value] if len(names) == 1 else [key, value], is_new=node.pipeline.is_new)
            height = len(frame.scopes)
            try:
                out.append(self.block(node.body, value, frame))
            except _Leaving as leaving:
                if leaving.kind == "return":
                    raise
                if leaving.kind == "break":
                    break
            finally:
                del frame.scopes[height - 1 :]
        return "".join(out)

    def _pairs(self, value: Any) -> Iterator[tuple[Any, Any]]:
        try:
            if isinstance(value, Data):
                yield from value.items()
            elif isinstance(value, dict):
                # Go goes over the keys of a mapping in their order.
                yield from sorted(value.items(), key=lambda pair: str(pair[0]))
            elif isinstance(value, list):
                yield from enumerate(value)
            elif isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_STEPS:
                yield from enumerate(range(value))
            elif value:
                raise TemplateError("range goes over lists only")
        except LookupError as error:
            raise TemplateError(str(error)) from error

    def _template(self, node: Call, dot: Any, frame: _Frame) -> str:
        given = self._value(node.pipeline, dot, frame) if node.pipeline else None
        nodes = frame.template.defined.get(node.name)
        if nodes is None:
            raise TemplateError(f"the template {node.name} is not known")
        return shown(self._run(nodes, given, frame.template, frame.depth + 1))

    def _run(self, nodes: tuple[Node, ...], given: Any, template: Template, depth: int) -> Any:
        """Draw a partial: it gives its text, or what it returns."""
        if depth > _DEEPEST:
            raise TemplateError("its partials use each other without end")
        try:
            return self.block(nodes, given, _Frame(given, template, [{}], depth))
        except _Leaving as leaving:
            if leaving.kind != "return":
                raise TemplateError(f"{leaving.kind} outside of range") from None
            return leaving.value

    def _partial(self, name: str, given: Any, frame: _Frame) -> Any:
        for known in (f"partials/{name}", f"_partials/{name}", f"partials/{name.removesuffix('.html')}"):
            if known in frame.template.defined:
                return self._run(frame.template.defined[known], given, frame.template, frame.depth + 1)
        text = self._around.partial(name)
        if text is None:
            raise TemplateError(f"the partial {name} is not known")
        template = read_template(text)
        return self._run(template.nodes, given, template, frame.depth + 1)

    def _value(self, pipeline: Pipeline, dot: Any, frame: _Frame) -> Any:
        value: Any = None
        for number, command in enumerate(pipeline.commands):
            value = self._command(command, [value] if number else [], dot, frame)
        if pipeline.names:
            frame.keep(pipeline.names, [value], is_new=pipeline.is_new)
        return value

    def _command(self, terms: tuple[Term, ...], piped: list[Any], dot: Any, frame: _Frame) -> Any:
        first, *others = terms
        name = self._function_in(first)
        if name is not None:
            return self._function(name, others, piped, dot, frame)
        value = self._term(first, dot, frame, is_called=True)
        arguments = [self._term(one, dot, frame) for one in others] + piped
        if callable(value):
            return self._guarded("a method", value, arguments)
        if arguments:
            raise TemplateError(f"{_written(first)} is not known")
        return value

    def _function_in(self, term: Term) -> str | None:
        """Give the name of a function, where a term is one."""
        if isinstance(term, (Literal, Bracket)) or term.root[:1] in (".", "$"):
            return None
        name = ".".join((term.root, *term.fields))
        is_object = term.root in ("site", "page", "hugo") or (term.root == "now" and term.fields)
        return None if is_object and name != "site.GetPage" else name

    def _term(self, term: Term, dot: Any, frame: _Frame, *, is_called: bool = False) -> Any:
        if isinstance(term, Literal):
            return term.value
        if isinstance(term, Bracket):
            return self._fields(self._value(term.pipeline, dot, frame), term.fields, term, is_called=is_called)
        if term.root == ".":
            return self._fields(dot, term.fields, term, is_called=is_called)
        if term.root == "$":
            return self._fields(frame.given, term.fields, term, is_called=is_called)
        if term.root.startswith("$"):
            return self._fields(frame.value(term.root), term.fields, term, is_called=is_called)
        if term.root == "now" and len(term.fields) == 1 and term.fields[0] in _NUMBERED:
            return self._call.number
        if term.root == "hugo":
            return self._fields(_HUGO | {"Data": Data(self._around, ())}, term.fields, term, is_called=is_called)
        if term.root in ("site", "page"):
            path = self._around.source.path
            root = HugoSite(self._around) if term.root == "site" else HugoPage(path, self._around)
            return self._fields(root, term.fields, term, is_called=is_called)
        name = self._function_in(term)
        if name is None:
            raise TemplateError(f"{_written(term)} is not known")
        return self._function(name, [], [], dot, frame)

    def _fields(self, value: Any, fields: tuple[str, ...], term: Term, *, is_called: bool) -> Any:
        for number, name in enumerate(fields):
            try:
                page = value
                value = field_of(page, name) if name != "Render" else self._view_of(page)
            except LookupError as error:
                known = str(error).strip("'\"")
                raise TemplateError(known if " " in known else f"{_written(term)} is not known") from error
            except ValueError as error:
                raise TemplateError(str(error)) from error
            if callable(value) and not (is_called and number == len(fields) - 1):
                value = self._guarded(name, value, [])
        return value

    def _view_of(self, page: Any) -> Callable[[Any], str]:
        """Give what draws a page by a template for lists."""
        if not isinstance(page, HugoPage):
            raise LookupError("the field Render of what is not a page is not known")  # noqa: TRY004 - as all unknown fields

        def draw_view(name: Any) -> str:
            kinds = [str(page.field(key)).strip("/") for key in ("Type", "Section")]
            text = self._around.view(str(name), [kind for kind in kinds if re.fullmatch(r"[\w-]+", kind)])
            if text is None:
                raise LookupError(f"the template {name} of a page is not known")
            if self._views > _DEEPEST:
                raise LookupError("its views use each other without end")
            template = read_template(text)
            self._views += 1
            try:
                return shown(self._run(template.nodes, page, template, 0))
            finally:
                self._views -= 1

        return draw_view

    def _guarded(self, name: str, function: Any, arguments: list[Any]) -> Any:
        try:
            return function(*arguments)
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
            raise TemplateError(f"{name}: {error}") from error

    def _function(self, name: str, terms: list[Term], piped: list[Any], dot: Any, frame: _Frame) -> Any:
        if name in ("and", "or"):
            return self._logic(name, terms, piped, dot, frame)
        arguments = [self._term(one, dot, frame) for one in terms] + piped
        if name == "cond" and len(arguments) == 3:
            return arguments[1] if self._is_true(arguments[0]) else arguments[2]
        if name in _CHANGING:
            # Its content is written as it is; the marks of other shortcodes in it are read afterwards.
            arguments = [with_content(one, INNER, self._call.inner) for one in arguments]
        elif name in _TRIMMING and INNER in arguments:
            return Trimmed(INNER)
        if name in ("partial", "partialCached", "partials.Include", "partials.IncludeCached") and arguments:
            return self._included(str(arguments[0]), arguments[1] if len(arguments) > 1 else None, frame)
        if name in ("ref", "relref", "urls.Ref", "urls.RelRef") and arguments:
            last = arguments[-1]
            return self._around.page(str(last.get("path", "") if isinstance(last, dict) else last))
        if name in _READING and arguments:
            return self._read(str(arguments[-1])) if name.endswith("File") else self._exists(str(arguments[-1]))
        if name in SITE_FUNCTIONS:
            return self._guarded(name, lambda *given: call_site(name, list(given), self._around), arguments)
        own = _OWN.get(name)
        if own is not None:
            return self._guarded(name, own, arguments)
        if name in FUNCTIONS:
            return self._guarded(name, FUNCTIONS[name], arguments)
        if name in _KEEPING and arguments:
            last = arguments[-1]
            is_prose = name.rpartition(".")[2].lower() == "markdownify"
            return markdown_html(last) if is_prose and isinstance(last, str) and INNER not in last else last
        raise TemplateError(f"{name} is not known")

    def _logic(self, name: str, terms: list[Term], piped: list[Any], dot: Any, frame: _Frame) -> Any:
        """Give the first value that decides; those after it are not asked for."""
        value: Any = None
        for one in terms:
            value = self._term(one, dot, frame)
            if self._is_true(value) == (name == "or"):
                return value
        return piped[0] if piped else value

    def _included(self, name: str, given: Any, frame: _Frame) -> Any:
        is_icon = "icon" in name.rpartition("/")[2]
        if not is_icon and (self._around.partial(name) is not None or f"partials/{name}" in frame.template.defined
                            or f"partials/{name.removesuffix('.html')}" in frame.template.defined):  # fmt: skip
            return self._partial(name, given, frame)
        if (drawn := partial_as_shortcode(name, given, self._around)) is not None:
            return drawn
        return self._guarded("partial", FUNCTIONS["partial"], [name, given])

    def _read(self, path: str) -> str:
        text = self._around.file(path)
        if text is None:
            raise TemplateError(f"{path} does not exist")
        return text

    def _exists(self, path: str) -> bool:
        return self._around.file(path) is not None or bool(self._around.listing(f"/{path.strip('/')}"))


_READING = frozenset(["readFile", "os.ReadFile", "fileExists", "os.FileExists"])
_HUGO: dict[str, Any] = {
    "Version": "0.152.0",  # templates ask whether it is old
    "IsProduction": True,
    "IsServer": False,
    "IsDevelopment": False,
    "IsExtended": False,
    "IsMultilingual": False,
    "IsMultihost": False,
    "Environment": "production",
}


def _written(term: Term) -> str:
    """Write a term as it is in the template."""
    if isinstance(term, Literal):
        return repr(term.value)
    if isinstance(term, Bracket):
        return ".".join(("(…)", *term.fields))
    return f".{'.'.join(term.fields)}" if term.root == "." else ".".join((term.root, *term.fields))


def _default(given: Any, value: Any = None) -> Any:
    is_set = value is not None and (isinstance(value, (bool, int, float)) or bool(value))
    return value if is_set else given


def _equal(first: Any, *others: Any) -> bool:
    return any(shown(first) == shown(one) if _is_plain(first) and _is_plain(one) else first == one for one in others)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (str, int, float))


def _printf(pattern: Any, *arguments: Any) -> str:
    values = iter(arguments)
    return re.sub(
        r"%(?:%|(?P<form>[-+# 0]{0,5}\d{0,3}(?:\.\d{1,3})?)(?P<verb>[vsdqtTxXfge]))",
        lambda one: _formatted(one["verb"], one["form"], next(values, "")) if one["verb"] else "%",
        str(pattern),
    )


def _formatted(verb: str, form: str, value: Any) -> str:
    if verb in "xX" and isinstance(value, int):
        return f"%{form}{verb}" % value
    if verb in "df" and form.strip("+# ") and isinstance(value, (int, float)):
        return f"%{form}{verb}" % value
    if verb == "f" and isinstance(value, (int, float)):
        return f"{value:f}"
    text = shown(value)
    return f'"{text}"' if verb == "q" else text


def _printed(*values: Any) -> str:
    """Join values as Go does: with a space between two of which neither is a text."""
    out = ""
    for number, value in enumerate(values):
        is_apart = number and not isinstance(value, str) and not isinstance(values[number - 1], str)
        out += (" " if is_apart else "") + shown(value)
    return out


def _as_time(value: Any, *_: Any) -> Time:
    return value if isinstance(value, Time) else Time(read_time(value))


def _date_format(layout: Any, value: Any) -> str:
    return write_time(str(layout), value.value if isinstance(value, Time) else value)


_OWN: dict[str, Any] = {
    "default": _default,
    "not": lambda value: not value,
    "eq": _equal,
    "ne": lambda first, *others: not _equal(first, *others),
    "print": _printed,
    "println": lambda *values: _printed(*values) + "\n",
    "printf": _printf,
    "fmt.Print": _printed,
    "fmt.Printf": _printf,
    "compare.Default": _default,
    "time": _as_time,
    "time.AsTime": _as_time,
    "time.Format": _date_format,
    "dateFormat": _date_format,
    "getenv": lambda *_: "",  # the variables of the machine are not read
    "os.Getenv": lambda *_: "",
    "newScratch": Kept,
    "collections.NewScratch": Kept,
}


def shown(value: Any) -> str:
    """Write a value as a page shows it.

    Raises:
        TemplateError: it is not text: a page, a folder of data, or a list of lists, which may hold itself again and again.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Data):
        raise TemplateError(f"{value.name} is not known")
    if isinstance(value, Thing):
        raise TemplateError("an object is not text")
    if isinstance(value, (list, dict)) and any(isinstance(one, (list, dict)) for one in value):
        raise TemplateError("a list within a list is not text")
    if isinstance(value, list):
        return f"[{' '.join(map(shown, value))}]"
    return "" if value is None else str(value)


def _bounded(value: Any) -> Any:
    """Give a value that a template keeps; each step of a loop could make it twice as long."""
    if isinstance(value, (str, list)) and len(value) > _LONGEST_KEPT:
        raise TemplateError("what it keeps is too long")
    return value
