"""`build_site`: the pipeline with a published folder as its output."""
