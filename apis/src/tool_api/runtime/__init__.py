"""Runtimes: what a server runs on."""
