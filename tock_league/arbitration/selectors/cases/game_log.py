"""The log of a game on its case page: touches, clocks, calls and rulings around the play in question, in words."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.fold import Row
from games.models import Game, Seating
from games.selectors import referee
from games.selectors.plays import Numbering, numbering

from ...models import Case
from .positions import place_words, taken_back_words

BEFORE, AFTER = 10, 8


@dataclass(frozen=True)
class LogLine:
    """One act of the record."""

    seq: int
    place: str  # where in the game it stands, such as "after play 38"
    at: datetime
    code: str  # of the act
    text: str  # the sentence that describes it
    own: bool  # whether it is the act that the case is about, or else the last one before


def log_of(case: Case, *, judges: bool) -> list[LogLine]:
    """Return the acts around the case's play, in order. While the game runs, only judges may read them.

    Four queries.
    """
    if case.game is None or not (judges or case.game.state == Game.State.OVER):
        return []
    rows = [row for row in referee.log(case.game) if not row.body.get("again")]
    upto = sum(row.seq <= case.seq for row in rows)
    shown = rows[max(0, upto - BEFORE) : upto + AFTER]
    own = rows[upto - 1].seq if upto else 0
    names, numbers = _names(case.game), numbering(case.game)
    return [
        LogLine(
            seq=row.seq,
            place=place_words(case.game, row.seq, numbers),
            at=datetime.fromtimestamp(row.at / 1000, UTC),
            code=row.code,
            text=_sentence(row, names, numbers),
            own=row.seq == own,
        )
        for row in shown
    ]


def _names(game: Game) -> dict[int, str]:
    found = Seating.objects.filter(table=game.table_id).select_related("player")
    return {seat.seat: seat.player.display_name if seat.player is not None else "—" for seat in found}


def _sentence(row: Row, names: dict[int, str], numbers: Numbering) -> str:
    body = row.body
    seconds = abs(int(body.get("ms", 0))) // 1000
    values = {"name": names.get(body.get("seat", -1), ""), "n": seconds}
    values |= {"card": body.get("card", ""), "place": body.get("marble", "")}
    match row.code:
        case "touch" if body.get("by") == "referee":
            return _("The referee rules: %(name)s must play what was touched") % values
        case "touch" if body.get("card"):
            return _("%(name)s lays %(card)s") % values
        case "touch":
            return _("%(name)s touches the marble on %(place)s") % values
        case "timeout":
            return _("%(name)s runs out of time") % values
        case "dispute":
            return _("%(name)s calls the referee") % values
        case "freeze":
            return _("The clocks stop")
        case "hold":
            return _("A referee takes the case")
        case "free":
            return _("The referee no longer has the case")
        case "resume":
            return _("The clocks run again")
        case "penalty":
            return _("The referee rules: %(name)s burns one card blind and loses a turn") % values
        case "warning":
            return _("The referee warns %(name)s") % values
        case "adjust" if int(body.get("ms", 0)) < 0:
            return (
                ngettext("%(n)s second is taken from %(name)s", "%(n)s seconds are taken from %(name)s", seconds)
                % values
            )
        case "adjust":
            return (
                ngettext("%(n)s second is given to %(name)s", "%(n)s seconds are given to %(name)s", seconds) % values
            )
        case "credit":
            return (
                ngettext(
                    "The site was down: %(n)s second is given back",
                    "The site was down: %(n)s seconds are given back",
                    seconds,
                )
                % values
            )
        case "rewind":
            return taken_back_words(numbers, to=int(body["to"]), at=row.seq)
        case "seat_view":
            return _("The referee looks at the hand of %(name)s") % values
        case "resign":
            return _("%(name)s resigns") % values
        case "forfeit":
            return _("The game is forfeited")
    return _("Nobody ruled in time: play goes on, the case is decided after the game")
