"""Families of games that only tests know, as an app from elsewhere would bring them: a folder each, and templates.

`registry.offer("tests.toys")` is all that such an app has to say, in the `ready` of its AppConfig.
"""
