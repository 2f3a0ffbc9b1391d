"""Sources to compiled documents."""
