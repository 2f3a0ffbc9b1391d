"""Findings between pages: links, addresses, settings."""
