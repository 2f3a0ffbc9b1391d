"""Between HTTP and the operations: guard, what operations are given, errors, large answers, the API's own documents."""
