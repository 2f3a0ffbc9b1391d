from __future__ import annotations

import pytest

from bench.figures import Bound, Ratio, Summary, compare_pairs, summarise


def test_summary_is_median_and_range() -> None:
    assert summarise([3.0, 1.0, 2.0]) == Summary(median=2.0, low=1.0, high=3.0)


def test_median_of_an_even_number_of_runs_lies_between_the_middle_ones() -> None:
    assert summarise([1.0, 2.0, 4.0, 9.0]).median == 3.0


def test_nothing_measured_cannot_be_summarised() -> None:
    with pytest.raises(ValueError, match="No values"):
        summarise([])


def test_summary_shows_its_range() -> None:
    assert Summary(1.934, 1.88, 2.009).format() == "1.93 (1.88–2.01)"


def test_summary_of_a_single_run_shows_no_range() -> None:
    assert summarise([1.5]).format() == "1.50"


@pytest.mark.parametrize(("figure", "is_met"), [(24.9, True), (25.0, True), (25.1, False)])
def test_ceiling_is_met_up_to_and_including_itself(figure: float, is_met: bool) -> None:
    assert Bound("page", figure, 25, "kB").is_met is is_met


@pytest.mark.parametrize(("figure", "is_met"), [(14.9, False), (15.0, True), (15.1, True)])
def test_floor_is_met_from_itself_on(figure: float, is_met: bool) -> None:
    assert Bound("factor", figure, 15, "×", is_floor=True).is_met is is_met


def test_bound_that_is_met_says_figure_limit_and_basis() -> None:
    bound = Bound("cold build, wall", 1.8, 1.934, "s", basis="Hugo's median")
    assert bound.format() == "met     cold build, wall: 1.8 s, at most 1.93 (Hugo's median)"


def test_bound_that_is_missed_says_by_how_much() -> None:
    bound = Bound("cold build, peak memory", 431.6, 400, "MiB")
    assert bound.format() == "MISSED  cold build, peak memory: 432 MiB, at most 400; off by 31.6 MiB"


def test_figure_just_over_its_limit_does_not_look_equal_to_it() -> None:
    assert Bound("page", 25.02, 25, "kB").format() == "MISSED  page: 25.02 kB, at most 25; off by 0.02 kB"


def test_ratio_of_pairs_leaves_out_what_slows_both_down() -> None:
    ratio = compare_pairs([1.0, 2.0, 40.0], [1.5, 3.0, 60.0])
    assert ratio.format() == "1.500 (1.500–1.500)"


def test_interval_of_a_ratio_is_that_of_the_logarithms() -> None:
    ratio = compare_pairs([1.0] * 11, [1.0, 1.1] * 5 + [1.05])
    assert (round(ratio.mean, 3), round(ratio.low, 3), round(ratio.high, 3)) == (1.049, 1.016, 1.083)


def test_ratio_of_two_pairs_has_a_wide_interval() -> None:
    ratio = compare_pairs([1.0, 1.0], [1.0, 1.1])
    assert ratio.low < 0.6
    assert ratio.high > 1.8


def test_one_pair_is_no_ratio() -> None:
    with pytest.raises(ValueError, match="two pairs"):
        compare_pairs([1.0], [1.0])


def test_pairs_are_whole() -> None:
    with pytest.raises(ValueError, match="shorter"):
        compare_pairs([1.0, 1.0], [1.0])


def test_ratio_is_mean_and_interval() -> None:
    assert Ratio(1.0434, 1.021, 1.0661).format() == "1.043 (1.021–1.066)"
