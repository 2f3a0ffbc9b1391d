"""The contract between Python and the theme: payload types, their generator, the addresses of published pages."""
