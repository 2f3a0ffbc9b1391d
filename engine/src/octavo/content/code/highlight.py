"""Highlighting: code → HTML with Pygments' short class names, one `<span>` for a run of equal class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from octavo.content.code.budget import SlowCodeError, can_interrupt, looking, within_budget
from octavo.content.code.highlighter_process import Run, runs_from_process
from octavo.content.escape import escape

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_MEMO_BLOCKS = 4096
"""Blocks remembered for each form of output."""

_APART_FROM = 1_000
"""Characters of a block from which another process highlights it where a match cannot be interrupted."""

PLAIN = frozenset(
    ["", "text", "txt", "plain", "plaintext", "text/plain", "none", "log", "logs", "output", "stdout", "stderr", "ascii", "tree", "filetree",
     "file-tree", "ansi", "csv", "tsv", "nocode", "nohighlight", "no-highlight", "pseudocode"]
)  # fmt: skip
"""Languages that are shown as they are."""

_ALIASES = {
    "yml": "yaml",
    "mdx": "markdown",
    "jsonl": "json",
    "json5": "javascript",
    "jsonc": "javascript",
    "ndjson": "json",
    "env": "bash",
    "dotenv": "bash",
    "shell": "bash",
    "zsh": "bash",
    "shellscript": "bash",
    "console": "bash",
    "shell-session": "bash",
    "shellsession": "bash",
    "sh-session": "bash",
    "bash-session": "bash",
    "powershell-session": "powershell",
    "cmd": "batch",
    "gradle": "groovy",
    "hbs": "html+handlebars",
    "handlebars": "html+handlebars",
    "hcl": "terraform",
    "golang": "go",
    "svg": "xml",
    "vue": "html",
    "mjs": "javascript",
    "cjs": "javascript",
    "mts": "typescript",
    "cts": "typescript",
    "tf": "terraform",
    "assembly": "gas",
    "armasm": "gas",
    "cli": "bash",
    "cnf": "ini",
    "containerfile": "docker",
    "tsq": "scheme",
    "makefile": "make",
    "patch": "diff",
    "curl": "bash",
    "angular": "html",
    "astro": "html",
    "conf": "ini",
    "gettext": "po",
    "go-html-template": "html",
    "go-text-template": "html",
    "gotmpl": "html",
    "gql": "graphql",
    "icu": "text",
    "icu-message-format": "text",
    "ipython": "python",
    "ipython3": "python",
    "markdoc": "markdown",
    "mdc": "markdown",
    "mjml": "html",
    "node": "javascript",
    "nu": "bash",
    "nushell": "bash",
    "svelte": "html",
    "tpl": "html",
    "vue-html": "html",
}
"""What authors write where Pygments has another name."""
_OF_OTHERS = {
    "text": "gitignore dockerignore npmignore ignore regex regexp codeowners fstab crontab cron requirements git-commit dns der hex vcard ics"
    " beancount jq go-mod gomod go.mod linker-script ld logql",
    "apache": "apache2 htaccess",
    "bash": "azurecli",
    "batch": "dos",
    "c": "h opencl",
    "cpp": "cc hpp hh cxx hxx ino",
    "css": "postcss stylus styl css-extras qss",
    "fortran": "f77 f95 f03 f08",
    "fsharp": "fs",
    "graphviz": "gv",
    "groovy": "jenkinsfile",
    "html": "razor cshtml ejs eta marko templ heex eex leex mdx-code-block gotemplate gotext",
    "html+handlebars": "mustache moustache",
    "html+php": "blade php-blade phpdoc",
    "ini": "env-file editorconfig sshconfig ssh-config",
    "java": "apex",
    "javascript": "pkl cue jsonata",
    "jinja": "jinja2 j2 nunjucks njk",
    "json": "webmanifest hjson hocon jsonschema json-schema geojson topojson avsc ipynb har",
    "jsx": "javascriptreact jsx-live jsreact reactjs gjs glimmer-js",
    "kotlin": "kt kts",
    "make": "just justfile mk mak",
    "markdown": "rmd qmd quarto asciidoc adoc",
    "nginx": "nginxconf",
    "openscad": "scad",
    "powershell": "powershell-interactive",
    "protobuf": "proto3 textproto txtpb pbtxt prototext",
    "pycon": "python-repl",
    "python": "bzl",
    "ruby": "gemfile gemspec podspec rake vagrantfile",
    "rust": "kdl ron move cairo noir sway",
    "solidity": "sol",
    "sql": "plsql pgsql cql n1ql dbt surql surrealql",
    "terraform": "tfvars bicep",
    "toml": "pipfile",
    "tsx": "typescriptreact tsx-live tsreact gts glimmer-ts",
    "typescript": "typespec tsp prisma ts-twoslash twoslash",
    "typst": "typ",
    "vbnet": "vb vba vbs",
    "vim": "viml vimscript",
    "xml": "markup mathml ssml atom rss xsd xsl plist wsdl soap xhtml",
    "yaml": "docker-compose openapi swagger asyncapi raml taskfile",
}
"""Language of Pygments → names of highlight.js, Prism and Shiki for it, and for languages that read as it does and that Pygments lacks."""
_ALIASES |= {name: language for language, names in _OF_OTHERS.items() for name in names.split()}
_SHORT_NAME = 2
"""Letters of a name of a language, such as C or Go, that says nothing at the end of another name."""


def is_known(language: str) -> bool:
    """Whether blocks of this language (lower case) can be highlighted or are meant to be plain."""
    return language in PLAIN or _lexer(language) is not None


@lru_cache(maxsize=1)
def known_languages() -> frozenset[str]:
    """Every name that a block may carry."""
    from pygments.lexers import get_all_lexers

    names = {alias for _, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases}
    return frozenset(names | PLAIN | _ALIASES.keys())


@lru_cache(maxsize=_MEMO_BLOCKS)
def highlight(language: str, code: str) -> str:
    """Highlight a whole block; spans may reach over line ends."""
    if not _has_lexer(language):
        return escape(code)
    return "".join(_span(name, text) for name, text in _runs(language, code))


@lru_cache(maxsize=_MEMO_BLOCKS)
def highlight_lines(language: str, code: str) -> tuple[str, ...]:
    """Highlight line by line: each line's HTML is complete in itself and has no line end."""
    if not _has_lexer(language):
        return tuple(escape(line) for line in code.split("\n"))
    lines: list[list[str]] = [[]]
    for name, text in _runs(language, code):
        first, *others = text.split("\n")
        lines[-1].append(_span(name, first))
        lines.extend([_span(name, other)] for other in others)
    return tuple("".join(line) for line in lines)


def _span(name: str, text: str) -> str:
    return f'<span class="{name}">{escape(text)}</span>' if name and text else escape(text)


def _has_lexer(language: str) -> bool:
    return language not in PLAIN and _lexer(language) is not None


def _runs(language: str, code: str) -> Iterable[Run]:
    """Give (class, text) with neighbours of equal class joined, whatever a lexer does in bounded time.

    Raises:
        SlowCodeError: the budget is used up.
    """
    if len(code) < _APART_FROM or can_interrupt():
        return runs_here(language, code)
    return runs_from_process(language, code)


def runs_here(language: str, code: str) -> list[Run]:
    """Do in this process what `_runs` does, of a language that has a lexer.

    Raises:
        SlowCodeError: the budget is used up.
    """
    lexer = _lexer(language)
    return [("", code)] if lexer is None else within_budget(lambda: list(_joined(lexer, code)))


def _joined(lexer: Lexer, code: str) -> Iterator[Run]:
    names = _class_names()
    current = ""
    texts: list[str] = []
    for _, token, text in _tokens(lexer, code):
        name = names.get(token)
        if name is None:
            name = names[token] = _class_name(token)
        if name != current and texts:
            yield current, "".join(texts)
            texts = []
        current = name
        texts.append(text)
    if texts:
        yield current, "".join(texts).removesuffix("\n")


_SHELLS = frozenset({"Bash", "PowerShell"})


def _tokens(lexer: Lexer, code: str) -> Iterable[tuple[int, Any, str]]:
    """Split code into tokens; the final line end, which some lexers need, is added here."""
    from octavo.content.code.shell import mark_commands

    def lex(text: str) -> list[tuple[int, Any, str]]:
        return list(looking(lexer.get_tokens_unprocessed(text)))

    text = f"{code}\n"
    try:
        return list(mark_commands(lex, text)) if lexer.name in _SHELLS else lex(text)
    except SlowCodeError:
        raise
    except Exception:  # noqa: BLE001 - a lexer's own fault costs the block its colours, not the page
        return [(0, None, f"{code}\n")]


@lru_cache(maxsize=1)
def _class_names() -> dict[Any, str]:
    """Token type → class; plain text, white space, unknown characters and None have none."""
    from pygments.token import STANDARD_TYPES, Error, Text

    names: dict[Any, str] = dict(STANDARD_TYPES)
    return {None: "", **{token: "" if token in Text or token is Error else name for token, name in names.items()}}


def _class_name(token: Any) -> str:
    """Class of a token type that has none of its own: that of its nearest ancestor."""
    names = _class_names()
    while token not in names:
        token = token.parent
    return names[token]


@lru_cache(maxsize=512)
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import find_lexer_class_by_name
    from pygments.util import ClassNotFound

    from octavo.content.code.lexing import merged

    # VitePress: values of the page are filled in where "-vue" follows the language.
    names = [language, language.removesuffix("-vue")]
    # A dialect that a site has described itself, such as "questdb-sql".
    kind = language.rpartition("-")[2]
    if len(kind) > _SHORT_NAME:
        names.append(kind)
    for name in dict.fromkeys(names):
        try:
            lexer_class = find_lexer_class_by_name(_ALIASES.get(name, name))
        except ClassNotFound:
            continue
        break
    else:
        return None
    return merged(lexer_class)()
