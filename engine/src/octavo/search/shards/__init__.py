"""The search index as small files that a browser loads by need, where no server answers searches."""
