"""The tool API: a local service that runs MCP servers."""
