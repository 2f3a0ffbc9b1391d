"""Nobody's machine is changed without being asked, and what is not tested is said."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from tests.support.system import PARTS, Machine, Part, install_missing

SHIP = Part("Ship", lambda: False, ("ship", "sails"), "sailing")
ANCHOR = Part("Anchor", lambda: False, ("anchor",), "stopping")
THERE = Part("Sea", lambda: True, ("sea",), "swimming")
CONTAINER = Machine(has_apt=True, is_root=True, has_terminal=False)
TERMINAL = Machine(has_apt=True, is_root=True, has_terminal=True)


class Trial:
    """What happens on a machine: lines, questions, installed packages."""

    def __init__(
        self, machine: Machine, *, typed: str = "", problem: str = "", parts: Sequence[Part] = (SHIP, THERE)
    ) -> None:
        self.lines: list[str] = []
        self.questions: list[str] = []
        self.installed: list[str] = []

        def ask(question: str) -> str:
            self.questions.append(question)
            return typed

        def install(packages: Sequence[str]) -> str:
            self.installed += packages
            return problem

        install_missing(machine, parts=parts, say=self.lines.append, ask=ask, install=install)


def test_root_without_a_terminal_installs_and_says_so_once_a_part() -> None:
    trial = Trial(CONTAINER, parts=(SHIP, THERE, ANCHOR))
    assert trial.installed == ["ship", "sails", "anchor"]
    assert trial.questions == []
    assert trial.lines == [
        "Installing Debian's ship, sails for the tests (once)…",
        "Installing Debian's anchor for the tests (once)…",
    ]


def test_other_packages_are_installed_where_the_first_cannot_be_had() -> None:
    tried: list[Sequence[str]] = []
    lines: list[str] = []

    def install(packages: Sequence[str]) -> str:
        tried.append(packages)
        return "no such package" if packages == ("ship", "sails") else ""

    raft = msgspec.structs.replace(SHIP, instead=("raft",))
    install_missing(CONTAINER, parts=(raft,), say=lines.append, ask=input, install=install)
    assert tried == [("ship", "sails"), ("raft",)]
    assert lines == [
        "Installing Debian's ship, sails for the tests (once)…",
        "Not to be had (no such package); installing raft instead…",
    ]


@pytest.mark.parametrize("typed", ["y", "Y ", "yes"])
def test_terminal_is_asked_and_may_agree(typed: str) -> None:
    trial = Trial(TERMINAL, typed=typed, parts=(SHIP, ANCHOR))
    assert len(trial.questions) == 1
    assert "ship sails anchor" in trial.questions[0]
    assert trial.installed == ["ship", "sails", "anchor"]


@pytest.mark.parametrize("typed", ["", "n", "no", "what?"])
def test_terminal_that_does_not_agree_keeps_its_machine_as_it_is(typed: str) -> None:
    trial = Trial(TERMINAL, typed=typed)
    assert trial.installed == []
    assert trial.lines == ["SKIPPED: Ship is missing (not installed at your request), so this is not tested: sailing."]


def test_answer_in_advance_is_not_asked_for_again() -> None:
    agreed = Trial(msgspec.structs.replace(TERMINAL, answer="install"))
    refused = Trial(msgspec.structs.replace(CONTAINER, answer="skip"))
    assert (agreed.questions, agreed.installed) == ([], ["ship", "sails"])
    assert (refused.questions, refused.installed) == ([], [])
    assert refused.lines == ["SKIPPED: Ship is missing (SYSTEM=skip), so this is not tested: sailing."]


@pytest.mark.parametrize(
    ("machine", "reason"),
    [
        (Machine(has_apt=False, is_root=True, has_terminal=False), "this is not Debian or Ubuntu"),
        (
            Machine(has_apt=True, is_root=False, has_terminal=True, answer="install"),
            "only root can install system packages",
        ),
    ],
)
def test_machine_on_which_nothing_can_be_installed_is_told_what_is_skipped(machine: Machine, reason: str) -> None:
    trial = Trial(machine)
    assert (trial.questions, trial.installed) == ([], [])
    assert trial.lines == [f"SKIPPED: Ship is missing ({reason}), so this is not tested: sailing."]


def test_failed_installation_names_the_reason_and_the_tests() -> None:
    assert Trial(CONTAINER, problem="no space left").lines[-1] == (
        "SKIPPED: Ship is missing (no space left), so this is not tested: sailing."
    )


@pytest.mark.parametrize("machine", [CONTAINER, TERMINAL])
def test_machine_with_everything_is_left_alone(machine: Machine) -> None:
    trial = Trial(machine, parts=(THERE,))
    assert (trial.lines, trial.questions, trial.installed) == ([], [], [])


def test_unknown_answer_is_refused() -> None:
    with pytest.raises(ValueError, match='SYSTEM is "perhaps"; expected install or skip'):
        Trial(msgspec.structs.replace(CONTAINER, answer="perhaps"))


def test_this_machine_is_described_with_its_answer() -> None:
    assert Machine.here({"SYSTEM": "skip"}).answer == "skip"
    assert Machine.here({}).answer == ""


def test_every_part_says_what_needs_it() -> None:
    assert [part.name for part in PARTS if not (part.packages and part.tests)] == []
