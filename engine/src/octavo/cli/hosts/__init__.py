"""Commands about the hosts that a site is published on."""

from octavo.cli.hosts.deploy import deploy
from octavo.cli.hosts.headers import headers

__all__ = ["deploy", "headers"]
