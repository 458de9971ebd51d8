"""What is known of a finished game's choices."""

from typing import Any

from games.bots import at_table
from games.models import Analysis, Game


def offered(game: Game) -> bool:
    """Return whether a bot can judge the choices of games by this rule set."""
    return at_table.assesses(game.rules)


def of_game(game: Game) -> dict[str, Any]:
    """Return the analysis as the replay reads it: `state` is `none` (nobody asked), `waiting` or `done`.

    With `done`: `by` (bot and edition) and `choices`, see `games.services.analysis.Assessed`. Nothing of a game that runs.
    """
    found = Analysis.objects.filter(game=game).first() if game.state == Game.State.OVER else None
    if found is None:
        return {"state": "none"}
    if found.body is None:
        return {"state": "waiting"}
    return {"state": "done", "by": found.by, "choices": found.body}
