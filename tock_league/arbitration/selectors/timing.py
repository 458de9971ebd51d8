"""How long each step takes in a competition, and until when something may be asked for."""

from datetime import datetime, timedelta

from django.db.models import Max

from games.models import Game
from tock_league.common import clock
from tock_league.competitions.models import Competition, Match

from ..core.deadlines import Deadlines, for_competition
from ..models import Case, Ruling


def deadlines_of(competition: Competition) -> Deadlines:
    """Answer how long each step takes in `competition`: a tournament is a live event, a league has days."""
    own = competition.regulations.body.get("deadlines")
    return for_competition(live=competition.kind == Competition.Kind.TOURNAMENT, own=own)


def span(case: Case, step: str) -> timedelta:
    """Answer how long `step` (a field of Deadlines) takes in the case's competition."""
    return timedelta(seconds=getattr(deadlines_of(case.competition), step))


def filing_ends(match: Match) -> datetime:
    """Answer until when a game of `match` may be disputed: counted from the end of its table's last finished game."""
    over = Game.objects.filter(table=match.table_id, state=Game.State.OVER).aggregate(last=Max("finished_at"))["last"]
    return (over or clock.now()) + timedelta(seconds=deadlines_of(match.competition).file)


def appeal_ends(case: Case) -> datetime | None:
    """Answer until when the ruling of the case may be appealed, or None where it cannot be."""
    if case.state not in ("ruled", "appealed", "panel_formed"):
        return None
    ruling = Ruling.objects.filter(case=case, superseded_by__isnull=True).order_by("-number").first()
    return ruling.signed_at + span(case, "appeal") if ruling is not None else None
