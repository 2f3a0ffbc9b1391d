"""The gateway API: a local service with storage, true to its contract.

`app.create_app(settings)` makes the server; `cli.gateway` is its command.

routes   models in, models out; one file per resource
store    tables in, models out; every operation is one transaction
models   the schemas of the contract
"""

__version__ = "0.1.32"
"""The release that `GET /api/v1/version` reports; the API document counts for itself (0.1.7)."""
