"""Links to other sites, asked over the network: `octavo check --external`."""

from __future__ import annotations

from octavo.external_links.asking import Asker, LinkAnswer
from octavo.external_links.check import Checked, check_external_links

__all__ = ["Asker", "Checked", "LinkAnswer", "check_external_links"]
