"""Records of a site, and the index files that a build writes and a server reads."""
