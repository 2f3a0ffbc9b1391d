"""`octavo dev`: a site while it is written. A build after each edit, and pages that follow it without being loaded anew."""

from __future__ import annotations

from octavo.dev.run import run_dev

__all__ = ["run_dev"]
