"""Club nights: who plays with whom is drawn from a seed that was published before anybody came, then everybody meets
everybody."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.clubs.models import PAIR, TEAM_NAME_LENGTH, Club
from tock_league.clubs.services import form_team
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing

from ...core.lots import draw_sides
from ...models import Competition, Entry, Regulations
from ..entries.entering import enter_team
from ..rounds.calendar import make_calendar, rounds_needed
from ..shared.locking import lock_competition
from .creation import create_tournament
from .lifecycle import run_through

S = Competition.State


def announce_night(
    *,
    by: Person,
    club: Club,
    name: str,
    regulations: Regulations,
    bots_allowed: bool = False,
    lots_seed: str = "",
    on_paper: bool = False,
    by_agreement: bool = False,
) -> Competition:
    """Return a published club night; its page shows the seed that partners will be drawn from."""
    with writing():
        night = create_tournament(
            by=by,
            name=name,
            regulations=regulations,
            club=club,
            bots_allowed=bots_allowed,
            lots_seed=lots_seed,
            on_paper=on_paper,
            by_agreement=by_agreement,
        )
        return run_through(by=by, competition=night, to=S.PUBLISHED)


def draw_teams(*, by: Person, night: Competition, players: Sequence[Player]) -> Sequence[Entry]:
    """Draw the sides from the published seed and enter them; return the entries in draw order.

    Sides are of half a table: partners at four seats, three together at six, four at eight. Raises Refused on `players`:
    a number that makes no whole sides, fewer than two sides, somebody named twice; Conflict when it was done before.
    """
    with writing():
        night = lock_competition(night.pk)
        require(by, "competition.organise", night, needed="organiser")
        if (
            night.state not in (S.PUBLISHED, S.OPEN)
            or night.kind != Competition.Kind.TOURNAMENT
            or night.entries.exists()
        ):
            raise Conflict("state", _("Partners are drawn once, before the night starts."), state=night.state)
        known = {player.slug: player for player in players}
        try:
            sides = draw_sides(night.lots_seed, [player.slug for player in players], night.side_size)
        except ValueError as error:
            raise Refused("odd_players", _players_needed(night.side_size), field="players") from error
        entries = []
        for side in sides:
            together = [known[slug] for slug in side]
            team = form_team(by=by, name=drawn_name(together), players=together, club=night.club, drawn=True)
            entries.append(enter_team(by=by, competition=night, team=team))
        return entries


def _players_needed(size: int) -> str | Promise:
    """Return how many players the draw needs, in words."""
    if size == PAIR:
        return _("Partners need an even number of players, four or more, each named once.")
    return _("Sides of %(size)d need %(least)d players, or %(size)d more, and so on, each named once.") % {
        "size": size,
        "least": 2 * size,
    }


def drawn_name(players: Sequence[Player]) -> str:
    """Return what a drawn team is called: by its players' names, shortened to the first of each where they are too long."""
    whole = " & ".join(player.display_name for player in players)
    if len(whole) <= TEAM_NAME_LENGTH:
        return whole
    short = [player.display_name.split()[0] for player in players]
    most = TEAM_NAME_LENGTH // len(short) - len(" & ")
    return " & ".join(name if len(name) <= most else f"{name[: most - 1]}…" for name in short)


def draw_and_start(
    *, by: Person, night: Competition, players: Sequence[Player], starts_at: datetime, minutes: int = 40
) -> Sequence[Entry]:
    """Draw the sides, date a single round robin whose rounds lie `minutes` apart, and start it.

    Returns the entries in draw order. Raises what `draw_teams` does, and Refused on `minutes`.
    """
    with writing():
        if not 5 <= minutes <= 240:
            raise Refused("minutes", _("Rounds lie 5 to 240 minutes apart."), field="minutes")
        entries = draw_teams(by=by, night=night, players=players)
        rounds = rounds_needed(night, legs=1)
        times = [starts_at + timedelta(minutes=minutes * index) for index in range(rounds)]
        make_calendar(by=by, competition=night, times=times, legs=1)
        run_through(by=by, competition=night, to=S.RUNNING)
        return entries
