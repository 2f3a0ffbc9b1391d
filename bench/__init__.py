"""Benchmarks: Recto against its bounds and against its peers, on the same pages."""
