"""Benchmarks: Octavo against its bounds and against its peers, on the same pages."""
