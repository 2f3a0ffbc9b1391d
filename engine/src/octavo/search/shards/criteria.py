"""The numbers and lists by which texts are taken apart and records are ranked: one source for server and browser.

`python -m octavo.contract` writes them down for the theme.
"""

from __future__ import annotations

from collections.abc import Mapping

from octavo.search.index import facts, record, tantivy_index
from octavo.search.query import clauses, parameters, query, vocabulary
from octavo.search.ranking import engine, filling, rank, spread, worth
from octavo.search.shards import export, files, page_numbers, page_words, postings, texts, words
from octavo.search.text import stemming, stop_words, tokens


def criteria() -> Mapping[str, object]:
    """List them by the names that the theme's search uses."""
    return {
        # tokens
        "LONGEST_TOKEN": tokens.LONGEST_TOKEN,
        "LONGEST_WORD": tokens.LONGEST_WORD,
        "STOP_WORDS": " ".join(sorted(stop_words.STOP_WORDS)),
        # words and their meanings
        "LONGEST_QUERY": query.LONGEST_QUERY,
        "MOST_WORDS": query.MOST_WORDS,
        "RARE": query.RARE,
        "MUCH_MORE": query.MUCH_MORE,
        "LEAST_RARE": query.LEAST_RARE,
        "FARTHEST_TYPOS": query.FARTHEST_TYPOS,
        "CLOSING": query.CLOSING,
        "ENDINGS": sorted(stemming.ENDINGS),
        "TYPO": vocabulary.TYPO,
        "ONE_TYPO_FROM": vocabulary.ONE_TYPO_FROM,
        "TWO_TYPOS_FROM": vocabulary.TWO_TYPOS_FROM,
        "RIGHT_LETTERS": vocabulary.RIGHT_LETTERS,
        "LEAST_JOINED": vocabulary.LEAST_JOINED,
        "LEAST_OF_COMPOUND": vocabulary.LEAST_OF_COMPOUND,
        "LEAST_PART": vocabulary.LEAST_PART,
        "LEAST_NUMBERED": vocabulary.LEAST_NUMBERED,
        "LEAST_BEFORE": vocabulary.LEAST_BEFORE,
        "JOINTS": vocabulary.JOINTS,
        "MOST_COMPOUNDS": vocabulary.MOST_COMPOUNDS,
        "MOST_APART": vocabulary.MOST_APART,
        "LONGEST_NEAR": vocabulary.LONGEST_NEAR,
        # candidates
        "ENOUGH": engine.ENOUGH,
        "MOST_HITS": parameters.MOST_HITS,
        "VARIANT_BOOST": clauses.VARIANT_BOOST,
        "MOST_VARIANTS": clauses.MOST_VARIANTS,
        "MOST_PAGE_VARIANTS": clauses.MOST_PAGE_VARIANTS,
        "BOOSTS": list(tantivy_index.BOOSTS.values()),
        "PAGE_TIMES": [tantivy_index.PAGE_TIMES.get(type_, 1) for type_ in tantivy_index.BOOSTS],
        "ENOUGH_PAGES": filling.ENOUGH_PAGES,
        "MOST_VALUED": filling.MOST_VALUED,
        "RANKED_PAGES": filling.RANKED_PAGES,
        "PARTIAL_RECORDS": filling.PARTIAL_RECORDS,
        "PARTIAL_PAGES": filling.PARTIAL_PAGES,
        "MOST_COUNTED": filling.MOST_COUNTED,
        "MOST_PARTIAL": filling.MOST_PARTIAL,
        "MOST_PARTIAL_OF_PAGE": filling.MOST_PARTIAL_OF_PAGE,
        # order
        "FARTHEST": rank.FARTHEST,
        "STEPS": rank.STEPS,
        "RELATED": rank.RELATED,
        "LIST_STEPS": rank.LIST_STEPS,
        "UNRELATED": rank.UNRELATED,
        "WORD_FOR_WORD": rank.WORD_FOR_WORD,
        "UNRELATED_STEPS": rank.UNRELATED_STEPS,
        "TITLE_AND_TEXT": rank.TITLE_AND_TEXT,
        "TITLED": rank.TITLED,
        "DATA_RANK": facts.DATA_RANK,
        "CHANGES_RANK": facts.CHANGES_RANK,
        "OWN_TITLE": rank.OWN_TITLE,
        "OWN_HEADING": rank.OWN_HEADING,
        "FIRST_TEXT": rank.FIRST_TEXT,
        "OTHER_TEXT": rank.OTHER_TEXT,
        "OTHER_CODE": rank.OTHER_CODE,
        "ABOVE_HEADING": rank.ABOVE_HEADING,
        "ABOVE_TEXT": rank.ABOVE_TEXT,
        "ABOVE_TEXT_FAR": rank.ABOVE_TEXT_FAR,
        "FARTHEST_WORD": rank.FARTHEST_WORD,
        "MOST_OCCURRENCES": rank.MOST_OCCURRENCES,
        "LEVEL_WEIGHTS": list(record.LEVEL_WEIGHTS.values()),
        "HEADING_SHARE": worth.HEADING_SHARE,
        "TEXT_SHARE": worth.TEXT_SHARE,
        "QUALITIES": worth.QUALITIES,
        "PAGE_SHARE": worth.PAGE_SHARE,
        "TITLE_SHARE": worth.TITLE_SHARE,
        "NAMED_SHARE": worth.NAMED_SHARE,
        "TEXT_GAIN": worth.TEXT_GAIN,
        "TYPED_SHARE": worth.TYPED_SHARE,
        "FULL_SHARE": worth.FULL_SHARE,
        "NEAR_SHARE": worth.NEAR_SHARE,
        "FIRST_SHARE": worth.FIRST_SHARE,
        "DEFINED_SHARE": worth.DEFINED_SHARE,
        "SUPPORT": list(worth.SUPPORT),
        "CODE_LOSS": worth.CODE_LOSS,
        "GENERATED_LOSS": worth.GENERATED_LOSS,
        "LIST_LOSS": worth.LIST_LOSS,
        "MOST_WORTH": worth.MOST_WORTH,
        "WORTH_STEPS": worth.STEPS,
        "WITHOUT_NAME": worth.WITHOUT_NAME,
        "MOST_OF_PAGE": spread.MOST_OF_PAGE,
        "MOST_GENERATED": spread.MOST_GENERATED,
        "GENERATED": tantivy_index.GENERATED,
        # files
        "FORMAT": files.FORMAT,
        "SHARDS_FOLDER": files.SHARDS_FOLDER,
        "MODE_PATH": files.MODE_PATH,
        "GROUP": page_numbers.GROUP,
        "NAME_LETTERS": files.NAME_LETTERS,
        "VERSION_LETTERS": files.VERSION_LETTERS,
        "OUTLINES": export.OUTLINES,
        "NO_STEM": words.NO_STEM,
        "WHOLE_STEM": words.WHOLE_STEM,
        "NAMED": page_words.NAMED,
        "HEADING": export.HEADING,
        "BLOCKS": texts.BLOCKS,
        "KINDS": texts.KINDS,
        "OWN_ANCHOR": texts.OWN_ANCHOR,
        "FIRST_LETTER": postings.FIRST_LETTER,
        "LAST_LETTER": postings.LAST_LETTER,
        "LEFT_OUT": postings.LEFT_OUT,
        "FURTHER": postings.FURTHER,
        "DIGITS": postings.DIGITS,
    }
