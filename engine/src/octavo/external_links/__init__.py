"""Links to other sites, asked over the network: `octavo check --external`."""

from __future__ import annotations

from octavo.external_links.asking import Answer, Asker
from octavo.external_links.check import Checked, check_external_links

__all__ = ["Answer", "Asker", "Checked", "check_external_links"]
