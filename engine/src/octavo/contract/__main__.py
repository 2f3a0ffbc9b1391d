"""`python -m octavo.contract`: see `generate.py`."""

import sys

from octavo.contract.generate import main

sys.exit(main(sys.argv[1:]))
