"""Commands for the packet filter of the network of a server. No program is run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tool_api.errors import FieldError
from tool_api.runtime import firewall


class Filter:
    """Notes which programs are run; those that are named fail."""

    def __init__(self, patch: pytest.MonkeyPatch, *failing: str, missing: str = "") -> None:
        self.asked: list[str] = []
        self.texts: list[str] = []
        self._failing = failing
        self._missing = missing
        self.error: Exception | None = None
        patch.setattr("shutil.which", self._which)
        patch.setattr("subprocess.run", self._run)

    def _which(self, name: str, path: str) -> str | None:
        assert path.endswith(":/usr/sbin:/sbin")
        return None if name == self._missing else f"/sbin/{name}"

    def _run(self, command: list[str], **given: Any) -> Any:
        assert (given["check"], given["timeout"]) == (False, 20)
        said = " ".join(command)
        self.asked.append(said)
        self.texts += [given["input"]] if given["input"] else []
        if self.error is not None:
            raise self.error
        return SimpleNamespace(returncode=int(any(word in said for word in self._failing)))


RESTORE = "/sbin/iptables-restore --wait 10 --noflush"
JUMP = "/sbin/iptables --wait 10 {} INPUT --in-interface toolh-1 --jump toolh-1"


def test_containers_may_ask_their_proxy_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Filter(monkeypatch)
    firewall.confine("toolh-1", ("10.0.0.1", 3128))
    answers = "-A toolh-1 -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT"
    proxy = "-A toolh-1 -p tcp -d 10.0.0.1 --dport 3128 -j ACCEPT"
    assert found.texts == [f"*filter\n:toolh-1 - [0:0]\n{answers}\n{proxy}\n-A toolh-1 -j REJECT\nCOMMIT\n"]
    assert found.asked == [RESTORE, JUMP.format("--check")]
    without = Filter(monkeypatch)
    firewall.confine("toolh-1", None)
    assert without.texts == [f"*filter\n:toolh-1 - [0:0]\n{answers}\n-A toolh-1 -j REJECT\nCOMMIT\n"]


def test_jump_to_the_chain_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Filter(monkeypatch, "--check")
    firewall.confine("toolh-1", None)
    assert found.asked == [RESTORE, JUMP.format("--check"), JUMP.format("--insert")]


@pytest.mark.parametrize("failing", [("restore",), ("--check", "--insert")])
def test_filter_that_cannot_be_set_refuses_the_profile(
    monkeypatch: pytest.MonkeyPatch, failing: tuple[str, ...]
) -> None:
    found = Filter(monkeypatch, *failing)
    with pytest.raises(FieldError, match=r"permission_profile.*can't be enforced here"):
        firewall.confine("toolh-1", None)
    assert (JUMP.format("--check") in found.asked) == (len(failing) == 2)


@pytest.mark.parametrize("error", [OSError("gone"), firewall.subprocess.TimeoutExpired("iptables", 20)])  # type: ignore[attr-defined]  # a unit test imports no subprocess
def test_program_that_cannot_be_run_refuses_the_profile(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    Filter(monkeypatch).error = error
    with pytest.raises(FieldError):
        firewall.confine("toolh-1", None)
    absent = Filter(monkeypatch, missing="iptables-restore")
    with pytest.raises(FieldError):
        firewall.confine("toolh-1", None)
    assert absent.asked == []


def test_proxy_is_an_address_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Filter(monkeypatch)
    with pytest.raises(ValueError, match="-j ACCEPT"):
        firewall.confine("toolh-1", ("10.0.0.1 -j ACCEPT", 1))
    assert found.asked == []


def test_network_that_is_gone_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Filter(monkeypatch, "iptables")
    firewall.release("toolh-1")
    chain = "/sbin/iptables --wait 10 {} toolh-1"
    assert found.asked == [JUMP.format("--delete"), chain.format("--flush"), chain.format("--delete-chain")]
