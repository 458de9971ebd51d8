"""A person's own tables and games, by login or by the key of a guest's session: nobody else's are read here."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, FilteredRelation, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext

from games.models import Game, HeldSeat, Seating, Table
from games.permissions import Person, rows_of
from tock_league.common import clock

from . import rule_sets

UNDER_WAY = (Table.State.OPEN, Table.State.PLAYING)
# A practice game has no clock and nobody ends it for a person who has left. After a week without a play it is no longer
# announced on every page; it stays in the list of the person's games.
LEFT_AFTER = timedelta(days=7)
UNBEGUN_AFTER = timedelta(days=1)  # the same for one that never began
SHOWN = 12  # running tables that are read for a page


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A running table at which the person has a seat."""

    slug: str
    kind: str
    name: str  # of a match its sides; of practice the rule set
    turn: bool  # whether the game waits for this person
    waiting: bool  # whether the seats are being taken

    @property
    def is_practice(self) -> bool:
        return self.kind == Table.Kind.PRACTICE


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A practice or casual game of the person."""

    slug: str
    table_slug: str
    rules_name: str | Promise
    seats: int
    with_friends: bool  # at a casual table
    at: datetime  # of a finished game the end, else the last play
    over: bool
    outcome: str  # "win", "loss" or "tie" once it is over; "" where nobody has won, as in a game that nobody finished


@dataclass(frozen=True, slots=True)
class Figure:
    """How many finished practice and casual games of one rule set the person has played and won."""

    rules_name: str | Promise
    games: int
    won: int


def is_somebody(person: Person) -> bool:
    """Return whether the person can have a seat: a player, or a guest with a key."""
    return person.player_id is not None or bool(person.guest_key)


def seatings_of(person: Person) -> QuerySet[Seating]:
    """Return the seats that the person holds, as `games.permissions.holds` says; none for a visitor."""
    return Seating.objects.filter(rows_of(person), bot="")


def held_by(person: Person) -> QuerySet[HeldSeat]:
    """Return which seats the person has held in games of casual tables; none for a visitor."""
    return HeldSeat.objects.filter(rows_of(person))


def running(person: Person) -> list[OwnTable]:
    """Return the person's running tables, those first that wait for the person, then the latest. One query.

    At most SHOWN; no practice game without a play for LEFT_AFTER, or unbegun for UNBEGUN_AFTER. None, without a query,
    for a visitor.
    """
    if not is_somebody(person):
        return []
    now = clock.now()
    unbegun = Q(live__state=Game.State.SEATING, live__updated_at__lt=now - UNBEGUN_AFTER)
    left = Q(kind=Table.Kind.PRACTICE) & (unbegun | Q(live__updated_at__lt=now - LEFT_AFTER))
    room = Q(kind=Table.Kind.CASUAL, state=Table.State.OPEN)  # it waits for people, before its game
    seatings = seatings_of(person)
    games = FilteredRelation("games", condition=Q(games__state__in=[Game.State.SEATING, Game.State.PLAYING]))
    own = Table.objects.filter(pk__in=seatings.order_by().values("table"), state__in=UNDER_WAY)
    own = own.annotate(live=games, seat=_seat_at(seatings, "pk")).filter(Q(live__isnull=False) | room).exclude(left)
    own = own.annotate(**{name: F(f"live__{name}") for name in ("turn", "frozen")}, game_state=F("live__state"))
    latest = own.order_by(F("live__updated_at").desc(nulls_last=True), "-pk")
    found = [_own_table(table) for table in latest[:SHOWN]]
    return sorted(found, key=lambda one: (not one.turn, one.is_practice))


def _seat_at(seatings: QuerySet[Seating], table: str) -> Subquery:
    """Return the person's own seat at the table that the column names."""
    return Subquery(seatings.filter(table=OuterRef(table)).values("seat")[:1], output_field=IntegerField())


def _own_table(table: Any) -> OwnTable:
    """Return the line of a table with the annotations of `running`."""
    playing = table.game_state == Game.State.PLAYING
    return OwnTable(
        slug=table.slug,
        kind=table.kind,
        name=_name(table),
        turn=playing and not table.frozen and table.turn == table.seat,
        waiting=not playing,
    )


def table_names(slugs: Sequence[str]) -> dict[str, str]:
    """Return the names of tables by the slugs of their addresses, in the active language. One query."""
    return {table.slug: _name(table) for table in Table.objects.filter(slug__in=slugs)}


def _name(table: Table) -> str:
    if table.kind == Table.Kind.PRACTICE:
        return gettext("Practice: %(game)s") % {"game": rule_sets.name_of(table.rules)}
    if table.kind == Table.Kind.CASUAL:
        return gettext("With friends: %(game)s") % {"game": rule_sets.name_of(table.rules)}
    return table.name


def _casual(person: Person) -> QuerySet[Game]:
    """Return the person's practice and casual games that have begun, each with `seat`, the person's own.

    At a casual table seats change hands between games: a game belongs to those who held its seats.
    """
    practice = seatings_of(person).filter(table__kind=Table.Kind.PRACTICE)
    held = held_by(person)
    own = Q(table__in=practice.order_by().values("table")) | Q(pk__in=held.values("game"))
    there = held.filter(game=OuterRef("pk")).order_by("pk").values("seat")[:1]
    seat = Coalesce(Subquery(there), _seat_at(practice, "table"), output_field=IntegerField())
    return Game.objects.filter(own, started_at__isnull=False).select_related("table").annotate(seat=seat)


def casual_count(person: Person) -> int:
    """Return how many practice and casual games of the person have begun. One query."""
    return _casual(person).count() if is_somebody(person) else 0


def casual_games(person: Person, *, offset: int = 0, limit: int = 20) -> list[OwnGame]:
    """Return the person's practice and casual games: running ones first, then the finished ones; the latest first. One
    query.
    """
    if not is_somebody(person):
        return []
    newest = (F("finished_at").desc(nulls_first=True), "-updated_at", "-pk")
    games = _casual(person).order_by(*newest)
    return [_own_game(game) for game in games[offset : offset + limit]]


def _own_game(game: Game) -> OwnGame:
    over = game.state == Game.State.OVER
    seat: int = game.seat  # type: ignore[attr-defined]
    return OwnGame(
        slug=game.slug,
        table_slug=game.table.slug,
        rules_name=rule_sets.name_of(game.rules),
        seats=game.table.seats,
        with_friends=game.table.kind == Table.Kind.CASUAL,
        at=(game.finished_at if over else None) or game.updated_at,
        over=over,
        outcome=outcome(game.ranks, seat % game.table.teams) if over else "",
    )


def casual_figures(person: Person) -> list[Figure]:
    """Return how many finished practice and casual games the person has played and won, by rule set, the most played
    first. One query.
    """
    if not is_somebody(person):
        return []
    played, won = Counter[str](), Counter[str]()
    finished = _casual(person).filter(state=Game.State.OVER)
    for game in finished.only("rules", "ranks", "table__teams"):
        played[game.rules] += 1
        won[game.rules] += outcome(game.ranks, game.seat % game.table.teams) == "win"  # type: ignore[attr-defined]
    return [Figure(rule_sets.name_of(rules), count, won[rules]) for rules, count in played.most_common()]


def outcome(ranks: Sequence[int] | None, team: int) -> str:
    """Return how a game ended for a team: "win" if it alone is best, "tie" if it is best with others, else "loss".

    `ranks`: per team, 0 is best. "" without ranks.
    """
    if not ranks:
        return ""
    if ranks[team] != min(ranks):
        return "loss"
    return "win" if list(ranks).count(ranks[team]) == 1 else "tie"
