"""The duration of each step in a competition, and the ends of filing and appeal periods."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Max

from games.models import Game
from tock_league.common import clock
from tock_league.competitions.models import Competition, Match

from ...core.deadlines import Deadlines, for_competition
from ...models import Case, Ruling


def deadlines_of(competition: Competition) -> Deadlines:
    """Return how long each step takes in `competition`: a tournament counts as a live event, a league gets days."""
    own = competition.regulations.body.get("deadlines")
    return for_competition(live=competition.kind == Competition.Kind.TOURNAMENT, own=own)


def span(case: Case, step: str) -> timedelta:
    """Return how long `step` (a field of Deadlines) takes in the case's competition."""
    return timedelta(seconds=getattr(deadlines_of(case.competition), step))


def filing_ends(match: Match) -> datetime:
    """Return until when a game of `match` may be disputed: counted from the end of its table's last finished game."""
    over = Game.objects.filter(table=match.table_id, state=Game.State.OVER).aggregate(last=Max("finished_at"))["last"]
    return (over or clock.now()) + timedelta(seconds=deadlines_of(match.competition).file)


def result_filing_ends(match: Match, at: datetime) -> datetime:
    """Return until when a result that people entered at that time may be disputed: the longer of the time to file a dispute
    and of the time to correct a result."""
    return at + timedelta(seconds=max(deadlines_of(match.competition).file, match.competition.correction_s))


def appeals_end(found: Collection[Case]) -> dict[int, datetime]:
    """Return until when the rulings of these cases may be appealed; cases that allow no appeal are omitted.

    One query.
    """
    ruled = {case.pk: case for case in found if case.state in ("ruled", "appealed", "panel_formed")}
    in_force = Ruling.objects.filter(case__in=ruled, superseded_by__isnull=True).order_by("number")
    signed = dict(in_force.values_list("case", "signed_at"))  # the last row wins
    return {case: at + span(ruled[case], "appeal") for case, at in signed.items()}
