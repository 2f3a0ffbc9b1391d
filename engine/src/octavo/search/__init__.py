"""Search: records of a site, the index made of them, and the answers of the wire protocol."""
