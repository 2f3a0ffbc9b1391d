"""English words that a page need not hold to answer a question in which they stand."""

_WORDS = """
a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my of
on or our should so than that the their them then there these they this those to was we were what when where which
while who why will with would you your
"""

STOP_WORDS = frozenset(_WORDS.split())
