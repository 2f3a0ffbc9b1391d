"""Descriptions of functions, classes, options and other objects, with the ids that Sphinx gives them."""

from __future__ import annotations

import html

from docutils import nodes

from octavo.content.translate.directives import kinds_of
from octavo.content.translate.rst.directives import OwnDirective
from octavo.content.translate.rst.nodes import Frame
from octavo.content.translate.rst.outline import METHODS, http_anchor
from octavo.lazy import regex as re

_PYTHON = ["function", "class", "method", "data", "attribute", "exception", "property", "staticmethod", "classmethod", "decorator",
           "decoratormethod", "type"]  # fmt: skip
_C = [
    "function",
    "member",
    "var",
    "macro",
    "struct",
    "union",
    "enum",
    "enumerator",
    "type",
    "alias",
    "namespace",
    "namespace-push",
    "namespace-pop",
]
_CPP = [*_C, "class", "concept", "enum-class", "enum-struct"]
_JS = ["function", "class", "method", "data", "attribute"]
_STANDARD = [
    "describe",
    "object",
    "option",
    "cmdoption",
    "envvar",
    "confval",
    "setting",
    "rst:directive",
    "rst:role",
    "rst:directive:option",
]
_NAME = re.compile(r"[A-Za-z_$][\w.$]*")
_WORDS = {
    "class": "class",
    "exception": "exception",
    "staticmethod": "static",
    "classmethod": "classmethod",
    "property": "property",
}
_UNSEEN = ("namespace", "namespace-push", "namespace-pop")


_FACTS = (("type", "Type"), ("value", "Value"), ("default", "Default"))
"""Option → what it is called below the name."""


class ObjectDirective(OwnDirective):
    """Describes one object or several: a signature on each line of the argument."""

    def run(self) -> list[nodes.Node]:
        domain, _, kind = self.name.lower().rpartition(":")
        if domain == "" and kind in _PYTHON:
            domain = self.page.settings.domain
        if kind in _UNSEEN:
            return []
        given = re.sub(r"\\\n\s*", " ", self.arguments[0] if self.arguments else "")
        if "no-typesetting" in self.options:
            self.options.all_asked()
        signatures = [line.strip().replace("\\", "") for line in given.split("\n") if line.strip()]
        terms, full = [], ""
        before_module, before_program = self.page.module, self.page.program
        module = self.options.get("module") if domain in ("py", "js") else None
        self.page.module = module or before_module
        for signature in signatures:
            place, own = self._place(domain, kind, signature)
            full = full or own
            shown = f"{_WORDS[kind]} {signature}" if kind in _WORDS and domain in ("py", "js") else signature
            shown = f"{kind.upper()} {signature}" if domain == "http" else shown
            shown = f"@{signature}" if kind.startswith("decorator") else shown
            shown = f"{kinds_of(self.options)}{shown}"
            if kind == "rst:directive" or (domain == "rst" and kind == "directive"):
                shown = f".. {signature}::" if not signature.startswith("..") else signature
            anchor = (
                f' id="{html.escape(place)}"'
                if place and "noindex" not in self.options and "no-index" not in self.options
                else ""
            )
            terms.append(f"<dt{anchor}><code>{html.escape(shown, quote=False)}</code></dt>")
        node = Frame(opening="", closing="")
        self.page.objects.append(full)
        self.body(node)
        self.page.objects.pop()
        if module or (domain == "py" and kind != "module"):
            self.page.module, self.page.program = before_module, before_program
        if "no-typesetting" in self.options:  # a place for references, of which readers see nothing
            places = re.findall(r'id="([^"]*)"', "".join(terms))
            node["opening"] = "".join(f'<a id="{place}"></a>' for place in places)
            node.children = []
            return self.placed(node)
        facts = [
            f"{label}: <code>{html.escape(self.options[key], quote=False)}</code>"
            for key, label in (*_FACTS, *((("canonical", "Stands for"),) if kind == "type" else ()))
            if self.options.get(key)
        ]
        terms += [f"<dd>{'; '.join(facts)}</dd>"] if facts else []
        head = "<dl>\n" + "\n".join(terms)
        if not node.children:
            node["opening"] = f"{head}\n</dl>"
        else:
            node["opening"], node["closing"] = f"{head}\n<dd>", "</dd>\n</dl>"
        return self.placed(node)

    def _place(self, domain: str, kind: str, signature: str) -> tuple[str, str]:
        """Give the id of an object and its whole name, which names within it begin with."""
        if kind in ("option", "cmdoption"):
            first = re.sub(r"[=\s\[].*", "", signature.partition(",")[0].strip())
            program = "-".join(self.page.program.split())
            return f"cmdoption-{f'{program}-' if program else ''}{first.lstrip('-/')}", ""
        if kind in ("envvar", "confval") or kind in self.page.settings.objects:
            return f"{kind}-{signature.split(' ', maxsplit=1)[0]}", ""
        if domain == "http":
            return http_anchor(kind, signature), ""
        if domain == "rst":
            name = signature.strip(". :").partition("::")[0]
            return f"{kind.replace(':', '-')}-{nodes.make_id(name)}", ""
        before = signature.partition("(")[0]
        names = _NAME.findall(before.partition(":")[0].partition("=")[0] if domain != "cpp" else before)
        if not names:
            return "", ""
        if domain in ("c", "cpp"):
            return (f"c.{names[-1]}" if domain == "c" else ""), names[-1]
        name = names[-1] if "(" in signature or (domain in ("py", "js") and len(names) == 1) else names[0]
        around = next((one for one in reversed(self.page.objects) if one), "")
        if around and not name.startswith(f"{around}."):
            inner = around.rpartition(".")[2]
            return (full := f"{around}.{name.removeprefix(f'{inner}.')}"), full
        full = (
            f"{self.page.module}.{name}"
            if self.page.module and domain == "py" and not name.startswith(f"{self.page.module}.")
            else name
        )
        return full, full


DESCRIPTIONS: dict[str, type[OwnDirective]] = dict.fromkeys(
    (
        *_PYTHON,
        *(f"py:{kind}" for kind in _PYTHON),
        *(f"c:{kind}" for kind in _C),
        *(f"cpp:{kind}" for kind in _CPP),
        *(f"js:{kind}" for kind in _JS),
        *_STANDARD,
        *(f"http:{method}" for method in METHODS),
    ),
    ObjectDirective,
)
