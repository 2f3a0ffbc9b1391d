"""Work beside a server: a thread that carries out tasks one after another, and one that notices changed files."""

from __future__ import annotations

from octavo.background.task_thread import TaskThread
from octavo.background.watching import Watcher, changed_since

__all__ = ["TaskThread", "Watcher", "changed_since"]
