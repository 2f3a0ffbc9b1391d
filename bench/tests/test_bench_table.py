from __future__ import annotations

import pytest

from bench.table import format_table


def test_first_column_is_left_and_the_others_are_right() -> None:
    table = format_table(["builder", "wall"], [["Hugo", "1.90"], ["Zensical", "30.00"]])
    assert table == "builder    wall\n--------  -----\nHugo       1.90\nZensical  30.00"


def test_lines_do_not_end_in_spaces() -> None:
    assert format_table(["page"], [["a"]]) == "page\n----\na"


def test_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="A row has 1 cells; expected 2"):
        format_table(["builder", "wall"], [["Hugo"]])
