"""The demo data: seven workspaces, seven providers, 200 conversations, made from a fixed seed."""
