"""English words of a question that a page need not contain to answer it."""

_WORDS = """
a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my of
on or our should so than that the their them then there these they this those to was we were what when where which
while who why will with would you your
"""

STOP_WORDS = frozenset(_WORDS.split())
