"""The renderer: Markdown events and lifted nodes become HTML, search text and the lists of a document."""
