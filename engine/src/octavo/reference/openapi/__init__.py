"""API descriptions: OpenAPI 3.0 and 3.1 in, `Document`s out. The door is `documents.make_documents`."""
