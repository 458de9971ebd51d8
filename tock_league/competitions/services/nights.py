"""Club nights: partners are drawn from a seed that was published before anybody came, then everybody meets everybody."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.clubs.models import NAME_LENGTH, Club
from tock_league.clubs.services import form_team
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing

from ..core.lots import draw_pairs
from ..models import Competition, Entry, Regulations
from .entries import enter_team
from .lifecycle import run_through
from .seasons import create_tournament
from .stages import make_round_robin

S = Competition.State


def announce_night(
    *, by: Person, club: Club, name: str, regulations: Regulations, bots_allowed: bool = False
) -> Competition:
    """Answer a published club night; its page shows the seed that partners will be drawn from."""
    with writing():
        night = create_tournament(
            by=by, name=name[:NAME_LENGTH], regulations=regulations, club=club, bots_allowed=bots_allowed
        )
        return run_through(by=by, competition=night, to=S.PUBLISHED)


def draw_and_start(
    *,
    by: Person,
    night: Competition,
    players: Sequence[Player],
    starts_at: datetime,
    minutes: int = 40,
) -> Sequence[Entry]:
    """Draw the partners, enter the pairs, date a single round robin and start it; answer the entries in draw order.

    Rounds follow one another every `minutes`. Raises Refused on `players`: an odd number or fewer than four, somebody
    named twice; Conflict when the night is not waiting for its players.
    """
    with writing():
        night = Competition.objects.select_for_update().get(pk=night.pk)
        require(by, "competition.organise", night, needed="organiser")
        if night.state != S.PUBLISHED or night.kind != Competition.Kind.TOURNAMENT:
            raise Conflict("state", _("Partners are drawn once, before the night starts."), state=night.state)
        if not 5 <= minutes <= 240:
            raise Refused("minutes", _("Rounds lie 5 to 240 minutes apart."), field="minutes")
        known = {player.slug: player for player in players}
        try:
            pairs = draw_pairs(night.lots_seed, [player.slug for player in players])
        except ValueError as error:
            raise Refused(
                "odd_players",
                _("Partners need an even number of players, four or more, each named once."),
                field="players",
            ) from error
        run_through(by=by, competition=night, to=S.CLOSED)
        entries = []
        for pair in pairs:
            two = [known[slug] for slug in pair]
            name = " & ".join(player.display_name for player in two)
            team = form_team(by=by, name=name, players=two, club=night.club, drawn=True)
            entries.append(enter_team(by=by, competition=night, team=team))
        rounds = len(pairs) - 1 if len(pairs) % 2 == 0 else len(pairs)
        times = [starts_at + timedelta(minutes=minutes * index) for index in range(rounds)]
        make_round_robin(by=by, competition=night, times=times, legs=1)
        run_through(by=by, competition=night, to=S.RUNNING)
        return entries
