"""What the specification promises, and the tests that hold it: `tests/promises.toml` against what has run."""
