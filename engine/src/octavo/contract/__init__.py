"""The contract between Python and the theme: payload types, their generator, the addresses of published pages."""

from __future__ import annotations

from octavo.contract.addresses import html_file, payload_file
from octavo.contract.payload import PagePayload

__all__ = ["PagePayload", "html_file", "payload_file"]
