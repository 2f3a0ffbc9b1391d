"""References of ours in the place of pages that other engines made of API descriptions."""
