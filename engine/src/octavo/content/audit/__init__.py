"""What is looked for in the text and in the output of a page: syntax of other engines, and words that are lost."""
