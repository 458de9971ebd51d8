"""Matches by date: a competition's rounds, a player's next ones, tonight's."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import F, Q, QuerySet

from tock_league.accounts.models import Player
from tock_league.clubs.models import Club, Team
from tock_league.common import clock

from ...models import Competition, Match, RosterSpot
from ..rounds.matches import AT_TABLE, DECIDED, TO_COME, MatchView, name_of_round, views, visible

BY_DATE = (F("starts_at").asc(nulls_last=True), "round__number", "number")
NEWEST = ("-starts_at", "-pk")


@dataclass(frozen=True)
class RoundView:
    """One round of a stage, in all its groups: its matches in table order, and whether all of them are decided."""

    number: int
    matches: tuple[MatchView, ...]
    stage: int = 1

    @property
    def title(self) -> str:
        """The round in words."""
        return name_of_round([(view.match.label, view.match.label_no) for view in self.matches], self.number)

    @property
    def first_at(self) -> datetime | None:
        """When its first dated match starts."""
        return min((view.starts_at for view in self.matches if view.starts_at is not None), default=None)

    @property
    def is_done(self) -> bool:
        return all(view.is_decided for view in self.matches)


def rounds(competition: Competition, viewer: Player | None = None) -> list[RoundView]:
    """Return every round of a competition with its matches. Seven queries, however many rounds."""
    made: dict[tuple[int, int], list[MatchView]] = {}
    in_order = competition.matches.order_by("round__group__stage__ordinal", "round__number", "round__group", "number")
    for view in views(in_order, viewer):
        row = view.match.round
        made.setdefault((row.group.stage.ordinal, row.number), []).append(view)
    return [RoundView(number, tuple(matches), stage) for (stage, number), matches in made.items()]


def current_round(of: Sequence[RoundView]) -> RoundView | None:
    """Return the first round that is not done, else the last one; None when there is none."""
    return next((made for made in of if not made.is_done), of[-1] if of else None)


def _of_player(player: Player) -> QuerySet[Match]:
    entries = RosterSpot.objects.filter(player=player, left__isnull=True).values("entry")
    return visible(Match.objects.filter(side_rows__entry__in=entries))


def next_matches(player: Player, *, viewer: Player | None = None, limit: int = 10) -> list[MatchView]:
    """Return the player's matches to come, the next one first, undated ones last; running competitions only.

    Seven queries.
    """
    waiting = _of_player(player).filter(state__in=TO_COME, competition__state=Competition.State.RUNNING)
    return views(waiting.order_by(*BY_DATE)[:limit], viewer)


def recent_results(player: Player, *, viewer: Player | None = None, limit: int = 10) -> list[MatchView]:
    """Return the player's decided matches, newest first. Seven queries."""
    return views(_of_player(player).filter(state__in=DECIDED).order_by(*NEWEST)[:limit], viewer)


def tonight(zone: ZoneInfo, viewer: Player | None = None, limit: int = 20) -> list[MatchView]:
    """Return matches of this day in `zone` until six the next morning, and every one that is at its table.

    Seven queries.
    """
    now = clock.now()
    start = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    end = start + timedelta(days=1, hours=6)
    today = Q(starts_at__gte=start, starts_at__lt=end) | Q(state__in=AT_TABLE)
    running = Match.objects.filter(today, competition__state=Competition.State.RUNNING)
    return views(visible(running).order_by(*BY_DATE)[:limit], viewer)


def coming(limit: int = 6, viewer: Player | None = None) -> list[MatchView]:
    """Return the next dated matches of all running competitions. Seven queries."""
    ahead = Match.objects.filter(
        state__in=TO_COME, starts_at__gte=clock.now(), competition__state=Competition.State.RUNNING
    )
    return views(visible(ahead).order_by(*BY_DATE)[:limit], viewer)


def latest_results(limit: int = 4, viewer: Player | None = None) -> list[MatchView]:
    """Return the newest results everywhere. Seven queries."""
    return views(visible(Match.objects.filter(state__in=DECIDED)).order_by("-decided_at", "-pk")[:limit], viewer)


def of_club(club: Club, *, viewer: Player | None = None, limit: int = 6) -> tuple[list[MatchView], list[MatchView]]:
    """Return matches to come and the newest results of the club's teams and of its own competitions. Fourteen queries."""
    concerned = Q(side_rows__entry__team__club=club) | Q(competition__club=club)
    own = visible(Match.objects.filter(pk__in=Match.objects.filter(concerned).values("pk")))
    ahead = own.filter(state__in=TO_COME, competition__state=Competition.State.RUNNING).order_by(*BY_DATE)
    past = own.filter(state__in=DECIDED).order_by(*NEWEST)
    return views(ahead[:limit], viewer), views(past[:limit], viewer)


def ahead_in_clubs(clubs: Sequence[Club], *, viewer: Player | None = None, limit: int = 6) -> list[MatchView]:
    """Return the next dated matches of the teams and competitions of clubs, without those of `viewer`. Seven queries."""
    concerned = Q(side_rows__entry__team__club__in=clubs) | Q(competition__club__in=clubs)
    ahead = visible(Match.objects.filter(pk__in=Match.objects.filter(concerned).values("pk"))).filter(
        Q(starts_at__gte=clock.now()) | Q(state__in=AT_TABLE),
        state__in=TO_COME,
        competition__state=Competition.State.RUNNING,
    )
    if viewer is not None:
        ahead = ahead.exclude(pk__in=_of_player(viewer).values("pk"))
    return views(ahead.order_by(*BY_DATE)[:limit], viewer)


def of_team(team: Team, *, viewer: Player | None = None, limit: int = 6) -> tuple[list[MatchView], list[MatchView]]:
    """Return matches to come and the newest results of a team. Fourteen queries."""
    own = visible(Match.objects.filter(side_rows__entry__team=team))
    ahead = own.filter(state__in=TO_COME, competition__state=Competition.State.RUNNING).order_by(*BY_DATE)
    past = own.filter(state__in=DECIDED).order_by(*NEWEST)
    return views(ahead[:limit], viewer), views(past[:limit], viewer)


@dataclass(frozen=True)
class OfOthers:
    """Matches of players and teams that somebody follows: those at a table now, those to come, the newest results."""

    live: tuple[MatchView, ...] = ()
    ahead: tuple[MatchView, ...] = ()
    results: tuple[MatchView, ...] = ()


def of_others(
    players: Collection[Player], teams: Collection[Team], *, viewer: Player | None = None, limit: int = 6
) -> OfOthers:
    """Return the matches of players and teams, those of `viewer` left out. Fourteen queries, none without any of them."""
    if not players and not teams:
        return OfOthers()
    entries = RosterSpot.objects.filter(player__in=players, left__isnull=True).values("entry")
    concerned = Q(side_rows__entry__in=entries) | Q(side_rows__entry__team__in=teams)
    own = visible(Match.objects.filter(pk__in=Match.objects.filter(concerned).values("pk")))
    if viewer is not None:
        own = own.exclude(pk__in=_of_player(viewer).values("pk"))
    coming = own.filter(state__in=TO_COME, competition__state=Competition.State.RUNNING).order_by(*BY_DATE)
    ahead = views(coming[: 2 * limit], viewer)
    return OfOthers(
        live=tuple(view for view in ahead if view.is_live),
        ahead=tuple(view for view in ahead if not view.is_live)[:limit],
        results=tuple(views(own.filter(state__in=DECIDED).order_by(*NEWEST)[:limit], viewer)),
    )
