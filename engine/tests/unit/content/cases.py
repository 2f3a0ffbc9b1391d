"""Cases as data: `fixtures/*.md` holds inputs and what comes out of them.

A case is a heading and, under it, fenced blocks of five backticks. The word after the fence says what a block is:

- `md` or `mdx`: the input, with the extensions of its dialect (`md admonitions tabs`); `file PATH`: another file of the
  site
- `html`, `diagnostics`, `islands`, `links`, `headings`, `text`, `markdown`: what must come out

`OCTAVO_UPDATE_CASES=1 pytest engine/tests/unit/content` writes the outputs anew; read the difference like code.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from octavo.content import SLOT, Dialect, Document
from octavo.content.compile import ContentOptions, compile_document

FIXTURES = Path(__file__).parent / "fixtures"
_CASE = re.compile(r"^## (?P<title>.*)\n(?P<body>(?:(?!^## ).*\n)*?)(?=^## |\Z)", re.MULTILINE)
_BLOCK = re.compile(r"^`{5}(?P<what>[^\n]*)\n(?P<text>.*?)^`{5}$\n?", re.MULTILINE | re.DOTALL)
_BLOCK_TAG = re.compile(
    r"(?<!^)(?<!\n)(?=<(?:p|h[1-6]|ul|ol|li|table|thead|tbody|tr|div|figure|blockquote|details|section|header|hr)\b)"
)
_OUTPUTS = ("html", "islands", "links", "headings", "text", "markdown", "diagnostics")
_ALWAYS = ("html", "islands", "diagnostics")


@dataclass
class Case:
    title: str
    source: str
    format: str
    files: dict[str, str] = field(default_factory=dict)
    expected: dict[str, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"docs/page.{self.format.split()[0]}"

    @property
    def options(self) -> ContentOptions:
        names = frozenset(path[11:-4] for path in self.files if path.startswith("components/"))
        _, *others = self.format.split()
        dialect = Dialect(
            extensions=frozenset(others),
            aliases={"@parts": "src/parts"},
            shortcodes=("shortcodes",),
            variables={"version": "1.4", "hint_of_all": "```{tip}\nRead {ref}`setup`.\n```"},
            references={"setup": "docs/other.md#setup"},
        )
        return ContentOptions(magic_comments={"error-line": "error"}, components=names, folders={"": dialect})

    def run(self) -> Document:
        return compile_document(self.source, source_path=self.path, load=self.load, options=self.options)

    def load(self, path: str) -> str | None:
        if not path.endswith("/"):
            return self.files.get(path)
        folder = path.removeprefix("./")
        inner = [one.removeprefix(folder) for one in self.files if one.startswith(folder)]
        return "\n".join(sorted({re.sub(r"/.*", "/", one) for one in inner})) or None

    def outputs(self) -> dict[str, str]:
        shown = show(self.run())
        wanted = [name for name in _OUTPUTS if name in self.expected or (name in _ALWAYS and shown[name])]
        return {name: shown[name] for name in wanted}


def load_cases(path: Path) -> list[Case]:
    text = re.sub(r"^(`{5}.*?^`{5}$)", _hide_headings, path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    cases = []
    for match in _CASE.finditer(text):
        case = Case(match["title"].strip(), "", "")
        for block in _BLOCK.finditer(match["body"].replace("\ue000", "#")):
            what, content = block["what"].strip(), block["text"]
            if what.split()[0] in ("md", "mdx"):
                case.source, case.format = content, what
            elif what.startswith("file "):
                case.files[what[5:]] = content
            else:
                case.expected[what] = content
        cases.append(case)
    return cases


def _hide_headings(match: re.Match[str]) -> str:
    return match[0].replace("\n#", "\n\ue000")


def write_cases(path: Path, cases: list[Case]) -> None:
    head = path.read_text("utf-8").partition("\n## ")[0]
    parts = [head.rstrip("\n") + "\n"]
    for case in cases:
        blocks = {case.format: case.source}
        blocks |= {f"file {name}": text for name, text in case.files.items()}
        blocks |= case.outputs()
        parts.append(f"\n## {case.title}\n")
        parts += [f"\n`````{what}\n{text}`````\n" for what, text in blocks.items()]
    path.write_text("".join(parts), "utf-8")


def show(document: Document) -> dict[str, str]:
    """Everything that a case can expect, as text."""
    return {
        "html": _show_html(document.body),
        "islands": "".join(
            f"{number} {island.kind} {_slots(json.dumps(island.props, ensure_ascii=False))}\n"
            + "".join(f"  C{index} {_slots(child)}\n" for index, child in enumerate(island.children))
            for number, island in enumerate(document.islands)
        ),
        "links": "".join(f"{link.span} {link.href}{'' if link.is_markup else ' (raw)'}\n" for link in document.links)
        + "".join(f"{asset.span} {asset.href}{' (sized)' if asset.has_size else ''}\n" for asset in document.assets),
        "headings": "".join(f"{'#' * h.level} {h.anchor or '-'} | {h.html} | {h.text}\n" for h in document.headings),
        "text": "".join(
            f"{chunk.kind} {chunk.heading} {json.dumps(chunk.text, ensure_ascii=False)}\n" for chunk in document.text
        ),
        "markdown": document.markdown.strip("\n") + "\n",
        "diagnostics": "".join(
            f"{found.span} {found.level} {found.code}: {' → '.join(filter(None, (found.message, found.suggestion)))}\n"
            for found in document.diagnostics
        ),
    }


def _show_html(html: str) -> str:
    parts = re.split(r"(<pre\b.*?</pre>)", html, flags=re.DOTALL)
    shown = "".join(part if index % 2 else _BLOCK_TAG.sub("\n", part) for index, part in enumerate(parts))
    return _slots(shown).strip("\n") + "\n" if shown else ""


def _slots(text: str) -> str:
    return re.sub(rf"{SLOT}(.*?){SLOT}", r"⟦\1⟧", text).replace("\\u0000", "¦")


def encode(document: Document) -> bytes:
    """The document as the cache stores it: a test that every part can be stored."""
    return msgspec.msgpack.encode(document)
