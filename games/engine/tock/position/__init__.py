"""Positions: a compact representation inside (`state`), the JSON of rulebook section 12 outside (`reading`)."""

from games.engine.tock.position.reading import from_json
from games.engine.tock.position.state import (
    BLIND,
    DECK,
    FORCED,
    GIVE,
    JOKER,
    OVER,
    PHASES,
    PLAY,
    Position,
)

__all__ = ["BLIND", "DECK", "FORCED", "GIVE", "JOKER", "OVER", "PHASES", "PLAY", "Position", "from_json"]
