"""A position: compact inside (`state`), rulebook section 12 at the edges (`reading`)."""

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
