"""Between HTTP and the operations: the guard, answers to errors, JSON of large answers, the reference page."""
