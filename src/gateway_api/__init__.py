"""The gateway API: a local service with storage, true to its contract."""
