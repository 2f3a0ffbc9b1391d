"""A process for components that is started while nobody waits for it: to start one takes longer than to draw a page."""

from __future__ import annotations

import contextlib
import threading

from octavo.components.conversation import ComponentError
from octavo.components.process import ComponentProcess


class Spare:
    """Used by one thread; the thread that it starts ends when the process is ready."""

    def __init__(self, process: ComponentProcess) -> None:
        """Start the process."""
        self._process = process
        self._thread = threading.Thread(target=self._prepare, name="octavo-spare-process", daemon=True)
        self._thread.start()

    def take(self) -> ComponentProcess:
        """Wait until it is ready, and give it away; one that could not be prepared starts with its first request."""
        self._thread.join()
        return self._process

    def close(self) -> None:
        """End it."""
        self.take().close()

    def _prepare(self) -> None:
        with contextlib.suppress(ComponentError):
            self._process.prepare()
