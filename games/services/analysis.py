"""What the club bot would have played in a finished game, and how each choice changed the chances of winning.

Every choice is judged from the knowledge of the seat that made it: its own view at that moment and the cards that
everybody had seen laid. It is requested when somebody opens the replay, and computed by a Celery task, never while the
game runs.
"""

from dataclasses import asdict, dataclass

from django.utils.translation import gettext_lazy as _

from games import store
from games.bots import at_table
from games.fold import Viewer, steps, view
from games.fold.decisions import Decision, decisions
from games.models import Analysis, Game
from tock_league.common import clock, outbox
from tock_league.common.errors import Broken, Conflict, Refused
from tock_league.common.transactions import writing

TASK = "games.tasks.analyse"
BY = "club/1"
UNIT = 1000  # chances are stored as integers, in thousandths


@dataclass(frozen=True, slots=True)
class Assessed:
    """The judgement of one choice. Chances are those of the seat's team to win, in thousandths."""

    seq: int  # of the row in the record
    seat: int
    line: str  # the line played
    best: str  # the bot's line
    chance: int  # after the line played
    best_chance: int  # after the bot's line
    plays: int  # the number of plays to choose from
    by_clock: bool  # the time was up and nobody chose


def ask(game: Game) -> Analysis:
    """Return the analysis of a finished game; request it if there is none yet. Idempotent.

    Raises Refused `no_analysis` if no bot can judge this game, and Conflict `running` before its end.
    """
    if not at_table.assesses(game.rules):
        raise Refused("no_analysis", _("No bot judges the choices of this game."), field="game")
    if game.state != Game.State.OVER:
        raise Conflict("running", _("A game is analysed once it is over."))
    with writing():
        found, created = Analysis.objects.get_or_create(game=game, defaults={"by": BY})
        if created:
            # A key of its own: an analysis that was lost is requested again.
            outbox.enqueue(TASK, str(found.pk), game_id=game.pk)
    return found


def analyse(*, game_id: int, outbox_id: int | None = None) -> None:
    """Judge every choice of a finished game and store the result; idempotent. Does nothing for a running game."""
    game = Game.objects.select_related("table").get(pk=game_id)
    wanted = Analysis.objects.filter(game=game, body__isnull=True).exists()
    body = [asdict(found) for found in assess(game)] if wanted and game.state == Game.State.OVER else None
    with writing():
        if body is not None:
            Analysis.objects.filter(game=game).update(body=body, by=BY)
        if outbox_id is not None:
            outbox.done(outbox_id)


def assess(game: Game) -> list[Assessed]:
    """Return the judgement of every choice of the game, in the order of the record."""
    rows = store.rows_of(game)
    found = []
    for choice in decisions(steps(store.opening_of(game), rows)):
        clock.pause(0)  # under `serve` the event loop shares this interpreter
        found.append(_assessed(choice))
    return found


def _assessed(choice: Decision) -> Assessed:
    seen = view(choice.before, Viewer(choice.seat))
    known = at_table.assess(seen, seen["legal"], seat=choice.seat, seen=choice.before.shown)
    best, best_chance = max(known, key=lambda pair: pair[1])
    chances = dict(known)
    line = choice.line if choice.line in chances else _listed_as(choice, list(chances))
    return Assessed(
        seq=choice.seq,
        seat=choice.seat,
        line=choice.line,
        best=best,
        chance=round(UNIT * chances[line]),
        best_chance=round(UNIT * best_chance),
        plays=len(known),
        by_clock=choice.by_clock,
    )


def _listed_as(choice: Decision, listed: list[str]) -> str:
    """Return the listed line with the same result as the line played: a seven may be written in another order."""
    engine, position = choice.before.setup.engine, choice.before.position
    reached = engine.apply(position, engine.parse_play(position, choice.line, choice.seat), choice.seat)
    card = choice.line.partition(" ")[0]
    for line in listed:
        if line.partition(" ")[0] != card:
            continue
        if engine.apply(position, engine.parse_play(position, line, choice.seat), choice.seat) == reached:
            return line
    raise Broken(f"{choice.line}: no listed play reaches the same")
