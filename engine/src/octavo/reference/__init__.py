"""References from data: descriptions of HTTP APIs and of command lines become documents."""
