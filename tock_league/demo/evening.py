"""Tonight's match: the printed account's next one, ten minutes from now, with the table open and bots in the other seats.

Its competition has no clocks and allows bots, so nobody is ever forfeited. It is set anew at each start until a card has
been played; then it stays as it is, for days if need be, and when it is over the next match takes its place. When the
season has none left, friendly matches follow.
"""

from datetime import datetime, timedelta

from games.models import Table
from tock_league.accounts.permissions import SITE
from tock_league.clubs.models import Team
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services.entries import entering
from tock_league.competitions.services.rounds import calendar, publishing, schedule
from tock_league.competitions.services.seasons import creation, lifecycle

from .dates import night_name
from .league import competition_of, demo_team, settled_rules
from .programme import THIS_SEASON, Event

IN = timedelta(minutes=10)
FRIENDLY = Event("friendly", "tock-demo/friendly", 1)


def tonight(now: datetime) -> Match:
    """Return the match of this evening, its table open."""
    with writing():
        match = _next_of(THIS_SEASON)
        if match is not None and not _has_begun(match):
            try:
                match = schedule.move(by=SITE, match=match, starts_at=now + IN)
            except Refused:  # the season is over; what was not played stays unplayed
                match = None
        if match is None:
            match = _next_of(FRIENDLY) or _friendly(now)
            if not _has_begun(match):
                match = schedule.move(by=SITE, match=match, starts_at=now + IN)
        publishing.open_table(match_id=match.pk, early=True)
        match.refresh_from_db()
        return match


def _next_of(event: Event) -> Match | None:
    """Return the first undecided match of the demo's team."""
    return (
        Match.objects.filter(
            competition__lots_seed=event.seed,
            competition__bots_allowed=True,
            competition__state=Competition.State.RUNNING,
            side_rows__entry__team=demo_team(),
        )
        .exclude(state__in=lifecycle.DECIDED)
        .select_related("table")
        .order_by("competition__created_at", "round__number")
        .first()
    )


def _has_begun(match: Match) -> bool:
    return match.table is not None and match.table.state != Table.State.OPEN


def _friendly(now: datetime) -> Match:
    """Return a match outside the league, against the teams of this season in turn."""
    league = competition_of(THIS_SEASON)
    assert league is not None
    others = Team.objects.filter(entries__competition=league).exclude(pk=demo_team().pk).order_by("pk")
    past = Competition.objects.filter(lots_seed=FRIENDLY.seed).count()
    competition = creation.create_tournament(
        by=SITE,
        name=f"Match amical, {night_name(clock.now().date()).lower()}",
        regulations=settled_rules(),
        bots_allowed=True,
        lots_seed=FRIENDLY.seed,
    )
    for team in (demo_team(), others[past % len(others)]):
        entering.enter_team(by=SITE, competition=competition, team=team)
    calendar.make_calendar(by=SITE, competition=competition, times=[now + IN], legs=1)
    lifecycle.run_through(by=SITE, competition=competition, to=Competition.State.RUNNING)
    return Match.objects.select_related("table").get(competition=competition)
