"""Following what is published elsewhere, while a server runs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from octavo.server.replica.copying import Replica, ReplicaError

_log = logging.getLogger(__name__)


@contextmanager
def following(replica: Replica, interval_s: float) -> Iterator[None]:
    """Look for a new build every few seconds, in a thread of its own, as long as the block runs."""
    is_over = threading.Event()

    def follow() -> None:
        said = ""
        while not is_over.wait(interval_s):
            try:
                replica.update()
                said = ""
            except ReplicaError as error:
                if str(error) != said:  # once, not every few seconds
                    said = str(error)
                    _log.warning("%s. The build before is served on.", said)

    thread = threading.Thread(target=follow, name="octavo-replica", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join(interval_s + 1)
