"""Settings of the old site are read, and those of this one written."""
