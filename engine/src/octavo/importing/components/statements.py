"""What a component may be written in beside a file of its own: statements of a page in MDX, names that need no import."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from octavo.importing.components.unusable import UnusableError
from octavo.lazy import regex as re

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_STATEMENT = re.compile(r"(?:import|export)\b")
_LITERAL = re.compile(r""""(?:[^"\\\n]|\\.)*"|//[^\n]*$|/\*.*?\*/""", re.MULTILINE | re.DOTALL)
_DEPTH = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_HOOKS = (
    *("createContext", "forwardRef", "lazy", "memo", "useCallback", "useContext", "useDeferredValue", "useEffect", "useId"),
    *("useLayoutEffect", "useMemo", "useReducer", "useRef", "useState", "useSyncExternalStore", "useTransition"),
)  # fmt: skip
_DECLARED = re.compile(
    r"^(?:export\s+(?:default\s+)?)?(?:async\s+)?(?:const|let|var|function\*?|class)\s+(\w+)", re.MULTILINE
)
_FROM_REACT = re.compile(r"""\bfrom\s*["']react["']""")


def statements_of(text: str) -> str:
    """Give the imports and exports of a page in MDX, which together are a module; the text between them is left out."""
    return "\n".join(_statements(text)) + "\n"


def _statements(text: str) -> Iterator[str]:
    lines = text.split("\n")
    fence = page = ""
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if mark := _FENCE.match(line):
            about = line[mark.end() :].strip()
            # What is within such a fence is a part of the page, but for fences of code in it.
            if not fence and page and not about and mark[1].startswith(page):
                page = ""
            elif not fence and not page and about == "mdx-code-block":
                page = mark[1]
            else:
                fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        if fence or not _STATEMENT.match(line):
            continue
        found = [line]
        depth = _depth(line)
        # A statement ends at a blank line, a fence or before the next one, once its brackets are closed.
        while number < len(lines) and (
            depth > 0
            or (lines[number].strip() and not _STATEMENT.match(lines[number]) and not _FENCE.match(lines[number]))
        ):
            found.append(lines[number])
            depth += _depth(lines[number])
            number += 1
        yield "\n".join(found)


def _depth(line: str) -> int:
    return sum(_DEPTH.get(char, 0) for char in _LITERAL.sub("", line))


def definition_of(name: str, text: str) -> str | None:
    """Give the statement by which a page exports a component; None where it exports none of this name."""
    pattern = re.compile(rf"export\s+(?:async\s+)?(?:const|let|var|function|class)\s+{re.escape(name)}\b")
    if pattern.search(text) is None:
        return None  # as nearly all pages; to take a page apart costs more than to search it
    return next((one for one in _statements(text) if pattern.match(one)), None)


_CLAUSE = r"""import\s+(?P<what>[^;'"]*?)\s*from\s*["']{}["']"""
_NAME = re.compile(r"(?P<name>[A-Za-z_$][\w$]*)")
_ALL = re.compile(r"\*\s*as\s+(?P<name>[A-Za-z_$][\w$]*)")


def imported_names(module: str, text: str) -> tuple[str, str, list[str]]:
    """List what a text imports from a module; types are left out.

    Returns:
        (own name of the default export, own name of all exports together, names of the exports); empty where there is none.
    """
    default, everything = "", ""
    names: dict[str, None] = {}
    for clause in re.finditer(_CLAUSE.format(re.escape(module)), text):
        head, brace, rest = clause["what"].partition("{")
        if head.startswith("type "):
            continue
        if match := _ALL.search(head):
            everything = match["name"]
        elif match := _NAME.match(head):
            default = match["name"]
        for one in rest.rstrip("} \n").split(",") if brace else ():
            if not one.strip().startswith("type ") and (match := _NAME.search(one)):
                names[match["name"]] = None
    return default, everything, list(names)


_TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`""", re.DOTALL)
_WORDS_OF_IMPORTS = re.compile(r"\b(?:import|export|from|require)\b")


def without_shown_imports(text: str) -> str:
    """Blank the words of imports in templates: code that a component shows imports nothing. The length stays."""
    if "`" not in text:
        return text

    def blanked(match: re.Match[str]) -> str:
        if match[0][0] != "`":
            return match[0]
        return _WORDS_OF_IMPORTS.sub(lambda word: "_" * len(word[0]), match[0])

    return _TOKEN.sub(blanked, text)


def with_react(text: str) -> str:
    """Add the imports of React that some engines let a module leave out."""
    if _FROM_REACT.search(text):
        return text
    declared = set(_DECLARED.findall(text))
    used = [name for name in _HOOKS if name not in declared and re.search(rf"(?<![\w.]){name}\s*[(<]", text)]
    head = f'import {{ {", ".join(used)} }} from "react";\n' if used else ""
    if re.search(r"(?<![\w.])React(?:\.\w|\s*[;,)])", text):
        head += 'import React from "react";\n'
    return head + text


_GLOBAL = frozenset(
    ["Accordion", "AccordionGroup", "Card", "CardGroup", "Check", "Column", "Columns", "Danger", "Frame", "Icon", "Info", "Note", "Step", "Steps",
     "Tab", "Tabs", "Tip", "Tooltip", "Warning"]
)  # fmt: skip
"""Components that modules of Mintlify use without an import."""
_TAG = re.compile(r"<([A-Z]\w*)[\s/>]")


def with_globals(text: str) -> str:
    """Add the import of components that a module uses and neither imports nor declares; those of Mintlify need none."""
    used = _GLOBAL.intersection(_TAG.findall(text))
    names = sorted(
        name
        for name in used
        if not re.search(rf"(?:import|const|let|var|function|class|\{{|,)[^;<>]{{0,2000}}?\b{name}\b", text)
    )
    return f'import {{ {", ".join(names)} }} from "mintlify/components";\n{text}' if names else text


_LOADED = re.compile(
    r"""(?<![\w.])(?:dynamic|(?:React\.)?lazy|defineAsyncComponent)\s*(?:<[^<>()]{0,200}>\s*)?\(\s*(?:async\s*)?\(\s*\)\s*=>\s*
    import\(\s*(?P<module>"[^"\n]+"|'[^'\n]+')\s*\)
    (?:\s*\.then\(\s*\(?\s*(?P<all>\w+)\s*\)?\s*=>\s*(?:\(\s*\{\s*default\s*:\s*)?(?P=all)\.(?P<member>\w+)\s*,?\s*(?:\}\s*\)\s*)?,?\s*\))?
    \s*(?:,\s*\{(?:[^{}]|\{[^{}]*\}){0,400}\}\s*)?,?\s*\)""",
    re.VERBOSE,
)
"""A component that is loaded when it is shown."""


def with_loaded(text: str) -> str:
    """Import at once what a module loads later: a build waits for nothing, and tries whether it can be drawn there."""
    imports: list[str] = []

    def taken(match: re.Match[str]) -> str:
        name = f"$loaded{len(imports)}"
        imports.append(f"import * as {name} from {match['module']};\n")
        return f"{name}.{match['member'] or 'default'}"

    written = _LOADED.sub(taken, text) if "import(" in text else text
    return "".join(imports) + written


def without_async(text: str) -> str:
    """Take the mark of functions that wait off those of a module in which nothing waits: components of a server often have it."""
    if "async" not in text or re.search(r"\bawait\b|\bfor\s+await\b|\.then\s*\(", text):
        return text
    return re.sub(r"\basync\s+(?=function\b|\(|[A-Za-z_$][\w$]*\s*=>)", "", text)


_KEPT = r"""(?P<kept>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|//[^\n]*|/\*.*?\*/)"""
_WAITED_IN_TEXT = re.compile(r"(?<=\$\{)\s*await\s+")
_WAITED = re.compile(
    rf"{_KEPT}|(?P<before>(?:\A|[=(,:?&|\[{{}};!>\n]|\breturn\b|\bof\b)\s*)(?P<all>await\s+(?:Promise\.all(?=\s*\())?)"
    rf"|\bfor\s+await(?=\s*\()|\basync\s+(?=function\b|\(|[A-Za-z_$][\w$]*\s*=>)",
    re.DOTALL,
)
_ASKS_SERVER = re.compile(r"\bawait\s+fetch\b")


def without_waiting(text: str) -> str:
    """Take out what waits: in a build that waits for nothing, values are there at once, or the component fails there.

    Raises:
        UnusableError: it asks a server for something.
    """
    if "await" not in text and "async" not in text:
        return text
    if _ASKS_SERVER.search(text):
        raise UnusableError("it waits for something while it is drawn")

    def written(match: re.Match[str]) -> str:
        if match["kept"]:
            return _WAITED_IN_TEXT.sub("", match["kept"]) if match["kept"][0] == "`" else match["kept"]
        if match["all"]:
            return match["before"]
        return "for" if match[0].startswith("for") else ""

    # What was found ends where the next one may start: twice in a row is taken in two turns.
    return _WAITED.sub(written, _WAITED.sub(written, text))


def with_environment(text: str) -> str:
    """Give a module the variables of a build that bundlers put in."""
    text = re.sub(
        r"\bimport\.meta\.env\b", '({ PROD: true, DEV: false, SSR: true, MODE: "production", BASE_URL: "/" })', text
    )
    text = re.sub(r"\bimport\.meta\.url\b", '"file:///"', re.sub(r"\bimport\.meta\.hot\b", "undefined", text))
    if re.search(r"(?<![\w.])process\.env\b", text) and not re.search(r"\b(?:const|import)\s+process\b", text):
        text = 'const process = { env: { NODE_ENV: "production" } };\n' + text
    return text


_DEFAULT = re.compile(r"^export\s+default\b|^export\s*\{[^}]*\bdefault\b", re.MULTILINE)


def exported_name(name: str, path: str, text: str) -> tuple[str, str]:
    """Find what a module exports for a component.

    Args:
        name: Of the component; that of a member follows the one of its object, and a dot.
        path: Of the module.
        text: Of the module.

    Returns:
        (name of the export, what of it is the component, if not all).

    Raises:
        UnusableError: it exports nothing of this name.
    """
    owner, _, member = name.partition(".")
    if path.endswith((".astro", ".vue")):
        return "default", member
    has_default = _DEFAULT.search(text) is not None
    # `import * as Links from …`: the members are what the module exports.
    first, _, rest = member.partition(".")
    if not _exports(owner, text, is_listed=not has_default) and first and _exports(first, text, is_listed=True):
        return first, rest
    if _exports(owner, text, is_listed=not has_default):
        return owner, member
    if not has_default:
        raise UnusableError(f'"{path}" exports no component of this name')
    return "default", member


def _exports(name: str, text: str, *, is_listed: bool) -> bool:
    named = rf"^export\s+(?:async\s+)?(?:function|const|let|var|class)\s+{re.escape(name)}\b"
    listed = rf"^export\s*\{{[^}}]*\b{re.escape(name)}\s*[,}}]|^export\s*\*\s*from"
    return re.search(f"{named}|{listed}" if is_listed else named, text, re.MULTILINE) is not None


_TOP = re.compile(
    r"^(?:import\b|(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?(?:const|let|var|function\*?|class|interface|type|enum)\b|export\b)",
    re.MULTILINE,
)
_NAMES = re.compile(
    r"^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?(?:const|let|var|function\*?|class|interface|type|enum)\s+(?P<one>[A-Za-z_$][\w$]*|\{[^{}]*\}|\[[^\[\]]*\])"
)
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_INLINE = r"(?<![\w$.]){name}\s*:\s*(?P<value>(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[A-Za-z_$][\w$]*)\s*(?::\s*[\w.<>\[\]]+\s*)?=>|function\b)"
_METHOD = r"(?:^|[{{,])\s*(?P<name>{name})\s*(?P<value>\([^()]*\)\s*(?::\s*[\w.<>\[\]]+\s*)?\{{)"
_OPENING, _CLOSING = "([{", ")]}"
_MOST_STATEMENTS = 400


def component_in(name: str, text: str) -> str | None:
    """Write a module of what a component within another module needs: a function of it, or one in an object of it.

    Pages are often drawn with components that the module which lists them holds itself, and does not export.

    Returns:
        The module, whose default export is the component; None where there is no such function.
    """
    starts = [match.start() for match in _TOP.finditer(text)]
    pieces = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    if len(pieces) > _MOST_STATEMENTS:
        return None
    declared: dict[str, int] = {}
    for number, piece in enumerate(pieces):
        for one in _declared_by(piece):
            declared.setdefault(one, number)
    value = name if name in declared and not pieces[declared[name]].startswith("import") else _inline(name, text)
    if value is None:
        return None
    kept: set[int] = set()
    waiting = _WORD.findall(value)
    while waiting:
        place = declared.get(waiting.pop())
        if place is not None and place not in kept:
            kept.add(place)
            waiting += _WORD.findall(pieces[place]) if not pieces[place].startswith("import") else []
    used = {
        word for number in kept if not pieces[number].startswith("import") for word in _WORD.findall(pieces[number])
    }
    used |= set(_WORD.findall(value))
    written = [_pruned(pieces[number], used) for number in sorted(kept)]
    return "".join(re.sub(r"^export\s+(?:default\s+)?", "", one) for one in written) + f"\nexport default {value};\n"


def _declared_by(piece: str) -> list[str]:
    if piece.startswith("import"):
        clause = re.match(r"import\s+(?:type\s+)?(?P<what>[^;'\"]*?)\s*from\b", piece)
        names = re.split(r"[,{}]", clause["what"]) if clause else []
        return [words[-1] for one in names if (words := _WORD.findall(one))]
    match = _NAMES.match(piece)
    return _WORD.findall(match["one"]) if match else []


def _pruned(piece: str, used: set[str]) -> str:
    """Take the names out of an import that are not used: what they lead to need not be copied."""
    match = re.match(r"(?P<head>import\s[^;'\"{}]*)\{(?P<names>[^{}]*)\}", piece)
    if match is None:
        return piece
    names = [one.strip() for one in match["names"].split(",") if (words := _WORD.findall(one)) and words[-1] in used]
    return f"{match['head']}{{ {', '.join(names)} }}{piece[match.end() :]}"


def _inline(name: str, text: str) -> str | None:
    """Give the function that an object of a module has under a name."""
    match = re.search(_INLINE.format(name=re.escape(name)), text)
    method = None if match else re.search(_METHOD.format(name=re.escape(name)), text)
    found = match or method
    if found is None:
        return None
    depth, start = 0, found.start("value")
    before = "function " if method else ""
    for token in _PIECE.finditer(text, found.end("value") if match and match["value"] != "function" else start):
        sign = token[0]
        if sign in _OPENING:
            depth += 1
        elif sign in _CLOSING:
            depth -= 1
        if depth == 0 and method and sign == "}":
            return f"({before}{text[start : token.end()]})"
        if depth < 0 or (depth == 0 and sign == "," and not method):
            return f"({text[start : token.start()].rstrip()})"
    return None


_PIECE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[()\[\]{},]""", re.DOTALL
)


_MAIN = re.compile(r"""(?<!["'`\w-])(</?)main(?=[\s/>])""")


def without_main(text: str) -> str:
    """Write `<main>` as `<div>`: the page around a component has one already, and readers of screens look for one only."""
    return _MAIN.sub(r"\1div", text) if "<main" in text else text
