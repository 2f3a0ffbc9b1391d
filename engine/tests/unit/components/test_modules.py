"""Modules in TypeScript and CSS: what they need, and what is wrong with them, with its place. What compiles is asked for nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from octavo.components.children import ALWAYS, NEVER
from octavo.components.component import class_ending
from octavo.components.conversation import ComponentError
from octavo.components.modules import Module, Modules
from tests.support.each import each

HEAD = '"use strict";Object.defineProperty(exports, "__esModule", {value: true}); '


class Compiler:
    """Gives for each file what it was told to, or the code of a module that exports its default."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def compile(self, code: str, path: str) -> dict[str, Any]:
        del code
        self.asked.append(path)
        answer = self.answers.get(path, f"{HEAD}exports. default = 1;")
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, dict) else {"code": answer, "mappings": "AAAA"}


def requires(*names: str) -> str:
    return HEAD + " ".join(f"var _{number} = require('{name}');" for number, name in enumerate(names))


Load = Callable[..., Modules]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def make(files: dict[str, str], *paths: str, known: dict[str, Module] | None = None, **answers: Any) -> Modules:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        compiler: Any = Compiler({name.replace("__", "/") + ".tsx": answer for name, answer in answers.items()})
        modules = Modules(tmp_path, "parts", compiler, "tools", known or {})
        for path in paths or ("parts/A.tsx",):
            modules.add(str(path))
        return modules

    return make


def found(modules: Modules, path: str = "parts/A.tsx") -> list[str]:
    return [
        f"{one.span.line}:{one.span.column} {one.level} {one.message} {one.suggestion}".rstrip()
        for one in modules.all[path].problems
    ]


def test_files_that_a_module_imports_are_read_with_it(load: Load) -> None:
    text = (
        'import a from "./b";\nimport "./c.css";\nimport s from "./d.module.css";\nimport p from "./e.svg";\n'
        'import { useState } from "react";\nimport pack from "pack/deep";\nimport type { T } from "./types";\n'
        '// import "./gone";\nexport default () => null;\n'
    )
    files = {
        "parts/A.tsx": text,
        "parts/b/index.ts": "",
        "parts/c.css": "",
        "parts/d.module.css": "",
        "parts/e.svg": "",
    }
    files |= {"parts/vendor/pack/deep.js": "", "parts/types.ts": ""}
    modules = load(files, parts__A=requires("./b", "./d.module.css", "./e.svg", "react", "pack/deep"))
    module = modules.all["parts/A.tsx"]
    assert module.problems == []
    assert module.needs == {
        "./b": "parts/b/index.ts",
        "./d.module.css": "parts/d.module.css?names",
        "./e.svg": "parts/e.svg",
        "pack/deep": "parts/vendor/pack/deep.js",
        "./c.css": "parts/c.css",
    }
    assert module.types == ["./b", "pack/deep", "./types"]
    assert (module.line, module.mappings) == (9, "AAAA")
    assert modules.all.keys() >= {"parts/b/index.ts", "parts/d.module.css", "parts/e.svg"}
    authored = [path for path, one in modules.all.items() if one.is_authored]
    assert sorted(authored) == ["parts/A.tsx", "parts/b/index.ts", "parts/e.svg"]


@each(
    "name, message, hint",
    [
        (
            "./gone",
            '"./gone" is not a file of the site that a component can import.',
            "It can be a file ending in .tsx",
        ),
        ("../../out", '"../../out" is not a file of the site', "It can be a file"),
        (
            "https://x.example/a.js",
            '"https://x.example/a.js" cannot be imported: it is neither a file of the site nor the name of a package.',
            "Nothing is loaded from elsewhere.",
        ),
        ("@theme/Tabs", '"@theme/Tabs" cannot be imported: it is a part of another engine.', "Use elements of HTML"),
        ("next/link", '"next/link" cannot be imported: it is a part of another engine.', "Use elements of HTML"),
        (
            "reactt",
            'The package "reactt" cannot be imported: there is no copy of it in "parts/vendor".',
            'Did you mean "react"?',
        ),
        (
            "@scope/kilns",
            'The package "@scope/kilns" cannot be imported: there is no copy of it in "parts/vendor".',
            "Copy it: `octavo bundle @scope/kilns`, which needs Node, or put it there by hand as @scope/kilns.js",
        ),
    ],
)
def test_import_that_leads_nowhere_is_found_at_its_name(tmp_path: Path, name: str, message: str, hint: str) -> None:
    (tmp_path / "parts").mkdir(exist_ok=True)
    (tmp_path / "parts/A.tsx").write_text(f'1;\n  import a from "{name}";\n')
    compiler: Any = Compiler({"parts/A.tsx": requires(name)})
    modules = Modules(tmp_path, "parts", compiler, "tools", {})
    modules.add("parts/A.tsx")
    [problem] = modules.all["parts/A.tsx"].problems
    assert problem.message.startswith(message)
    assert problem.suggestion.startswith(hint)
    assert (problem.span.line, problem.span.column, problem.level) == (2, 18, "error")
    assert problem.excerpt == f'  import a from "{name}";'


@each(
    "answer, message",
    [
        (ComponentError("it hangs"), '1:1 error "parts/A.tsx" cannot be compiled: it hangs.'),
        (
            {"error": "Error transforming parts/A.tsx: SyntaxError: Unexpected token (2:3)", "line": 2, "column": 3},
            "2:3 error It cannot be compiled: Unexpected token.",
        ),
    ],
)
def test_module_that_cannot_be_compiled_is_a_finding(tmp_path: Path, answer: Any, message: str) -> None:
    (tmp_path / "parts").mkdir(exist_ok=True)
    (tmp_path / "parts/A.tsx").write_text("a\nb(\n")
    compiler: Any = Compiler({"parts/A.tsx": answer})
    modules = Modules(tmp_path, "parts", compiler, "tools", {})
    modules.add("parts/A.tsx")
    assert found(modules) == [message]


def test_export_with_the_name_of_the_file_becomes_the_default(load: Load) -> None:
    modules = load({"parts/A.tsx": "1;\nexport function A() {}\n"}, parts__A=f"{HEAD}exports.A = A;")
    module = modules.all["parts/A.tsx"]
    assert module.code.endswith("exports.A = A;\nexports.default = exports.A;")
    assert module.line == 2
    assert "default" in module.names.exported
    both = load({"parts/A.tsx": "export function A() {}\nexport default A;\n"}).all["parts/A.tsx"]
    assert (both.line, both.code.count("exports.default")) == (2, 0)
    none = load({"parts/A.tsx": "const a = 1;\n"}).all["parts/A.tsx"]
    assert none.line == 1


def test_style_sheet_that_is_imported_with_a_name_is_a_finding(load: Load) -> None:
    files = {"parts/A.tsx": 'import styles from "./k.css";\n', "parts/k.css": ""}
    assert found(load(files)) == [
        (
            '1:8 error A style sheet gives no names: "styles" is an empty object, and its classes are undefined. Call the file '
            '"k.module.css", or import it without a name and write classes as texts.'
        )
    ]
    copied = {"parts/vendor/x.js": 'import styles from "./k.css";\n', "parts/vendor/k.css": "a { colr: red }"}
    modules = load(copied, "parts/vendor/x.js")
    assert [found(modules, path) for path in modules.all] == [[], []]


def test_children_of_a_copied_package_are_looked_for_otherwise(load: Load) -> None:
    files = {"parts/A.tsx": "children.map(x)", "parts/vendor/x.js": "children.map(x)"}
    modules = load(files, "parts/A.tsx", "parts/vendor/x.js")
    assert [one.needs_children for one in modules.all.values()] == [ALWAYS, NEVER]


def test_feature_that_the_published_react_lacks_is_warned_of(load: Load) -> None:
    [problem] = found(load({"parts/A.tsx": "\n  useFormStatus();"}))
    assert problem.startswith(
        "2:3 warn In the browser this does not work: the published copy of React is without useForm"
    )


def test_names_that_nothing_exports_are_found_where_they_are_taken(load: Load) -> None:
    files = {
        "parts/A.tsx": 'import { one, tow } from "./b";\nimport s from "./k.module.css";\ns.card; s.crad;\n',
        "parts/b.tsx": "",
        "parts/k.module.css": ".card {}",
    }
    code = (
        f"{HEAD}var _b = require('./b'); _b.one; _b.tow; var _k = require('./k.module.css'); "
        "var _k2 = _interopRequireDefault(_k); _k2.default.card; _k2.default.crad;"
    )
    modules = load(files, parts__A=code, parts__b=f"{HEAD}exports.one = 1; exports.two = 2;")
    problems = [
        (one.level, one.span.line, one.span.column, one.message, one.suggestion) for one in modules.missing_names()
    ]
    assert problems == [
        ("error", 1, 15, '"./b" exports no "tow", so it is undefined here.', 'Did you mean "two"?'),
        ("warn", 3, 11, '"./k.module.css" has no class "crad", so it is undefined here.', 'Did you mean "card"?'),
    ]
    broken = load(files, parts__A=code, parts__b=ComponentError("x"))
    assert [one.span.line for one in broken.missing_names()] == [3]


def test_names_of_classes_are_a_module_of_their_own(load: Load) -> None:
    files = {
        "parts/a.module.css": ".a { composes: b c from './o.module.css'; composes: d from './gone.module.css' }",
        "parts/o.module.css": ".b {} .c {}",
    }
    modules = load(files, "parts/a.module.css?names")
    module = modules.all["parts/a.module.css?names"]
    assert module.needs == {"./o.module.css": "parts/o.module.css?names", "sheet": "parts/a.module.css"}
    ending = class_ending("parts/a.module.css")
    assert module.code == (
        f'const names = JSON.parse("{{\\"a\\": \\"a{ending}\\"}}");\n'
        'names["a"] += " " + require("./o.module.css")["b"];\nnames["a"] += " " + require("./o.module.css")["c"];\n'
        "module.exports = names;"
    )
    assert (module.names.exported, module.names.is_open) == (["a", "default"], False)
    assert [one.partition(" Did")[0] for one in found(modules, "parts/a.module.css")] == [
        (
            '1:43 error "./gone.module.css" is not a CSS module of the site whose classes can be composed. It can be a file ending '
            "in .module.css, with a path that begins with ./ or ../."
        )
    ]
    assert not module.is_authored


def test_class_that_another_sheet_does_not_have_cannot_be_composed(load: Load) -> None:
    files = {
        "parts/a.module.css": ".a {\n  composes: bb from './o.module.css' }",
        "parts/o.module.css": ".b1 {} .zz {}",
    }
    modules = load(files, "parts/a.module.css")
    assert found(modules, "parts/a.module.css") == ['2:3 error "./o.module.css" has no class "bb". It has: b1, zz.']


def test_compiled_module_is_taken_over_until_it_or_a_file_that_it_means_changes(load: Load, tmp_path: Path) -> None:
    files = {"parts/A.tsx": 'import b from "./b";\n', "parts/b.js": ""}
    first = load(files, parts__A=requires("./b"))
    known = {one.key: one for one in first.all.values()}
    again: Any = load({}, known=known, parts__A=requires("./b"))
    assert again._process.asked == []
    assert again.all == first.all
    (tmp_path / "parts/b.ts").write_text("")
    other: Any = load({}, known=known, parts__A=requires("./b"))
    assert other._process.asked == ["parts/A.tsx", "parts/b.ts"]
    assert other.all["parts/A.tsx"].needs == {"./b": "parts/b.ts"}


def test_file_that_is_too_large_is_not_read(load: Load) -> None:
    for count, problems in ((2_000_000, []), (2_000_001, ['1:1 error "parts/a.json" is larger than 2,000,000 bytes.'])):
        modules = load({"parts/a.json": f'"{"x" * (count - 2)}"'}, "parts/a.json")
        assert found(modules, "parts/a.json") == problems


def test_modules_that_import_each_other_are_listed_once(load: Load) -> None:
    files = {"parts/A.tsx": 'import "./b";', "parts/b.tsx": 'import "./A";'}
    modules = load(files, parts__A=requires("./b"), parts__b=requires("./A"))
    assert [one.path for one in modules.below("parts/A.tsx")] == ["parts/b.tsx", "parts/A.tsx"]
    assert modules.key("parts/A.tsx") != modules.key("parts/b.tsx")
