"""Texts, names, times and descriptions as values: nothing here knows a table or a request.

text        text as it is stored, and keys by which names are found
names       names that are allowed
moments     times in microseconds
similarity  how alike two descriptions are
"""
