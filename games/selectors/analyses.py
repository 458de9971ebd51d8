"""The analysis of a finished game."""

from typing import Any

from games.bots import at_table
from games.models import Analysis, Game


def offered(game: Game) -> bool:
    """Return whether a bot can judge the choices of games by this rule set."""
    return at_table.assesses(game.rules)


def of_game(game: Game) -> dict[str, Any]:
    """Return the analysis for the replay: `state` is `none` (not requested), `waiting` or `done`.

    With `done`: `by` (bot and edition) and `choices`, see `games.services.analysis.Assessed`. Nothing for a running
    game.
    """
    found = Analysis.objects.filter(game=game).first() if game.state == Game.State.OVER else None
    if found is None:
        return {"state": "none"}
    if found.body is None:
        return {"state": "waiting"}
    return {"state": "done", "by": found.by, "choices": found.body}
