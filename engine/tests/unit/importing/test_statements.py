"""Statements of pages in MDX, and modules that leave something out or hold more than one component."""

from __future__ import annotations

import re
from typing import Any

import pytest

from octavo.importing.components.statements import (
    component_in,
    definition_of,
    exported_name,
    imported_names,
    statements_of,
    with_environment,
    with_globals,
    with_loaded,
    with_react,
    without_async,
    without_shown_imports,
    without_waiting,
)
from octavo.importing.components.unusable import UnusableError
from octavo.importing.stubs import Stub, find_source
from tests.support.each import each

PAGE = """import A from './A';
import {
  B,

  C,
} from './b';
# Title

Text that exports nothing.
export const Kiln = ({ hot }) => {
  const sign = ")}]"; // ( not closed

  return <b>{hot}</b>;
};
export default Layout
```js
import shown from 'shown';
```
````mdx-code-block
import Within from './within';
```js
import alsoShown from 'shown';
```
````
~~~
export const hidden = 1;
```
~~~
export function Last() {
  return null }
Behind
"""


def test_statements_of_a_page_are_its_imports_and_exports() -> None:
    found = statements_of(PAGE)
    assert found == (
        "import A from './A';\nimport {\n  B,\n\n  C,\n} from './b';\n# Title\n"
        'export const Kiln = ({ hot }) => {\n  const sign = ")}]"; // ( not closed\n\n  return <b>{hot}</b>;\n};\n'
        "export default Layout\nimport Within from './within';\nexport function Last() {\n  return null }\nBehind\n"
    )


def test_definition_of_a_component_is_its_statement() -> None:
    kiln = definition_of("Kiln", PAGE)
    assert kiln is not None
    assert kiln.startswith("export const Kiln = ")
    assert kiln.endswith("\n};")
    assert definition_of("Last", PAGE) == "export function Last() {\n  return null }\nBehind"
    assert definition_of("Kil", PAGE) is None
    assert definition_of("hidden", PAGE) is None
    assert definition_of("A", PAGE) is None


@each(
    "text, expected",
    [
        ("import A from 'm';", ("A", "", [])),
        ('import A, { B, C as D } from "m";', ("A", "", ["B", "C"])),
        ("import * as All from 'm';", ("", "All", [])),
        ("import { type T, B } from 'm'; import { C } from 'm';", ("", "", ["B", "C"])),
        ("import type { T } from 'm';", ("", "", [])),
        ("import A from 'other';", ("", "", [])),
        ("import { B,\n  $c,\n} from 'm';", ("", "", ["B", "$c"])),
    ],
)
def test_names_that_are_imported_from_a_module(text: str, expected: tuple[str, str, list[str]]) -> None:
    assert imported_names("m", text) == expected


def test_code_that_a_component_shows_imports_nothing() -> None:
    text = "import a from 'a'; // `x\nconst shown = `import b from 'b'; ${\"x\"}`; const q = 'import `c';"
    assert without_shown_imports(text) == text.replace("import b from", "______ b ____")
    assert without_shown_imports("import a from 'a'") == "import a from 'a'"


@each(
    "text, head",
    [
        ("const [a] = useState(1);", 'import { useState } from "react";\n'),
        (
            "const a = useRef<Props>(null); useEffect (() => {});",
            'import { useEffect, useRef } from "react";\n',
        ),
        ("const useState = own; useState(1);", ""),
        ("own.useState(1); const useStateful = 1;", ""),
        ("React.memo(A);", 'import React from "react";\n'),
        ("memo(A); f(React);", 'import { memo } from "react";\nimport React from "react";\n'),
        ("export default 1;", ""),
        ('import { useRef } from "react"; useState(1);', ""),
    ],
)
def test_module_gets_the_imports_of_react_that_it_leaves_out(text: str, head: str) -> None:
    assert with_react(text) == head + text


@each(
    "text, names",
    [
        ("<Card><Note /></Card>", "Card, Note"),
        ("import { Card } from './own'; <Card></Card>", ""),
        ("const Tip = 1; <Tip /><Own />", ""),
        ("<Steps>\n<Step title='a'></Step></Steps>", "Step, Steps"),
        ("<CardLike />", ""),
    ],
)
def test_components_of_mintlify_need_no_import(text: str, names: str) -> None:
    head = f'import {{ {names} }} from "mintlify/components";\n' if names else ""
    assert with_globals(text) == head + text


def test_what_is_loaded_later_is_imported_at_once() -> None:
    text = "const A = lazy(() => import('./a'));\nconst B = dynamic(() => import('./b').then((all) => all.B), { ssr: false });\nconst c = import('./c');"
    assert with_loaded(text) == (
        "import * as $loaded0 from './a';\nimport * as $loaded1 from './b';\n"
        "const A = $loaded0.default;\nconst B = $loaded1.B;\nconst c = import('./c');"
    )


@each(
    "text, expected",
    [
        ("async function A() {}", "function A() {}"),
        ("const a = async (b) => b; const c = async d => d;", "const a = (b) => b; const c = d => d;"),
        ("async function A() { await b; }", "async function A() { await b; }"),
        ("const a = async () => b().then(c);", "const a = async () => b().then(c);"),
        ("const asynchronous = 1;", "const asynchronous = 1;"),
    ],
)
def test_functions_in_which_nothing_waits_are_plain_ones(text: str, expected: str) -> None:
    assert without_async(text) == expected


@each(
    "text, expected",
    [
        ("const a = await b();", "const a = b();"),
        ("return await b();", "return b();"),
        ("const all = await Promise.all([await a, await b]);", "const all = ([a, b]);"),
        ("for await (const a of b) {}", "for (const a of b) {}"),
        ("for (const a of await b) {}", "for (const a of b) {}"),
        ("export default async function A() {}", "export default function A() {}"),
        ('const a = "await b"; // await c', 'const a = "await b"; // await c'),
        ("const a = `await ${await b}`;", "const a = `await ${b}`;"),
        ("const waited = 1;", "const waited = 1;"),
    ],
)
def test_values_are_there_at_once(text: str, expected: str) -> None:
    assert without_waiting(text) == expected


def test_component_that_asks_a_server_is_not_taken_over() -> None:
    with pytest.raises(UnusableError, match="it waits for something"):
        without_waiting("const a = await fetch('/x');")


def test_modules_know_the_variables_of_a_build() -> None:
    assert "PROD: true" in with_environment("const a = import.meta.env.PROD;")
    assert (
        with_environment("new URL('a', import.meta.url); import.meta.hot;") == "new URL('a', \"file:///\"); undefined;"
    )
    given = "const a = process.env.NODE_ENV;"
    assert with_environment(given) == f'const process = {{ env: {{ NODE_ENV: "production" }} }};\n{given}'
    own = "import process from 'x'; process.env.A; own.process.env;"
    assert with_environment(own) == own
    assert with_environment("own.process.env") == "own.process.env"


@each(
    "name, path, text, expected",
    [
        ("Box", "a.vue", "", ("default", "")),
        ("Box.Side", "a.astro", "", ("default", "Side")),
        ("Box", "a.tsx", "export default function Other() {}", ("default", "")),
        ("Box", "a.tsx", "export function Box() {}\nexport default Other;", ("Box", "")),
        ("Box", "a.tsx", "export const Box = 1;", ("Box", "")),
        ("Box", "a.tsx", "export { Other, Box };", ("Box", "")),
        ("Box", "a.tsx", "export { Box, Other as default };", ("default", "")),
        ("Box", "a.tsx", "export * from './b';", ("Box", "")),
        ("Box.Side", "a.tsx", "export async function Side() {}", ("Side", "")),
        ("Box.Side.Left", "a.tsx", "export const Side = {};", ("Side", "Left")),
        ("Box.Side", "a.tsx", "export class Box {}", ("Box", "Side")),
        ("Box.Side", "a.tsx", "export default Box;", ("default", "Side")),
    ],
)
def test_export_of_a_module_that_is_the_component(name: str, path: str, text: str, expected: tuple[str, str]) -> None:
    assert exported_name(name, path, text) == expected


def test_module_without_the_component_says_so() -> None:
    for text in ("export const Boxes = 1;", "const Box = 1;", "export { Boxes };"):
        with pytest.raises(UnusableError, match=re.escape('"a.tsx" exports no component of this name')):
            exported_name("Box", "a.tsx", text)


REGISTRY = """import { Card, Other } from './card';
import Plain from './plain';
import type { T } from './types';
const color = "red";
function Badge({ text }: Props) { return <Card color={color}>{text}</Card>; }
function unused() { return Other; }
export default {
  Badge,
  Small: ({ text }) => <i title="a, b">{text}</i>,
  Tall: function (props) { return <Plain {...props} />; },
  method(props) { return { a: [props, "}"] }; },
  Last: (props) => <b>{color}</b> };
"""


def test_component_within_a_module_gets_what_it_needs_and_no_more() -> None:
    badge = component_in("Badge", REGISTRY)
    assert badge is not None
    assert badge.startswith("import { Card } from './card';\n")
    assert 'const color = "red";\n' in badge
    assert "unused" not in badge
    assert "Plain" not in badge
    assert badge.endswith("\nexport default Badge;\n")


@each(
    "name, value",
    [
        ("Small", '(({ text }) => <i title="a, b">{text}</i>)'),
        ("Tall", "(function (props) { return <Plain {...props} />; })"),
        ("method", '(function (props) { return { a: [props, "}"] }; })'),
        ("Last", "((props) => <b>{color}</b>)"),
    ],
)
def test_function_in_an_object_is_a_component_too(name: str, value: str) -> None:
    written = component_in(name, REGISTRY)
    assert written is not None
    assert written.endswith(f"\nexport default {value};\n")
    assert ("const color" in written) == ("color" in value)
    assert ("import Plain" in written) == ("Plain" in value)


def test_what_a_module_only_imports_is_no_component_of_it() -> None:
    assert component_in("Card", REGISTRY) is None
    assert component_in("Nothing", REGISTRY) is None
    assert component_in("A", "const A = 1;\n" * 401) is None
    assert component_in("A", "const A = 1;\n" * 400) is not None


class Sources:
    """Pages of an old site, and the files of its components."""

    def __init__(self, pages: dict[str, str]) -> None:
        self.pages = pages

    def read(self, path: str) -> str | None:
        return self.pages.get(path)

    @staticmethod
    def find(name: str, origin: str, page: str) -> str:
        return f"{name} of {origin or 'all'} in {page}"


@each(
    "origin, pages, found, reason",
    [
        ("./box", {"a.mdx": "export const Box = 1;"}, "Box of ./box in a.mdx", ""),
        ("", {"a.mdx": "Text", "b.mdx": "Text"}, "Box of all in a.mdx", ""),
        ("", {"a.mdx": "Text", "b.mdx": "export const Box = 1;\n"}, "b.mdx", ""),
        ("", {"a.mdx": "export const Box =\n  1;\n", "b.mdx": "export const Box = 1;\n"}, "a.mdx", ""),
        ("", {"a.mdx": "export const Boxes = 1;\n"}, "Box of all in a.mdx", ""),
        (
            "",
            {"a.mdx": "export const Box = 1;\n", "b.mdx": "export const Box = 2;\n"},
            None,
            "pages define several components of this name",
        ),
    ],
)
def test_component_is_that_of_the_page_which_exports_it(
    origin: str, pages: dict[str, str], found: str | None, reason: str
) -> None:
    sources: Any = Sources(pages)
    stub = Stub("Box.Lid", origin, list(pages))
    assert find_source(stub, sources) == found
    assert stub.reason == reason
