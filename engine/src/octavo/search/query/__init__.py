"""What a request asks for: parameters, filters, and the words of a query with what each may mean in an index."""
