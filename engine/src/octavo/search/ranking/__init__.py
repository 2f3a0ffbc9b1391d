"""Which records match a query, and in which order."""
