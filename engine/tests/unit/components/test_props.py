"""Types of properties, read off the files of components."""

import pytest

from octavo.components.modules import authored_column
from octavo.components.props import read_properties, wrong_values

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
