"""`python -m recto`."""

from recto.cli import main

main()
