"""A second implementation of the rulebook, for tests only: dictionaries and strings, following its sections, and slow.

Positions are the JSON objects of section 12, plays its lines. Nothing here imports the engine or was copied from it:
where the two differ, one of them has misread the rulebook.

- sheets: sections 1 to 3 and 10 as dictionaries
- table: sections 4 and 5, marbles one step at a time
- cards: sections 3, 4 and 6, what a card may do
- turns: sections 2, 6 to 9 and 14, phases, deals, the end
- checks: the last paragraph of section 14
- answers: section 13, requests
"""

from . import sheets
from .answers import answer
from .checks import Refused
from .turns import apply, legal, new, perft, result, sevens

__all__ = ["Refused", "answer", "apply", "legal", "new", "perft", "result", "sevens", "sheets"]
