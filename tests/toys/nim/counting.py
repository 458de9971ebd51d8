"""How games of Nim are counted, in words."""

from games.families.words import Counting

COUNTING = Counting(
    column="Left",
    difference="difference in nothing",
    ahead="Ahead",
    help="Nobody is ahead by anything.",
    refusal="Game %(number)d: a difference of 0.",
    words=lambda count: f"{count} ahead",
    range=lambda size, rounds: (0, 0),
)
