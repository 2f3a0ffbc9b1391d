from __future__ import annotations

from bench.quiet import ProcessorTimes, describe_steal, parse_processor_times, read_processor_times


def test_steal_is_the_eighth_counter_and_guest_time_is_not_counted_twice() -> None:
    line = "cpu  100 1 50 800 9 0 5 35 40 2\n"
    assert parse_processor_times(line) == ProcessorTimes(total=1000, stolen=35)


def test_counters_of_this_machine_can_be_read() -> None:
    assert read_processor_times().total > 0


def test_stolen_time_makes_figures_doubtful() -> None:
    text = describe_steal(ProcessorTimes(1000, 10), ProcessorTimes(2000, 210))
    assert text == "steal 20%; NOT QUIET, compare ratios only"


def test_quiet_machine_is_said_to_be_so() -> None:
    assert describe_steal(ProcessorTimes(1000, 10), ProcessorTimes(2000, 15)) == "steal 0%"
