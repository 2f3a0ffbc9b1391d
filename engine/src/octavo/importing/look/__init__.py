"""What surrounds the pages of an imported site."""
