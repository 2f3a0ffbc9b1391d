"""The port of a server: where clients talk the protocol to it."""
