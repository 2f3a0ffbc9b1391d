"""What answers searches behind the protocol: the embedded engine by default, or another search engine."""
