"""Texts made from a description: code blocks, Markdown, search chunks, examples, request samples; content of pages."""
