"""The process that compiles and draws the components of a site's authors.

Their code runs in V8, which has neither files nor a network, in a process of its own: code that loops is stopped, and
code that takes all memory ends this process and no build.
"""
