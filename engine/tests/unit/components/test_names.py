"""Names that modules export and take from each other, read off compiled code, and where authors wrote them. Nothing is run."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from octavo.components.names import (
    ModuleNames,
    did_you_mean,
    export_of_name,
    imported_names_of,
    missing_members,
    missing_names,
    place_of_import,
    place_of_member,
    read_names,
)
from octavo.components.react_features import HINT, MESSAGE, find_lacking, when_hydrated
from octavo.diagnostics import Diagnostic, Span
from tests.support.each import each

HEAD = '"use strict";Object.defineProperty(exports, "__esModule", {value: true}); '
DEFAULT = "function _interopRequireDefault(obj) { return obj && obj.__esModule ? obj : { default: obj }; } "
COMPILED = f"""{HEAD}{DEFAULT}var _x = require('./x'); var _x2 = _interopRequireDefault(_x);
var _z = require("./z"); _createNamedExportFrom(_z, 'd', 'd'); _createNamedExportFrom(_z, 'f', 'e');
var _w = require('./w'); _createStarExport(_w); _createStarExport(_gone);
var _k = require('./k.module.css'); var _k2 = _interopRequireDefault(_k);
exports. default = () => _x2.default.call(void 0, _x.b, _x.b, _x.c, o._x.no, _other.no, _k2.default.one, _k2.default["two-three"]);
 const G = 1; exports.G = G; _k2.default.one; _x2.default.size;
"""


def test_names_of_a_compiled_module_are_read() -> None:
    found = read_names(COMPILED)
    assert found == ModuleNames(
        exported=["d", "f", "default", "G"],
        is_open=False,
        stars=["./w"],
        taken={"./x": ["default", "b", "c"], "./k.module.css": ["default"], "./z": ["d", "e"]},
        members={"./k.module.css": ["one", "two-three"]},
    )


@each(
    "code, is_open",
    [
        (f"{HEAD}exports.a = 1;", False),
        (f"{HEAD}Object.defineProperty(exports, localName, {{}});", False),
        (f"{HEAD}Object.defineProperty(exports, key, {{}});", False),
        (f"{HEAD}Object.defineProperty(exports, 'b', {{}});", True),
        (f"{HEAD}exports[name] = 1;", True),
        (f"{HEAD}module.exports = a;", True),
        ("exports.a = 1;", True),
    ],
)
def test_module_whose_exports_cannot_be_listed_is_open(code: str, is_open: bool) -> None:
    assert read_names(code).is_open is is_open


KNOWN: Mapping[str, tuple[str, ModuleNames]] = {
    "./x": ("parts/x.ts", ModuleNames(["Kiln", "fire"], is_open=False)),
    "./open": ("parts/open.js", ModuleNames(["a"], is_open=True)),
    "./star": ("parts/star.js", ModuleNames(["a"], is_open=False, stars=["./x"])),
    "./k.module.css": ("parts/k.module.css?names", ModuleNames(["card", "title", "default"], is_open=False)),
}


def missing(taken: dict[str, list[str]], source: str = "") -> list[tuple[str, str, str]]:
    asked: list[str] = []

    def text_of(path: str) -> str:
        asked.append(path)
        return source

    found = list(missing_names(ModuleNames(taken=taken), KNOWN.get, text_of))
    assert set(asked) <= {"parts/x.ts"}
    return found


def test_names_that_a_module_takes_and_nothing_exports_are_found() -> None:
    assert missing({"./x": ["Kiln", "Klin", "zzz"], "./open": ["b"], "./star": ["b"], "./gone": ["b"]}) == [
        ("./x", "Klin", 'Did you mean "Kiln"?'),
        ("./x", "zzz", "It exports: Kiln, fire."),
    ]


@each(
    "name, source, is_type",
    [
        ("Props", "export interface Props {}", True),
        ("Props", "export type Props = 1", True),
        ("Props", "export namespace Props {}", True),
        ("Props", "declare class Props {}", True),
        ("Props", "export type { Other, Props } from './y'", True),
        ("Props", "export interface PropsOf {}", False),
        ("Props", "export const Props = 1", False),
        ("default", "export default interface A {}", True),
        ("default", "export default abstract type A", True),
        ("default", "export default class A {}", False),
        ("other", "export default interface A {}", False),
    ],
)
def test_type_that_a_module_takes_is_not_missing(name: str, source: str, is_type: bool) -> None:
    assert (missing({"./x": [name]}, source) == []) is is_type


def test_classes_that_a_css_module_does_not_have_are_found() -> None:
    names = ModuleNames(members={"./k.module.css": ["card", "tilte", "default"], "./gone.module.css": ["a"]})
    assert list(missing_members(names, KNOWN.get)) == [
        ("./k.module.css", "tilte", 'Did you mean "title"?'),
        ("./k.module.css", "default", "It has: card, title."),
    ]


@each(
    "known, hint",
    [
        ([], "It has nothing."),
        (list("abcdef"), "It has: a, b, c, d, e, f."),
        (list("abcdefg"), "It has: a, b, c, d, e, f, …."),
        (["a", "zzzy"], 'Did you mean "zzzy"?'),
    ],
)
def test_hint_names_what_is_close_or_the_first_names(known: list[str], hint: str) -> None:
    assert did_you_mean("zzzz", iter(known)) == hint


@each(
    "text, written, name, found",
    [
        ('import a from "./y";\nimport b, { ab, bc } from "./x";', "./x", "bc", "bc }"),
        ('import { a$b, b } from "./x";', "./x", "b", "b }"),
        ('export { one } from "./x";', "./x", "one", "one }"),
        ('import * as all from "./x";', "./x", "gone", './x"'),
        ('import(\n"./x")', "./x", "a", "import("),
        ('import { a } from "./xx";', "./x", "a", "import {"),
    ],
)
def test_place_of_an_import_is_that_of_the_name_or_of_the_module(
    text: str, written: str, name: str, found: str
) -> None:
    assert text[place_of_import(text, written, name) :].startswith(found)


@each(
    "text, name, found",
    [
        ('import s from "./k.css";\nx.s.one; ss.one; s.one; s.one', "one", "one; s.one"),
        ('import s from "./k.css";\ns["two-three"]', "two-three", 'two-three"]'),
        ('import s from "./k.css";\ns.one_more', "one", "import s"),
        ('1;import { one } from "./k.css";', "one", "one }"),
    ],
)
def test_place_of_a_class_is_that_of_its_use_or_of_the_import(text: str, name: str, found: str) -> None:
    assert text[place_of_member(text, "./k.css", name) :].startswith(found)


@pytest.mark.parametrize("before", ["", "x" * 500 + ";\n"], ids=["at the start", "far from the start"])
def test_style_sheets_that_are_imported_with_a_name_are_found(before: str) -> None:
    text = f'{before}import styles from "./a.css";\nimport "./b.css";\nimport m from "./c.module.css";\nimport d from "./d";\n'
    offsets = {name: text.index(name) for name in ("./a.css", "./b.css", "./c.module.css", "./d")}
    assert list(imported_names_of(text, offsets)) == [("./a.css", "styles", text.index("styles"))]


def test_name_of_a_style_sheet_is_looked_for_in_the_200_characters_before_it() -> None:
    for count, is_found in ((200, True), (201, False)):
        clause = "import a" + " " * (count - len('import a from "')) + ' from "'
        text = f'{clause}x.css";'
        assert (list(imported_names_of(text, {"x.css": len(clause)})) != []) is is_found


@each(
    "path, text, found",
    [
        ("parts/Kiln.tsx", "1;\nexport function Kiln() {}", "export function Kiln"),
        ("parts/Kiln.tsx", "export async function Kiln() {}", "export async function Kiln"),
        ("parts/Kiln.tsx", "export const one = 1;\nexport class Kiln {}", "export class Kiln"),
        ("parts/Kiln.tsx", "export { one, Kiln };", "export { one, Kiln }"),
        ("parts/Kiln.tsx", "export { Oven as Kiln, one };", "export { Oven as Kiln, one }"),
        ("parts/Kiln.tsx", "export { one };\nexport let Kiln = 1", "export let Kiln"),
        ("parts/Kiln.tsx", "export function Kilns() {}", None),
        ("parts/Kiln.tsx", "export { Kiln as Oven };", None),
        ("parts/kiln.tsx", "export function kiln() {}", None),
    ],
)
def test_export_with_the_name_of_its_file_is_found(path: str, text: str, found: str | None) -> None:
    match = export_of_name(path, text)
    assert (match and match[0]) == found


ELEMENT = "_jsxruntime.jsx.call(void 0, '{}', {{}})"
HEAD_ELEMENTS = "elements of the head"


@each(
    "text, element, feature, place",
    [
        ('import { useActionState } from "react";', "", "useActionState", "useActionState"),
        ("x; <Activity mode>", "", "<Activity>", "<Activity"),
        ("<form id={a} action={go}>", "", "actions of forms", "<form"),
        ("<button formAction={go}>", "", "actions of forms", "<button"),
        ('<form action="/x">', "", None, ""),
        ("<x-box>", "x-box", "custom elements", "<x-box"),
        ('"<x-box>"', "b", None, ""),
        ("<b/><title>x</title>", "title", HEAD_ELEMENTS, "<title>"),
        ('"<title>"', "b", None, ""),
        ("<svg><g><title>x</title></g></svg>", "title", None, ""),
        ("<svg><g/><title>x</title></svg>", "title", None, ""),
        ("<svg><g></g></svg><title>x</title>", "title", HEAD_ELEMENTS, "<title>"),
        ("<svg viewBox={a} /><title>x</title>", "title", HEAD_ELEMENTS, "<title>"),
        ("<svg><title>a</title></svg><title>x</title>", "title", HEAD_ELEMENTS, "<title>x"),
        ("<svg><meta /></svg>", "meta", HEAD_ELEMENTS, "<meta"),
        ('<svg><style precedence="low">', "style", None, ""),
        ('<meta itemProp="a" />', "meta", None, ""),
        ('<style precedence="low">', "style", HEAD_ELEMENTS, "<style"),
        ("<style>", "style", None, ""),
    ],
)
def test_what_the_published_react_lacks_is_found_at_its_first_use(
    text: str, element: str, feature: str | None, place: str
) -> None:
    found = list(find_lacking(f"{text}\n{text}", ELEMENT.format(element)))
    assert [one for one, _ in found] == ([feature] if feature else [])
    assert all(at == text.index(place) for _, at in found)


def test_what_fails_in_browsers_is_an_error_where_it_is_hydrated() -> None:
    def problem(message: str) -> Diagnostic:
        return Diagnostic("component-react", "warn", Span("parts/Kiln.tsx"), message, HINT)

    assert when_hydrated(problem(MESSAGE.format(feature="<Activity>"))).level == "error"
    assert when_hydrated(problem(MESSAGE.format(feature="onSelect"))).level == "warn"
