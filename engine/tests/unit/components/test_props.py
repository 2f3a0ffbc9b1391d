"""Types of properties, read off the files of components."""

import pytest

from octavo.components.definitions import authored_column
from octavo.components.props import PropertyChecks, read_properties, wrong_values
from octavo.diagnostics import Span
from octavo.rendering import InnerHtml, Use

BODY = "{ a: string; b?: number }"


@pytest.mark.parametrize(
    "source",
    [
        f"export default function X({{ a, b }}: {BODY}) {{}}",
        f"export default function X<T>(props: {BODY}): ReactNode {{}}",
        f"export default ({{ a = '}}', b }}: {BODY}) => null;",
        f"interface Props {BODY}\nexport default function X({{\n  a,\n  b,\n}}: Props) {{}}",
        f"type Props = {BODY};\nfunction X(props: Readonly<Props>) {{}}\nexport default X;",
        f"type Props = {BODY}\nconst X = ({{ a }}: Props) => null;\nexport {{ X as default }};",
        f"// interface Props {{ c: number }}\ninterface Props {BODY}\nexport default memo(function X({{ a }}: Props) {{}});",
        "interface P {\n  readonly a: string /* one */\n  'b'?: number\n}\nexport default function X({ a }: P) {}",
        "interface P { a: string, b?: number }\nexport default async function X({ a: { c } , ...rest }: P) {}",
    ],
)
def test_properties_are_read(source: str) -> None:
    properties = read_properties(source)
    assert properties is not None
    assert {name: (one.type, one.is_optional) for name, one in properties.all.items()} == {
        "a": ("string", False),
        "b": ("number", True),
    }
    assert properties.is_complete
    for one, name in zip(properties.all.values(), "ab", strict=True):
        line = source.split("\n")[one.line - 1][one.column - 1 :]
        assert line.removeprefix("readonly ").strip("'\"").startswith(name)


@pytest.mark.parametrize(
    "source",
    [
        "export default function X({ a }) {}",
        "export default function X() {}",
        "import P from './p';\nexport default function X({ a }: P) {}",
        "export default function X({ a }: { a: string",
        "export default class X {}",
        "const x = 1;",
        "",
    ],
)
def test_other_types_check_nothing(source: str) -> None:
    assert read_properties(source) is None


@pytest.mark.parametrize("more", ["extends Base ", "extends Base, Other<string> "])
def test_types_with_more_members_take_more(more: str) -> None:
    properties = read_properties(f"interface P {more}{{ a: string }}\nexport default (props: P) => null;")
    assert properties is not None
    assert wrong_values(properties, "X", "X.tsx", {"a": "", "z": 1}, has_children=False) == []
    assert len(wrong_values(properties, "X", "X.tsx", {"z": 1}, has_children=False)) == 1


def test_intersections_and_signatures_take_more() -> None:
    for kind in ("{ a: string } & Other", "{ a: string; [name: string]: unknown }"):
        properties = read_properties(f"type P = {kind};\nexport default (props: P) => null;")
        assert properties is not None
        assert wrong_values(properties, "X", "X.tsx", {"a": "", "z": 1}, has_children=False) == []


FITS: dict[str, list[object]] = {
    "string": ["", "a"],
    "number": [1, 2.5],
    "boolean": [True, False],
    "'a' | \"b\"": ["a", "b"],
    "1 | 2": [1, 2],
    "true | string": [True, "x"],
    "string | null": [None, ""],
    "number[]": [[], [1]],
    "(string | number)[]": [["a", 1]],
    "Array<'a' | 'b'>": [["a"]],
    "ReadonlyArray<string>": [["a"]],
    "readonly string[]": [["a"]],
    "{ x: number }": [{"x": 1}, {}],
    "Date": [1, "x", None],
    "Record<string, number>": [{"a": 1}],
}


@pytest.mark.parametrize("kind", FITS)
def test_values_of_a_type_pass_and_others_do_not(kind: str) -> None:
    properties = read_properties(f"export default ({{ a }}: {{ a: {kind}; b?: string }}) => null;")
    assert properties is not None
    for value in FITS[kind]:
        assert wrong_values(properties, "X", "X.tsx", {"a": value}, has_children=False) == [], value
    if kind not in ("Date", "Record<string, number>"):
        others = [one for fits in FITS.values() for one in fits if isinstance(one, list) and one and one[0] == 7]
        for value in [*others, [{}]]:
            assert len(wrong_values(properties, "X", "X.tsx", {"a": value}, has_children=False)) == 1, value


def test_empty_texts_are_values_of_a_union_and_content_may_be_left_out() -> None:
    source = "export default (props: { a: '' | 'x|y'; b: ReactNode; c: unknown; d: string }) => null;"
    properties = read_properties(source)
    assert properties is not None
    for value in ("", "x|y"):
        assert wrong_values(properties, "X", "X.tsx", {"a": value, "d": ""}, has_children=False) == []
    for value in ("x", "y", " "):
        assert len(wrong_values(properties, "X", "X.tsx", {"a": value, "d": ""}, has_children=False)) == 1
    assert len(wrong_values(properties, "X", "X.tsx", {"a": ""}, has_children=False)) == 1


def test_members_over_several_lines() -> None:
    source = "interface P {\n  a:\n    | 'x'\n    | 'y';\n  pick?(row: string): void;\n  b: string\n}\nexport default (props: P) => null;"
    properties = read_properties(source)
    assert properties is not None
    assert properties.all["a"].type == "| 'x' | 'y'"
    assert wrong_values(properties, "X", "X.tsx", {"a": "y", "b": "", "pick": 1}, has_children=False) == []
    assert wrong_values(properties, "X", "X.tsx", {"a": "z", "b": ""}, has_children=False) == [
        "\"a\" of <X> is the text \"z\", and must be | 'x' | 'y' (X.tsx:2:3)."
    ]


def test_columns_lead_back_to_the_source() -> None:
    # A line of types before it, and `  const first = (all: string[]): string => (all as string[])[0].trim();`.
    mappings = (
        "AAAA;AACA,CAAe,SAAS,GAAG,CAAC,EAAE,IAAI,EAAE,EAAE,EAAE,EAAE,CAAC,EAAK;"
        "AAChD,EAAE,MAAM,MAAM,EAAE,CAAC,GAAG,KAAuB,CAAC,IAAI,CAAY,CAAC,CAAC,CAAC,CAAC,IAAI,CAAC,CAAC"
    )
    compiled = "  const first = (all) => (all )[0].trim();"
    places = [compiled.index(part) + 1 for part in ("const", "first", "(all )", "[0]", "trim")]
    assert [authored_column(mappings, 3, place) for place in places] == [3, 9, 44, 61, 65]


OTHERS = {
    "./types": "export interface Base { id?: string }\nexport interface Props extends Base { a: string; tone: Tone }\nexport type Tone =\n  | 'calm'\n  | 'loud';\n",
    "./all": "export * from './types';\nexport { Props as Given } from './types';\n",
    "./one": "interface One { a: string; tone: 'calm' }\nexport default One;\n",
    "acme": """import * as React from "react";
import type { Props } from "./types";
export declare function Chart(props: Readonly<Props>): React.JSX.Element;
export declare const Gauge: React.FC<Props | { more: 1 }>;
export declare const Both: React.FC<Props & { more?: 1 }>;
declare const Dial: FC<Props>;
export default Dial;
export class Old {}
""",
    "handed": "export { Chart as Plot } from 'acme';\n",
}


def find(path: str, module: str) -> tuple[str, str] | None:
    del path
    return (f"{module.removeprefix('./')}.d.ts", OTHERS[module]) if module in OTHERS else None


@pytest.mark.parametrize(
    "source",
    [
        "import type { Props } from './types';\nexport default function X({ a }: Props) {}",
        "import { sum, type Props as P } from './types';\nexport default (props: Readonly<P>) => null;",
        "import { type Props } from './all';\nexport default function X(props: Props) {}",
        "import { Given } from './all';\ntype Mine = Given;\nexport default function X(props: Mine) {}",
        "import type { Props, Tone } from './types';\ninterface Own extends Props { tone: Tone }\nexport default (props: Own) => null;",
        "export { Chart as default } from 'acme';",
        "export { default } from 'acme';",
        "export { Both as default } from 'acme';",
        "import Dial from 'acme';\nexport default Dial;",
        "import { Chart } from 'acme';\nexport const client = 'load';\nexport default Chart;",
        "export { Plot as default } from 'handed';",
    ],
)
def test_types_are_read_from_other_files(source: str) -> None:
    properties = read_properties(source, "components/X.tsx", find)
    assert properties is not None
    assert properties.is_complete
    assert wrong_values(properties, "X", "X.tsx", {"a": "", "tone": "calm", "id": "1"}, has_children=False) == []
    [tone, more] = wrong_values(properties, "X", "X.tsx", {"a": "", "tone": "shy", "z": 1}, has_children=False)
    assert '"tone" of <X> is the text "shy", and must be' in tone
    assert "'calm' | 'loud' (" in tone
    assert more == '<X> has no property "z".'


@pytest.mark.parametrize(
    "source",
    [
        "export { Gauge as default } from 'acme';",
        "export { Old as default } from 'acme';",
        "export { default } from 'unknown';",
        "import type { Props } from './gone';\nexport default (props: Props) => null;",
        "import type { Loop } from './x';\ntype Loop = Loop;\nexport default (props: Loop) => null;",
    ],
)
def test_types_that_are_not_found_check_nothing(source: str) -> None:
    assert read_properties(source, "components/X.tsx", find) is None


def test_names_of_unions_are_spelled_out_and_other_names_take_all() -> None:
    source = """type Tone = "calm" | "loud";
type Many = Tone[]; type Odd = keyof typeof table; type Open = "a" | (string & {}); type Row = { x: 1 }
interface P { tone: Tone; many?: Many; odd?: Odd; open?: Open; row?: Row; gone?: Gone }
export default function X(props: P) {}"""
    properties = read_properties(source)
    assert properties is not None
    right = {"tone": "calm", "many": ["x"], "odd": 1, "open": "b", "row": {}, "gone": None}
    assert wrong_values(properties, "X", "X.tsx", right, has_children=False) == []
    [wrong] = wrong_values(properties, "X", "X.tsx", {"tone": "shy"}, has_children=False)
    assert wrong == '"tone" of <X> is the text "shy", and must be "calm" | "loud" (X.tsx:3:15).'


def test_place_of_a_type_is_in_the_file_that_declares_it() -> None:
    properties = read_properties("export { default } from './one';", "components/X.tsx", find)
    assert properties is None  # `One` is a type, no component
    source = "import type One from './one';\nexport default (props: One) => null;"
    properties = read_properties(source, "components/X.tsx", find)
    assert properties is not None
    [wrong] = wrong_values(properties, "X", "components/X.tsx", {"a": 1, "tone": "calm"}, has_children=False)
    assert wrong == '"a" of <X> is the number 1, and must be string (one.d.ts:1:17).'


JOINED = [
    "export default function X({ a, ...rest }: P & React.SVGProps<SVGSVGElement>) {}\ninterface P { a: string }",
    "type P = Base & Omit<Other, 'x'>;\ntype Base = { a: string };\nexport default (props: P) => null;",
    "type P<T> =\n  & Base<T>\n  & Other;\ninterface Base<T extends string = 'b'> { a: string; b?: T }\nexport default (props: P<'c'>) => null;",
    "export function X<T>({ a }: P<T> & Other) {}\ntype P<T> = { a: string; b?: T };",
]


@pytest.mark.parametrize("source", JOINED)
def test_members_of_joined_and_generic_types_are_checked_and_others_pass(source: str) -> None:
    properties = read_properties(source, "components/X.tsx")
    assert properties is not None
    assert wrong_values(properties, "X", "X.tsx", {"a": "", "b": 1, "z": 1}, has_children=False) == []
    assert len(wrong_values(properties, "X", "X.tsx", {"a": 3}, has_children=False)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "type P = { kind: 'a'; a: string } | { kind: 'b' };\nexport default (props: P) => null;",
        "export default (props: { a: string } | { b: string }) => null;",
        "export default (props: { a: string } & { b: string } | Other) => null;",
    ],
)
def test_choices_of_types_check_nothing(source: str) -> None:
    assert read_properties(source) is None


def test_all_of_joined_types_that_can_be_read_take_no_others() -> None:
    properties = read_properties(
        "type A = { a: string };\ninterface B { b?: number }\nexport default (props: A & B & { c?: 'x' }) => null;"
    )
    assert properties is not None
    assert len(wrong_values(properties, "X", "X.tsx", {"a": "", "b": 1, "c": "y", "d": 1}, has_children=False)) == 2
    assert properties.all["c"].column == len("export default (props: A & B & { ") + 1


@pytest.mark.parametrize(
    "head",
    ["export function X(", "export const X = (", "const X = (", "function X<T,>("],
)
def test_types_of_the_export_with_the_name_of_the_file_are_read(head: str) -> None:
    listed = "" if head.startswith("export") else "\nexport { X };"
    tail = ") => null;" if "=" in head else ") {}"
    properties = read_properties(f"{head}{{ a }}: {{ a: string }}{tail}{listed}", "components/X.tsx")
    assert properties is not None
    assert list(properties.all) == ["a"]


def test_elements_are_no_texts_and_content_is_no_property() -> None:
    reads: list[str] = []

    def read(path: str) -> str:
        reads.append(path)
        return "export default function X({ a }: { a: string }) {}"

    checks = PropertyChecks(read, lambda *_: None)
    element = InnerHtml("<b>x</b>", {})

    def wrong(path: str, contents: dict[str, InnerHtml], **props: object) -> str:
        use = Use("X", props, "children" in contents, False, Span("docs/a.md"), contents=contents)
        return checks.wrong_values(path, use)

    assert wrong("parts/X.tsx", {"children": element}, a="x") == wrong("parts/X.tsx", {}, a="x")
    assert '"a"' in wrong("parts/X.tsx", {"a": element})
    assert reads == ["parts/X.tsx"]
    assert wrong("slots/X.tsx", {"a": element}) == wrong("parts/X.jsx", {"a": element}) == ""
