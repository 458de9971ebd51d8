"""Families of games for tests, in the form in which an external app would add them: a folder each, and templates.

Such an app only has to call `registry.offer("tests.toys")` in the `ready` of its AppConfig.
"""
