"""What else could have been played: the legal plays of a seat at one of its plays, once the game is over."""

from games import store
from games.models import Game
from tock_league.common.errors import NotAllowed


def of_play(game: Game, seq: int) -> list[str]:
    """Return the lines that the seat of the play at row `seq` could have played, with the line played; [] where the
    family does not list plays, and where no seat chose.

    Raises NotAllowed while the game runs. What the seat had touched is left out of account.
    """
    if game.state != Game.State.OVER:
        raise NotAllowed
    row = next(iter(store.rows_of(game, after=seq - 1, upto=seq)), None)
    if row is None or row.kind != "play" or row.body.get("chance") or "seat" not in row.body:
        return []
    before = store.state_at(game, seq - 1)
    engine, seat = before.setup.engine, int(row.body["seat"])
    if not engine.enumerated or before.position is None or seat not in engine.may_act(before.position):
        return []
    return [engine.play_text(play) for play in engine.legal_plays(before.position, seat)]
