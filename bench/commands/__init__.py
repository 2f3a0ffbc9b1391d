"""One file for each subcommand: what is measured, and the bounds it is held to."""
