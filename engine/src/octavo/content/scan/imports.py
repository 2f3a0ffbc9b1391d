"""`import` and `export` lines: the file of each imported name, and findings for the others."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from octavo.content.dialect import is_reached, typescript_of
from octavo.content.foreign_components import MODULE_COMPONENTS, foreign_names, is_icon_module
from octavo.content.scan.jsx import IMPORTED, find_expression_end, read_constant, read_constants
from octavo.content.scan.nodes import ImportedFile
from octavo.lazy import regex as re
from octavo.text_files import SyntaxMistakeError, parse_json

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.scan.scope import Scope

STOCK_MODULES = frozenset(
    {
        "@theme/Tabs",
        "@theme/TabItem",
        "@theme/ThemedImage",
        "@theme/DocCardList",
        "@theme/DocCard",
        "@theme/CodeBlock",
        "@theme/TOCInline",
        "@docusaurus/useBaseUrl",
    }
)
"""Modules whose names are known without an import."""

_IMPORT = re.compile(
    r"""import\s+(?:(?P<what>[\w$*{][^'"\n;]*?(?:\n[^'"\n;]*?){0,200}?)\s{0,20}\bfrom\s{0,20})?["'](?P<module>[^"'\n]+)["'][ \t]*;?[ \t]*"""
    r"(?:(?=\n|\Z|//)(?://[^\n]*)?|(?<=;)(?=import\b)|(?<=; )(?=import\b))"
)
_EXPORT = re.compile(r"export\s+(?:default\b|const\b|let\b|var\b|function\b|class\b|async\b|\{|\*)")
_EXPORTED = re.compile(r"export\s+(?:async\s+)?(?:const|let|var|function|class)\s+([A-Z]\w*)")
_EXPORTED_LINE = re.compile(rf"^{_EXPORTED.pattern}", re.MULTILINE)
_OF_NEXT = re.compile(
    r"export\s+(?:async\s+)?(?:const|let|var|function)\s+(?:(?P<data>getStaticProps|getServerSideProps)|getStaticPaths|generateStaticParams"
    r"|generateMetadata|metadata|viewport|revalidate|dynamic|config|(?P<toc>toc))\b"
)
"""What Next.js asks of a page beside its text: readers see nothing of it, but for data that components show; and Docusaurus' list of titles."""
_TOC = re.compile(r"\{\s*toc(?:\s+as\s+\w+)?\s*\}\Z")
_USED = re.compile(r"<([A-Z]\w*)")
ICON = "Icon"
"""What the name of an imported icon begins with among those of built-in components."""
PICTURE = "Picture"
"""What the address of an imported drawing begins with there: a page may use it as a component."""
_DEFAULT_NAME = re.compile(r"[A-Za-z_$][\w$]*\Z")
_CONTENT = re.compile(r"\{\s*Content\s+as\s+([A-Za-z_$][\w$]*)\s*\}\Z")
"""How Astro imports the text of a page."""
_EXTENSIONS = (".mdx", ".md")
_RAW = re.compile(r"\A!*(?:[\w-]+-loader(?:\?[^!]*)?!)*raw-loader!(?:[\w-]+-loader(?:\?[^!]*)?!)*|\?raw\Z")
_OF_STYLES = re.compile(r"\.(?:css|scss|sass|less|styl)\Z")
"""A style sheet: names of classes, which readers see no word of."""
_NAMES = re.compile(r"(?:(?P<all>\*)\s*as\s+)?(?P<name>[A-Za-z_$][\w$]*)(?:\s+as\s+(?P<own>[A-Za-z_$][\w$]*))?")
_WORD = re.compile(r"[\w$]+")
_MOST_UNCLOSED = 20
"""Statements of a page that are never closed; behind them, each ends with its paragraph."""
_DATA = (".json", ".ts", ".js", ".mjs", ".cjs", ".mts", ".cts", ".tsx", ".jsx")
"""Endings of files whose constants a page may use."""
_LONGEST_DATA = 200_000
"""Characters of such a file; a longer one is a program, or a data set that no page shows whole."""
_SCRIPTS = (".tsx", ".jsx", ".ts", ".js", ".astro", ".vue", ".svelte")
_BLANK = re.compile(r"\n[ \t]*(?=\n|\Z)|\Z")
_LINE = re.compile(r"[ \t]*;?[ \t]*(?=\n|\Z)")
"""The rest of a line behind the last bracket of a statement."""
_SKIPPED = r"""(?P<skipped>\\.|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"""
"""Strings and escaped characters, whose brackets are none of the program."""
_OPENING = re.compile(rf"{_SKIPPED}|[({{]")
_BRACKET = re.compile(rf"{_SKIPPED}|[(){{]")
_PUBLISHED = re.compile(
    r"\.(?:(?P<image>png|jpe?g|gif|svg|webp|avif|ico)|mp4|webm|mov|m4v|ogv|mp3|wav|ogg|flac|vtt|pdf|zip)(?:\?[\w=&;,.-]*)?\Z",
    re.IGNORECASE,
)
"""Endings of files whose addresses a page may use: pictures, films, sounds, and what is loaded down."""


def read_statement(text: str, start: int, scope: Scope, context: CompileContext, origin: int) -> int:
    """Read one `import` or `export` at the head of a line.

    Args:
        text: What is scanned.
        start: Offset in it of the statement.
        scope: Takes the imported names.
        context: Takes the problems.
        origin: Offset of the statement in the file.

    Returns:
        The offset after the statement, or `start` where this line is prose.
    """
    if match := _IMPORT.match(text, start):
        # Formatters of Markdown escape the underscore of a partial's name.
        module, what = match["module"].replace("\\_", "_"), match["what"]
        if scope.source.is_mdx or _is_ours(module, scope, context):
            _take_import(module, (what or "").strip(), scope, context, origin)
            return match.end()
    elif scope.source.is_mdx and (match := _EXPORT.match(text, start)):
        end = _statement_end(text, match.end(), scope)
        constant = read_constant(text, start, scope.props)
        if constant is not None and constant[0] != "default":
            scope.props = {**scope.props, f"{IMPORTED}{constant[0]}": constant[1]}
            return constant[2]
        name = _EXPORTED.match(text, start)
        if name is not None and _is_taken_over(name[1], context.options.components):
            return end
        of_next = _OF_NEXT.match(text, start)
        if of_next is not None and (of_next["toc"] or "nextra" in scope.source.dialect.extensions):
            if of_next["data"] and any(_is_taken_over(one, context.options.components) for one in _USED.findall(text)):
                message = (
                    f'The data of "{of_next["data"]}" is not read: components of this page that show it have none.'
                )
                hint = "Write what they show into the page."
                context.report("warn", "export", message, scope.source, origin, suggestion=hint)
            return end
        context.report(
            "error",
            "export",
            "Pages can't export JavaScript; this statement is left out.",
            scope.source,
            origin,
            suggestion="Write the value where it is used, or pass it to a partial as a prop.",
        )
        return end
    return start


def _is_taken_over(name: str, components: frozenset[str]) -> bool:
    """Whether an importer has made a component of what a page exports."""
    return name in components or name in _owners(components)


def take_values(code: str, scope: Scope, context: CompileContext) -> None:
    """Take over the values that a script imports from modules of data; what else it imports is none of the text."""
    for match in _IMPORT.finditer(code):
        what = match["what"] or ""
        if what and not what.startswith("type ") and not match["module"].endswith((".vue", *_EXTENSIONS)):
            _take_constants(match["module"], what, scope, context)


def _is_ours(module: str, scope: Scope, context: CompileContext) -> bool:
    """Whether an import in a file without expressions is one, and not prose about programs."""
    if module in STOCK_MODULES or module.endswith(_EXTENSIONS):
        return True
    return _is_partial(module, context) and _find_partial(module, scope, context) is not None


def _statement_end(text: str, position: int, scope: Scope | None = None) -> int:
    """Find where an exported statement ends: at the end of its paragraph, where all its brackets are closed.

    Args:
        text: What is scanned.
        position: Behind the word `export`.
        scope: Counts the statements that are never closed: each is read to the end of the text.
    """
    position = max(position - 1, 0)
    end = _paragraph_end(text, position)
    if scope is not None and scope.unclosed >= _MOST_UNCLOSED:
        return end
    while (bracket := _OPENING.search(text, position, end)) is not None:
        position = bracket.end() if bracket["skipped"] else _bracket_end(text, bracket.start())
        if position < 0:  # it is never closed
            if scope is not None:
                scope.unclosed += 1
            return end
        if position > end:
            line = _LINE.match(text, position)
            end = line.end() if line else _paragraph_end(text, position)
    return end


def _paragraph_end(text: str, position: int) -> int:
    blank = _BLANK.search(text, position)
    return blank.start() if blank else len(text)


def _bracket_end(text: str, start: int) -> int:
    """Find the end of a pair of braces, or of parentheses; -1 where it is not closed."""
    if text[start] == "{":
        return find_expression_end(text, start)
    depth = 1
    position = start + 1
    while (mark := _BRACKET.search(text, position)) is not None:
        position = mark.end()
        if mark["skipped"]:
            continue
        if mark[0] == "{":
            position = find_expression_end(text, mark.start())
            if position < 0:
                return -1
            continue
        depth += 1 if mark[0] == "(" else -1
        if not depth:
            return position
    return -1


def unknown_imports(text: str) -> dict[str, str]:
    """List what a text imports from modules that are not Markdown and not known: name → module."""
    return {name: module for name, module, is_known in _imports(text) if not is_known}


def known_imports(text: str) -> frozenset[str]:
    """List the names that a text imports from Markdown and from modules that are known."""
    return frozenset(name for name, _, is_known in _imports(text) if is_known)


def _imports(text: str) -> Iterator[tuple[str, str, bool]]:
    """Give the names that a text imports, each with its module and whether that is known."""
    for match in _IMPORT.finditer(text) if "import" in text else ():
        module, known = match["module"].replace("\\_", "_"), MODULE_COMPONENTS.get(match["module"])
        is_known = (
            module in STOCK_MODULES
            or is_icon_module(module)
            or isinstance(known, str)
            or bool(_RAW.search(module) or _PUBLISHED.search(module))
        )
        what = match["what"] or ""
        brace = what.find("{")
        for name in _NAMES.finditer(what.replace("{", " ").replace("}", " ")):
            is_offered = name["name"] in (known or ()) or name["name"] in foreign_names(module)
            # What is in braces is a function that a page exports beside its text.
            is_text = module.endswith(_EXTENSIONS) and (brace < 0 or name.start() < brace or bool(_CONTENT.match(what)))
            yield name["own"] or name["name"], module, is_known or is_offered or is_text


def statement_names(statement: str) -> frozenset[str] | None:
    """List the names of an import of components that need none where their names are known; None for any other."""
    match = _IMPORT.match(statement)
    if match is None or _PUBLISHED.search(match["module"]) or _RAW.search(match["module"]):
        return None
    found = list(_imports(statement))
    module = match["module"]
    is_component = module in STOCK_MODULES or foreign_names(module) or not any(known for _, _, known in found)
    return frozenset(name for name, _, _ in found) if found and is_component else None


def _is_stubbed(module: str, what: str, scope: Scope, context: CompileContext) -> bool:
    """Whether all that is imported are components of which the site has stubs, or Markdown in their place."""
    names = [match["own"] or match["name"] for match in _NAMES.finditer(what.replace("{", " ").replace("}", " "))]
    known = context.options.components | _owners(context.options.components)
    used = [name for name in names if name in known]
    is_export = what.startswith("{") and _CONTENT.match(what) is None
    if not used or (
        not is_export and _is_partial(module, context) and _find_partial(module, scope, context) is not None
    ):
        return False
    return len(used) == len(names) or all(f"<{name}" not in scope.source.text for name in names if name not in used)


@lru_cache(maxsize=2)
def _owners(components: frozenset[str]) -> frozenset[str]:
    """Name the objects of which members are components of the site."""
    return frozenset(name.partition(".")[0] for name in components if "." in name)


def _take_import(module: str, what: str, scope: Scope, context: CompileContext, origin: int) -> None:
    if module in STOCK_MODULES:
        _take_stock(module, what, scope)
        return
    if _take_foreign(module, what, scope, context) or _OF_STYLES.search(module):
        return
    if is_icon_module(module):
        _take_icons(what, scope)
        return
    name = what.partition(",")[0].strip()
    if _TOC.match(what) or (context.options.components and _is_stubbed(module, what, scope, context)):
        return
    if component := _component_of(module, what, scope):
        scope.imports[component[0]] = ""
        scope.builtins[component[0]] = component[1]
        return
    if match := _CONTENT.match(what):
        name = match[1]
    if _DEFAULT_NAME.match(name) and (value := _value(module, scope, context)) is not None:
        scope.props = {**scope.props, f"{IMPORTED}{name}": value}
        if isinstance(value, ImportedFile) and name[0].isupper() and _is_image(value):
            scope.imports[name] = ""
            scope.builtins[name] = f"{PICTURE} {value}"
        return
    if _is_partial(module, context) and _DEFAULT_NAME.match(name):
        path = _find_partial(module, scope, context)
        if path is None and _take_constants(module, what, scope, context):
            return
        scope.imports[name] = path or ""
        if path is None and (script := _find_script(module, scope, context)):
            if _is_unused([name], scope, context):
                return
            message = f'"{module}" is a component in JavaScript ({script}): a page imports Markdown files only.'
            context.report("error", "import", message, scope.source, origin, suggestion=_instead(module, name))
        elif path is None:
            _report_missing(module, scope, context, origin)
        return
    if _take_constants(module, what, scope, context):
        return
    names = re.findall(r"[A-Za-z_$][\w$]*", what)
    if names and _is_unused(names, scope, context):
        return
    is_tag = any(f"<{imported}" in scope.source.text for imported in names)
    if context.options.stubs and names and not is_tag and not _PUBLISHED.search(module):
        return  # values that stubs are given; any other use is a finding where it is
    for imported in names:
        scope.imports.setdefault(imported, "")
    message = f'"{module}" can\'t be imported: a page imports Markdown files only.'
    context.report("error", "import", message, scope.source, origin, suggestion=_instead(module, name))


def _take_stock(module: str, what: str, scope: Scope) -> None:
    """Take over a component that needs no import; a page may give it a name of its own."""
    own, name = what.partition(",")[0].strip(), posixpath.basename(module)
    if own != name and _DEFAULT_NAME.match(own) and own[0].isupper():
        scope.imports[own] = ""
        scope.builtins[own] = name


def _is_unused(names: list[str], scope: Scope, context: CompileContext) -> bool:
    """Whether a text imports what it never names again, but in components that were taken over: readers miss nothing of it."""
    return _named_words(scope.source.text, context.options.components).isdisjoint(names)


@lru_cache(maxsize=2)
def _named_words(text: str, components: frozenset[str]) -> frozenset[str]:
    """List the words of a text without its imports; a page may have thousands of those, each of which asks for them."""
    rest = _IMPORT.sub("", text)
    for match in reversed([*_EXPORTED_LINE.finditer(rest)] if components else []):
        if _is_taken_over(match[1], components):
            rest = rest[: match.start()] + rest[_statement_end(rest, match.end()) :]
    return frozenset(_WORD.findall(rest))


def _value(module: str, scope: Scope, context: CompileContext) -> str | None:
    """Value of an imported name if the file is published as it is, or is imported as text."""
    if _RAW.search(module):
        path = _site_path(_RAW.sub("", module), scope, context)
        # Bundlers of the old site add the ending of a program by themselves, and take TypeScript for JavaScript.
        texts = map(context.read, (path, *(path + ending for ending in _DATA), typescript_of(path)))
        return next((one for one in texts if one is not None), None) if is_reached(path, scope.source.dialect) else None
    if not _PUBLISHED.search(module):
        return None
    module = module.partition("?")[0]  # what comes behind is for the program that packs files: `./a.mp4?url`
    aliased = context.unalias(module)
    return ImportedFile(
        module if aliased is None else posixpath.relpath(aliased, posixpath.dirname(scope.source.path) or ".")
    )


def _component_of(module: str, what: str, scope: Scope) -> tuple[str, str] | None:
    """Give the name of an imported component of another engine in the page, and the name under which it is known."""
    known = MODULE_COMPONENTS.get(module)
    if known is None:
        return None
    if isinstance(known, str):
        name = what.partition(",")[0].strip()
        return (name, known) if _DEFAULT_NAME.match(name) else None
    names = {match["own"] or match["name"]: match["name"] for match in _NAMES.finditer(what)}
    if not names or any(name not in known for name in names.values()):
        return None
    *others, last = [(own, known[name]) for own, name in names.items()]
    for own, component in others:
        scope.imports[own] = ""
        scope.builtins[own] = component
    return last


def _take_foreign(module: str, what: str, scope: Scope, context: CompileContext) -> bool:
    """Take over components that the dialect knows without an import; returns whether all that is named is one, or the site's."""
    known = foreign_names(module, scope.source.dialect.extensions)
    names = {
        match["own"] or match["name"]: match["name"]
        for match in _NAMES.finditer(what.replace("{", " ").replace("}", " "))
    }
    if not known or not all(name in known or own in context.options.components for own, name in names.items()):
        return False
    for own, name in names.items():
        if own != name and name in known:
            scope.imports[own] = ""
            scope.builtins[own] = name
    return True


def _take_icons(what: str, scope: Scope) -> None:
    """Take over icons of the built-in set: as components, and as values of attributes such as `icon={Rocket}`."""
    from octavo.content.icons import local_name

    for match in _NAMES.finditer(what.replace("{", " ").replace("}", " ")):
        own, name = match["own"] or match["name"], local_name(match["name"])
        scope.imports[own] = ""
        scope.builtins[own] = f"{ICON} {name}"
        scope.props = {**scope.props, f"{IMPORTED}{own}": name}


def _take_constants(module: str, what: str, scope: Scope, context: CompileContext) -> bool:
    """Take over what a page imports from a module of data; tells whether all that it names was found."""
    first, brace, rest = what.partition("{")
    wanted = dict.fromkeys(re.findall(r"^[A-Za-z_$][\w$]*", first), "default")
    for match in _NAMES.finditer(rest if brace else first if first.startswith("*") else ""):
        wanted[match["own"] or match["name"]] = "*" if match["all"] else match["name"]
    if not wanted:
        return False
    path = _site_path(module, scope, context)
    is_page = module.endswith(_EXTENSIONS)
    if not _is_in_site(path) or (is_page and not what.startswith(("{", "*"))):
        return False
    candidates = (
        [path]
        if is_page or path.endswith(_DATA)
        else [f"{path}{middle}{end}" for middle in ("", "/index") for end in _DATA]
    )
    text = next((found for one in candidates if (found := context.read(one)) is not None), None)
    if text is None or len(text) > _LONGEST_DATA:
        return False
    exported = read_constants(text) if is_page else _constants(text)
    values = {**exported, "*": exported}
    if not all(key in values for key in wanted.values()):
        return False
    scope.props = {**scope.props, **{f"{IMPORTED}{name}": values[key] for name, key in wanted.items()}}
    return True


@lru_cache(maxsize=256)
def _constants(text: str) -> dict[str, Any]:
    """Read the values that a module exports: those of JSON, or the constants of a program."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            value = parse_json(text)
        except SyntaxMistakeError:
            return {}
        return {**(value if isinstance(value, dict) else {}), "default": value}
    return read_constants(text)


def _find_script(module: str, scope: Scope, context: CompileContext) -> str | None:
    """Find the program that a module names; for a folder, its index."""
    path = _site_path(module, scope, context)
    if not _is_in_site(path) or module.endswith(_EXTENSIONS):
        return None
    candidates = [path] if path.endswith(_SCRIPTS) else []
    candidates += [f"{path}{middle}{ending}" for middle in ("", "/index") for ending in _SCRIPTS]
    return next((candidate for candidate in candidates if context.read(candidate) is not None), None)


def _is_image(path: str) -> bool:
    match = _PUBLISHED.search(path)
    return match is not None and match["image"] is not None


def _is_in_site(path: str) -> bool:
    return not path.startswith("..") and len(path) <= 1000


def _instead(module: str, name: str) -> str:
    if _is_image(module):
        return f"Show the image where it belongs: ![What it shows]({module})."
    if module.startswith(("@theme/", "@docusaurus/")):
        return f"Known modules: {', '.join(sorted(STOCK_MODULES))}."
    component = name if _DEFAULT_NAME.match(name) and name[0].isupper() else "Name"
    return f"Write the component as Markdown in components/{component}.mdx; it is used as <{component} /> without an import."


def _is_partial(module: str, context: CompileContext) -> bool:
    if module.endswith(_EXTENSIONS):
        return True
    has_extension = "." in posixpath.basename(module).lstrip(".")
    is_of_site = module.startswith(("./", "../", "/")) or context.unalias(module) is not None
    return is_of_site and not has_extension


def _site_path(module: str, scope: Scope, context: CompileContext) -> str:
    """Path from the site's folder of an imported file."""
    if (path := context.unalias(module)) is not None:
        return path
    if module.startswith("/"):
        return posixpath.normpath(module.lstrip("/"))
    return posixpath.normpath(posixpath.join(posixpath.dirname(scope.source.path), module))


def _find_partial(module: str, scope: Scope, context: CompileContext) -> str | None:
    path = _site_path(module, scope, context)
    if not is_reached(path, scope.source.dialect):
        return None
    candidates = [path] if path.endswith(_EXTENSIONS) else [path + extension for extension in _EXTENSIONS]
    return next((candidate for candidate in candidates if context.read(candidate) is not None), None)


def _report_missing(module: str, scope: Scope, context: CompileContext, origin: int) -> None:
    suggestion = ""
    folder, name = posixpath.split(module)
    stem = re.sub(r"\.mdx?\Z", "", name).lstrip("_")
    for near in (f"_{stem}.mdx", f"_{stem}.md", f"{stem}.mdx", f"{stem}.md"):
        path = _site_path(posixpath.join(folder or ".", near), scope, context)
        if near != name and _is_in_site(path) and context.read(path) is not None:
            suggestion = f'Did you mean "{posixpath.join(folder, near)}"?'
            break
    context.report(
        "error", "missing-partial", f'The file "{module}" does not exist.', scope.source, origin, suggestion=suggestion
    )
