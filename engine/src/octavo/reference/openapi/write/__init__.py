"""Texts made from a description: code blocks, Markdown, search chunks, request samples."""
