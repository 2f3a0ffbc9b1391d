"""The gateway API: a local server with storage that implements the published contract.

`app.create_app(settings)` makes the application; `cli.gateway` is its command.

routes      operations, one file per resource; each opens one transaction
store       queries; functions take the connection of the caller's transaction
models      the schemas of the contract
web         between HTTP and the operations
values      texts, names, times and descriptions, apart from storage and HTTP
migrations  numbered steps to today's tables
demo        demo data
"""

__version__ = "0.1.32"
"""The release that `GET /api/v1/version` reports; the API document counts for itself (0.1.7)."""
