"""Registrations and check-ins of a tournament, for captains, players and the desk."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Prefetch, Q, QuerySet

from tock_league.accounts.models import Player
from tock_league.clubs.models import CAPTAIN, SUBSTITUTES, Team
from tock_league.clubs.selectors import roster, with_players
from tock_league.common import clock
from tock_league.common.errors import NotThere

from ...models import CheckIn, Competition, Entry, RosterSpot, Side, Stage, StageInput

S = Entry.State
# The desk's order: active entries first, those that have left last.
ORDER = (
    S.CHECKED_IN,
    S.PLAYING,
    S.FINISHED,
    S.ACCEPTED,
    S.PENDING,
    S.WAITLISTED,
    S.DROPPED,
    S.WITHDRAWN,
    S.REFUSED,
    S.DISQUALIFIED,
)
HERE = (S.ACCEPTED, S.WAITLISTED, S.CHECKED_IN)
PLACED = (S.ACCEPTED, S.CHECKED_IN)
GONE = (S.WITHDRAWN, S.REFUSED, S.DISQUALIFIED, S.DROPPED)
BEFORE_START = (Competition.State.PUBLISHED, Competition.State.OPEN, Competition.State.CLOSED)


@dataclass(frozen=True)
class SpotView:
    """A player of a roster: whether they have confirmed, and whether they are here."""

    spot: RosterSpot
    here: bool

    @property
    def player(self) -> Player:
        return self.spot.player

    @property
    def confirmed(self) -> bool:
        return self.spot.confirmed_at is not None

    @property
    def is_substitute(self) -> bool:
        return self.spot.role == RosterSpot.Role.SUBSTITUTE


@dataclass(frozen=True)
class EntryView:
    """An entry with its roster in force, starters first."""

    entry: Entry
    spots: tuple[SpotView, ...]

    @property
    def name(self) -> str:
        return str(self.entry)

    @property
    def here(self) -> int:
        """How many of the roster have checked in."""
        return sum(spot.here for spot in self.spots)

    @property
    def unconfirmed(self) -> list[SpotView]:
        """The starters who have not confirmed."""
        return [spot for spot in self.spots if not spot.confirmed and not spot.is_substitute]

    def spot_of(self, player: Player | None) -> SpotView | None:
        """Return the place of `player` on the roster, None for others and visitors."""
        return next((spot for spot in self.spots if player is not None and spot.player.pk == player.pk), None)


def substitutes_outside(view: EntryView) -> list[Player]:
    """Return the team's substitutes who may still join the roster; none while it has two. Two queries."""
    if view.entry.team is None or sum(spot.is_substitute for spot in view.spots) >= SUBSTITUTES:
        return []
    busy = set(
        RosterSpot.objects.filter(competition=view.entry.competition_id, left__isnull=True).values_list(
            "player", flat=True
        )
    )
    return [player for player in roster(view.entry.team).substitutes if player.pk not in busy]


def _views(entries: QuerySet[Entry]) -> list[EntryView]:
    # `birth`: the name of a child, for the desk alone (the filter `called`).
    spots = RosterSpot.objects.filter(left__isnull=True).select_related("player__birth").order_by("role", "slot")
    rows = entries.select_related("team__club", "player", "competition__club").prefetch_related(
        Prefetch("roster", spots, to_attr="spots_now"), Prefetch("check_ins", CheckIn.objects.all(), to_attr="come")
    )
    return [
        EntryView(
            entry,
            tuple(
                SpotView(spot, any(row.player_id == spot.player_id for row in entry.come))
                # "starter" sorts before "substitute"
                for spot in entry.spots_now
            ),
        )
        for entry in rows
    ]


def entry_views(competition: Competition) -> list[EntryView]:
    """Return every entry of a tournament, gone ones last. Three queries."""
    found = _views(Entry.objects.filter(competition=competition))
    return sorted(
        found,
        key=lambda view: (
            ORDER.index(S(view.entry.state)),
            view.entry.seed or 10_000,
            view.entry.queued_at or view.entry.created_at,
            view.entry.pk,
        ),
    )


def entry_view(slug: str) -> EntryView:
    """Return the entry of that public name, or NotThere. Three queries."""
    found = _views(Entry.objects.filter(slug=slug))
    if not found:
        raise NotThere
    return found[0]


def own_entries(competition: Competition, player: Player | None) -> list[Entry]:
    """Return the entries that concern `player`: on whose roster they stand, or whose team they captain. One query."""
    if player is None:
        return []
    on_roster = RosterSpot.objects.filter(competition=competition, player=player, left__isnull=True).values("entry")
    captained = Team.objects.filter(spells__player=player, spells__slot=CAPTAIN, spells__left__isnull=True)
    entries = Entry.objects.filter(competition=competition).select_related("team", "player")
    return list((entries.filter(pk__in=on_roster) | entries.filter(team__in=captained.values("pk"))).distinct())


def own_entries_inside(competition: Competition, player: Player | None) -> list[Entry]:
    """Return those of `own_entries` that have not left. One query, none for visitors."""
    return [entry for entry in own_entries(competition, player) if entry.state not in GONE]


def teams_to_register(competition: Competition, player: Player | None) -> QuerySet[Team]:
    """Return the teams `player` may register: captain of them, alive, not in it yet, of its members `now`.

    Two queries.
    """
    inside = Entry.objects.filter(competition=competition).exclude(state__in=(S.WITHDRAWN, S.REFUSED)).values("team")
    own = Team.objects.filter(
        spells__player=player, spells__slot=CAPTAIN, spells__left__isnull=True, drawn=False, dissolved_at__isnull=True
    )
    return with_players(own.exclude(pk__in=inside.exclude(team=None)).select_related("club").order_by("name"))


def registrations_open(competition: Competition) -> bool:
    """Return whether captains may register now."""
    closes = competition.entries_close_at
    return (
        competition.is_planned
        and competition.state == Competition.State.OPEN
        and (closes is None or clock.now() < closes)
    )


def check_in_open(competition: Competition) -> bool:
    """Return whether players may check in now."""
    now = clock.now()
    opens, closes = competition.check_in_from, competition.check_in_until
    return (
        closes is not None
        and competition.state in (Competition.State.OPEN, Competition.State.CLOSED)
        and now < closes
        and (opens is None or now >= opens)
    )


def is_drawn(competition: Competition) -> bool:
    """Return whether the draw is made. One query."""
    return Stage.objects.filter(competition=competition).exists()


def was_drawn(entry: Entry) -> bool:
    """Return whether the entry was in the draw, or in the calendar. Two queries at most."""
    return StageInput.objects.filter(entry=entry).exists() or Side.objects.filter(entry=entry).exists()


@dataclass(frozen=True)
class OpenEntries:
    """A tournament that takes entries."""

    competition: Competition
    left: int | None  # the places that are free; None if they are not limited


def open_for_entries(limit: int = 5) -> list[OpenEntries]:
    """Return the public tournaments that captains may register for now, the next one first. One query."""
    now = clock.now()
    found = (
        Competition.objects.filter(state=Competition.State.OPEN, is_rehearsal=False)
        .exclude(plan={})
        .filter(Q(entries_close_at__isnull=True) | Q(entries_close_at__gt=now))
        .select_related("club")
        .annotate(placed=Count("entries", filter=Q(entries__state__in=PLACED)))
        .order_by("starts_at", "pk")[:limit]
    )
    return [OpenEntries(made, None if made.size is None else max(made.size - made.placed, 0)) for made in found]


@dataclass(frozen=True)
class Ask:
    """What a tournament asks of one player."""

    what: str  # "confirm" the place on a roster, or "check_in"
    entry: Entry

    @property
    def competition(self) -> Competition:
        return self.entry.competition


def asks_of(player: Player) -> list[Ask]:
    """Return what waits for `player` in tournaments that have not begun, check-ins first. Two queries."""
    spots = RosterSpot.objects.filter(
        player=player, left__isnull=True, competition__state__in=BEFORE_START, competition__is_rehearsal=False
    ).exclude(competition__plan={})
    spots = spots.select_related("entry__team", "entry__competition")
    come = set(CheckIn.objects.filter(player=player).values_list("competition", flat=True))
    return [*_check_ins(spots, come), *_confirmations(spots)]


def _check_ins(spots: Iterable[RosterSpot], come: set[int]) -> list[Ask]:
    return [
        Ask("check_in", spot.entry)
        for spot in spots
        if spot.entry.state in HERE and spot.competition_id not in come and check_in_open(spot.entry.competition)
    ]


def _confirmations(spots: Iterable[RosterSpot]) -> list[Ask]:
    return [Ask("confirm", spot.entry) for spot in spots if spot.confirmed_at is None and spot.entry.state not in GONE]


def to_complete(player: Player) -> list[EntryView]:
    """Return the entries that `player` captains and whose players have not all confirmed, in events that have not begun.

    One query when there is none, else three.
    """
    captained = Team.objects.filter(spells__player=player, spells__slot=CAPTAIN, spells__left__isnull=True)
    pending = Entry.objects.filter(
        team__in=captained.values("pk"),
        state=S.PENDING,
        competition__state__in=BEFORE_START,
        competition__is_rehearsal=False,
    )
    return [view for view in _views(pending.order_by("competition__starts_at", "pk")) if view.unconfirmed]
