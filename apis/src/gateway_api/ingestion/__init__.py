"""Records as they happen: for a proxy, and for what follows the file that a proxy writes.

A program calls `record_exchanges`, or keeps an open `Ingestion` and calls `record`; `octavo-sandbox gateway follow`
reads a file while it grows.
"""

from gateway_api.ingestion.storing import Ingestion, Recorded, RecordError, read_exchange, record_exchanges

__all__ = ["Ingestion", "RecordError", "Recorded", "read_exchange", "record_exchanges"]
