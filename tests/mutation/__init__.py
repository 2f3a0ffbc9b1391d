"""Mutation testing by samples: small changes of the code, each of which the package's tests should notice."""
