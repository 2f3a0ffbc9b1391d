"""The scanner: components, admonitions and expressions are lifted out of Markdown before it is parsed."""
