"""`octavo dev`: a site while it is written. A build after each edit, and pages that follow it without being loaded anew."""
