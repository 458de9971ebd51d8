"""Secrets of the hand, tested from outside: pairs of games, names of cards, and the leaks that the tests must find.

- `stage`: a table with its people in one thread: sockets, HTTP clients and services of the real site, no waiting.
- `play`: games of every rule set as rows, with everything that is interesting for secrets.
- `tracker`, `worlds`: which cards of a deck a viewer may know, and the same game with all other cards permuted.
- `replay`: the last rows of a game as commands through the real doors, and every byte that viewers get.
- `pairs`: one seed of the comparison. `python -m tests.soak.noninterference` compares thousands.
- `leaks`: leaks made on purpose; each must be found.

docs/decisions/0027 says what is compared and what these methods cannot see.
"""
