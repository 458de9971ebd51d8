"""Which plays the rules allow (rulebook sections 3, 4, 6 and 7).

Modules, lowest first: `sheet` (a cached table of all plays), `legs` and `sevens` (cards shared among marbles),
`listing` (the plays of the seat to act), `judge` (which play a line means, whether it is allowed, and why not).
"""

from games.engine.tock.legal.judge import check, resolve
from games.engine.tock.legal.listing import known, listed, next_to_burn, playable, side
from games.engine.tock.legal.sevens import orders
from games.engine.tock.legal.sheet import sheet

__all__ = ["check", "known", "listed", "next_to_burn", "orders", "playable", "resolve", "sheet", "side"]
