"""Reading a description: fetch, parse, bundle, check, and the places of problems."""
