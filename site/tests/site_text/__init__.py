"""The pages of `site/`: what can be said of their text without a reader."""
