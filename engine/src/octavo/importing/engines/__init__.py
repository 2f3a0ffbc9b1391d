"""One module for each engine: it reads the engine's configuration and makes a plan of it."""
