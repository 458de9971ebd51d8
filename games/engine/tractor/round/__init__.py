"""A round from the deck to its count (rulebook T1 to T7).

Modules, lowest first: `state` (the position), `turns` (what a play does), `telling` (its effects as facts), `judge`
(whether it is allowed), `listing` (candidates). `reading`, with `fields` and `sound`, reads a position from JSON.
"""

from games.engine.tractor.round.judge import acting, check
from games.engine.tractor.round.listing import listed
from games.engine.tractor.round.reading import from_json
from games.engine.tractor.round.state import BURY, DECK, DRAW, OVER, PHASES, PLAY, SHOW, Position
from games.engine.tractor.round.telling import tell
from games.engine.tractor.round.turns import apply_in_place, ranks

__all__ = [
    "BURY", "DECK", "DRAW", "OVER", "PHASES", "PLAY", "SHOW", "Position", "acting", "apply_in_place", "check", "from_json",
    "listed", "ranks", "tell",
]  # fmt: skip
