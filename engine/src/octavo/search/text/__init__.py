"""Words of a text, independent of any index: tokens, stems, edit distance."""
