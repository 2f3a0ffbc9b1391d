"""`python -m octavo_sandbox`: the same as `octavo-sandbox`."""

from octavo_sandbox.cli import main

main()
