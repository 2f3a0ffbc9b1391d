"""What a container on a network of its own may ask of this machine: its egress proxy, and nothing else.

An internal network forwards nothing, but this machine is on it, with every service that listens on all of
its addresses. So each such network has a chain in the packet filter: answers to what we asked the container pass, new
connections to the proxy pass, all else is refused. Containers on these networks have no IPv6.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from ipaddress import IPv4Address

from tool_api.creation import PROFILE_FIELD
from tool_api.errors import FieldError

TIMEOUT_S = 20
_WAIT = ("--wait", "10")  # others change the filter as well, and hold its lock while they do
_PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])


def confine(bridge: str, proxy: tuple[str, int] | None) -> None:
    """Let in from a bridge what its containers may ask for; may be repeated.

    Args:
        bridge: Name of the network's interface on this machine; also that of its chain.
        proxy: IPv4 address and port of the egress proxy, if there is one.

    Raises:
        FieldError: The packet filter cannot be set, so the profile cannot be enforced.
    """
    rules = ["-m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT"]
    if proxy:
        rules.append(f"-p tcp -d {IPv4Address(proxy[0])} --dport {proxy[1]} -j ACCEPT")
    # In one step: between two there would be a chain that lets everything through.
    chain = [f":{bridge} - [0:0]", *(f"-A {bridge} {rule}" for rule in [*rules, "-j REJECT"])]
    jump = ("INPUT", "--in-interface", bridge, "--jump", bridge)
    text = "\n".join(["*filter", *chain, "COMMIT", ""])
    if not (
        _run("iptables-restore", *_WAIT, "--noflush", text=text)
        and (_run("iptables", *_WAIT, "--check", *jump) or _run("iptables", *_WAIT, "--insert", *jump))
    ):
        raise FieldError(PROFILE_FIELD, "can't be enforced here; the packet filter is set by iptables, as root")


def release(bridge: str) -> None:
    """Forget a bridge; one that is not known is left at that."""
    _run("iptables", *_WAIT, "--delete", "INPUT", "--in-interface", bridge, "--jump", bridge)
    _run("iptables", *_WAIT, "--flush", bridge)
    _run("iptables", *_WAIT, "--delete-chain", bridge)


def _run(name: str, *arguments: str, text: str = "") -> bool:
    """Return whether a program of the packet filter did what it was asked."""
    program = shutil.which(name, path=_PLACES)
    if program is None:
        return False
    try:
        done = subprocess.run(
            [program, *arguments], input=text, text=True, capture_output=True, check=False, timeout=TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
