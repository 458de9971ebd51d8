"""A person's own tables and games, by login or by the key of a guest's session: nobody else's are read here."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.utils.functional import Promise
from django.utils.translation import gettext

from games.models import Game, Seating, Table
from games.permissions import Person
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
    """A practice game of the person."""

    slug: str
    table_slug: str
    rules_name: str | Promise
    seats: int
    at: datetime  # of a finished game the end, else the last play
    over: bool
    outcome: str  # "win", "loss" or "tie" once it is over; "" where nobody has won, as in a game that nobody finished


@dataclass(frozen=True, slots=True)
class Figure:
    """How many finished practice games of one rule set the person has played and won."""

    rules_name: str | Promise
    games: int
    won: int


def is_somebody(person: Person) -> bool:
    """Return whether the person can have a seat: a player, or a guest with a key."""
    return person.player_id is not None or bool(person.guest_key)


def seatings_of(person: Person) -> QuerySet[Seating]:
    """Return the seats that the person holds, as `games.permissions.holds` says; none for a visitor."""
    held = Q(pk__in=())
    if person.player_id is not None:
        held |= Q(player=person.player_id)
    if person.guest_key:
        held |= Q(guest_key=person.guest_key, player__isnull=True)
    return Seating.objects.filter(held, bot="")


def running(person: Person) -> list[OwnTable]:
    """Return the person's running tables, those first that wait for the person, then the latest. One query.

    At most SHOWN; no practice game without a play for LEFT_AFTER, or unbegun for UNBEGUN_AFTER. None, without a query,
    for a visitor.
    """
    if not is_somebody(person):
        return []
    now = clock.now()
    unbegun = Q(state=Game.State.SEATING, updated_at__lt=now - UNBEGUN_AFTER)
    left = Q(table__kind=Table.Kind.PRACTICE) & (unbegun | Q(updated_at__lt=now - LEFT_AFTER))
    at_table = _games(seatings_of(person)).filter(table__state__in=UNDER_WAY)
    games = at_table.exclude(state=Game.State.OVER).exclude(left).order_by("-updated_at", "-pk")
    found = [_own_table(game) for game in games[:SHOWN]]
    return sorted(found, key=lambda one: (not one.turn, one.is_practice))


def _games(seatings: QuerySet[Seating]) -> QuerySet[Game]:
    """Return the games of the tables of `seatings`, each with `seat`, the person's own."""
    seat = seatings.filter(table=OuterRef("table")).values("seat")[:1]
    games = Game.objects.filter(table__in=seatings.order_by().values("table")).select_related("table")
    return games.annotate(seat=Subquery(seat, output_field=IntegerField()))


def _own_table(game: Game) -> OwnTable:
    playing = game.state == Game.State.PLAYING
    return OwnTable(
        slug=game.table.slug,
        kind=game.table.kind,
        name=_name(game.table),
        turn=playing and not game.frozen and game.turn == game.seat,  # type: ignore[attr-defined]
        waiting=not playing,
    )


def _name(table: Table) -> str:
    if table.kind == Table.Kind.PRACTICE:
        return gettext("Practice: %(game)s") % {"game": rule_sets.name_of(table.rules)}
    return table.name


def _practice(person: Person) -> QuerySet[Game]:
    """Return the person's practice games that have begun, as `_games` does."""
    seatings = seatings_of(person).filter(table__kind=Table.Kind.PRACTICE)
    return _games(seatings).filter(started_at__isnull=False)


def practice_count(person: Person) -> int:
    """Return how many practice games of the person have begun. One query."""
    return _practice(person).count() if is_somebody(person) else 0


def practice_games(person: Person, *, offset: int = 0, limit: int = 20) -> list[OwnGame]:
    """Return the person's practice games: running ones first, then the finished ones; the latest first. One query."""
    if not is_somebody(person):
        return []
    newest = (F("finished_at").desc(nulls_first=True), "-updated_at", "-pk")
    games = _practice(person).order_by(*newest)
    return [_own_game(game) for game in games[offset : offset + limit]]


def _own_game(game: Game) -> OwnGame:
    over = game.state == Game.State.OVER
    seat: int = game.seat  # type: ignore[attr-defined]
    return OwnGame(
        slug=game.slug,
        table_slug=game.table.slug,
        rules_name=rule_sets.name_of(game.rules),
        seats=game.table.seats,
        at=(game.finished_at if over else None) or game.updated_at,
        over=over,
        outcome=outcome(game.ranks, seat % game.table.teams) if over else "",
    )


def practice_figures(person: Person) -> list[Figure]:
    """Return how many finished practice games the person has played and won, by rule set, the most played first. One
    query.
    """
    if not is_somebody(person):
        return []
    played, won = Counter[str](), Counter[str]()
    finished = _practice(person).filter(state=Game.State.OVER)
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
