"""The teams that may enter a tournament, for its desk: each with what stands in the way, and the consents that it needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Case, Q, QuerySet, When

from tock_league.accounts.minors import children
from tock_league.accounts.models import Consent, Player
from tock_league.clubs.models import Team, TeamPlayer
from tock_league.clubs.selectors import with_players
from tock_league.common.names import folded

from ...models import Competition, Entry, RosterSpot
from ...models.entry import OUT

MOST_SHOWN = 60


@dataclass(frozen=True)
class Needed:
    """A child of a team, and the guardian's consent in force; None while it is missing."""

    player: Player
    consent: Consent | None

    @property
    def on_paper(self) -> bool:
        return self.consent is not None and bool(self.consent.guardian)


@dataclass(frozen=True)
class Fitting:
    """A team of the event's size: its players in the order of their places, and what keeps it out.

    `elsewhere`: its starters who are on another roster of the event. `needed`: the children among its starters.
    """

    team: Team
    starters: Sequence[Player]
    elsewhere: Sequence[Player]
    needed: Sequence[Needed]

    @property
    def lacks(self) -> int:
        """How many starters are missing."""
        return self.team.size - len(self.starters)

    @property
    def may_enter(self) -> bool:
        return not self.lacks and not self.elsewhere and all(one.consent is not None for one in self.needed)


def teams_that_fit(competition: Competition) -> QuerySet[Team]:
    """Return the named teams of the event's size that are not entered, of every club, by name."""
    inside = Entry.objects.filter(competition=competition, team__isnull=False).exclude(state__in=OUT)
    teams = Team.objects.filter(drawn=False, dissolved_at__isnull=True, size=competition.side_size)
    return teams.exclude(pk__in=inside.values("team")).select_related("club").order_by("name", "pk")


def fitting(competition: Competition, words: str = "") -> list[Fitting]:
    """Return the teams that may enter, with `words` in the name of the team, its club or a player; at most MOST_SHOWN.

    Those of the organising club come first, then those of no club. Five queries at most.
    """
    teams = teams_that_fit(competition)
    if words:
        wanted = folded(words)
        named = TeamPlayer.objects.filter(left__isnull=True, player__search_name__contains=wanted).values("team")
        teams = teams.filter(Q(search_name__contains=wanted) | Q(club__name__icontains=words.strip()) | Q(pk__in=named))
    near = Case(When(club__isnull=True, then=1), When(club=competition.club_id or 0, then=0), default=2)
    found = list(with_players(teams.order_by(near, "name", "pk"))[:MOST_SHOWN])
    starters = {team.pk: _starters(team) for team in found}
    keys = {player.pk for players in starters.values() for player in players}
    busy = RosterSpot.objects.filter(competition=competition, player__in=keys, left__isnull=True)
    elsewhere = set(busy.values_list("player", flat=True))
    young = set(children().filter(player__in=keys))
    consents = _consents(young)
    return [
        Fitting(
            team,
            starters[team.pk],
            [player for player in starters[team.pk] if player.pk in elsewhere],
            [Needed(player, consents.get(player.pk)) for player in starters[team.pk] if player.pk in young],
        )
        for team in found
    ]


def _starters(team: Team) -> list[Player]:
    return [spell.player for spell in team.now if team.starts(spell.slot)]  # type: ignore[attr-defined]


def _consents(young: set[int]) -> Mapping[int, Consent]:
    rows = Consent.objects.filter(player__in=young, purpose=Consent.Purpose.CHILD, withdrawn_at__isnull=True)
    return {consent.player_id: consent for consent in rows}
