"""The contract between Python and the theme: payload types, their generator, the addresses of published pages."""

from __future__ import annotations

from octavo.contract.addresses import html_file, payload_file
from octavo.contract.generate import interfaces
from octavo.contract.payload import BootAnnouncement, BootData, DevMessage, PagePayload

__all__ = ["BootAnnouncement", "BootData", "DevMessage", "PagePayload", "html_file", "interfaces", "payload_file"]
