"""The program of the test image: `plain`, or what the first argument or the transport names.

`plain` and `ledger` speak over standard input and output, `web` over HTTP, without the SDK, which takes seconds to import. `sdk` does so with it,
and so do its HTTP transports. `deaf` speaks to nobody.
"""

import importlib
import os
import sys

kind = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("MCP_TRANSPORT", "plain")
if kind in ("plain", "ledger", "web", "deaf"):
    importlib.import_module(kind).run()
else:
    importlib.import_module("sdk").run("stdio" if kind == "sdk" else kind)
