"""Pages to HTML: payloads, the theme in V8, the document around it."""
