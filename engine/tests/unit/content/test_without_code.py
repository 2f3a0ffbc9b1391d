import pytest

from octavo.content import without_code


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a `b` c", "a     c"),
        ("a ``b ` c`` d", "a           d"),
        ("a ` b", "a ` b"),
        ("x\n```py\ncode\n```\ny", "x\n     \n    \n   \ny"),
        ("- x\n\n  ~~~\n  code\n  ~~~\n", "- x\n\n     \n      \n     \n"),
    ],
)
def test_code_becomes_spaces_and_everything_else_stays_in_place(text: str, left: str) -> None:
    assert without_code(text) == left
