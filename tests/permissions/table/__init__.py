"""The table of docs/permissions.md: who may do what, and when. `python -m tests.permissions.table` writes it.

`rows` has the words: one deed a row, with the permission that it needs. What is in the cells is measured (`measure`): the
registered rules are asked, and the services are tried, with real people and real things in every state. `page` prints
it. The tests compare what was measured with `expected` and with the file.
"""
