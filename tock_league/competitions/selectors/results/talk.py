"""Talk after a game: who may read and write, what they see, and what waits for the moderators."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from games.models import Game, HeldSeat, Seating, Table
from tock_league.accounts import blocks
from tock_league.accounts.minors import is_child
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can
from tock_league.clubs.models import Club, ClubRole, Membership
from tock_league.clubs.permissions import in_force
from tock_league.common import clock
from tock_league.common.errors import NotThere

from ...models import Match, TalkLine, TalkMute, TalkReport

UNDER_WAY = (Table.State.OPEN, Table.State.PLAYING)
LIFE = timedelta(days=7)  # after the end of the game
WAITING_MOST = 100  # reports that are looked through for one page


@dataclass(frozen=True)
class Said:
    """A line as one reader sees it."""

    line: TalkLine
    own: bool
    reported: bool  # by the reader


@dataclass(frozen=True)
class Talk:
    """The talk of a game for one who played it."""

    game: Game
    lines: tuple[Said, ...]
    others: tuple[Player, ...]  # who played too
    muted: frozenset[int]
    is_open: bool
    plays: bool  # the reader is in a game now, and reads nothing meanwhile


def game(slug: str) -> Game:
    """Return the game of that public name, or NotThere. One query."""
    found = Game.objects.select_related("table").filter(slug=slug).first()
    if found is None:
        raise NotThere
    return found


def players_of(of: Game) -> QuerySet[Player]:
    """Return the people who played the game; guests and bots are not among them. No query by itself."""
    seated = Seating.objects.filter(table=of.table_id, bot="")
    held = HeldSeat.objects.filter(game=of)
    rows: QuerySet[Any] = held if of.table.kind == Table.Kind.CASUAL else seated
    return Player.objects.filter(pk__in=rows.filter(player__isnull=False).values("player"), bot="")


def clubs_of(of: Game) -> list[Club]:
    """Return the clubs that look after the talk of a game: that of the event, else the home clubs of the players.

    One or two queries.
    """
    match = Match.objects.filter(table=of.table_id).select_related("competition__club").first()
    if match is not None and match.competition.club is not None:
        return [match.competition.club]
    homes = Membership.objects.filter(player__in=players_of(of).values("pk"), home=True, until__isnull=True)
    return list(Club.objects.filter(pk__in=homes.values("club")).order_by("pk"))


def is_open(of: Game) -> bool:
    """Return whether something may be said: the game and its table are over, not long ago, and a club looks after it and
    allows it.

    Not between two games of a match, or of people who play on. Without a club nobody would read a report, so nothing is said.
    Two queries at most.
    """
    if of.state != Game.State.OVER or of.table.kind == Table.Kind.PRACTICE or of.table.state in UNDER_WAY:
        return False
    if of.finished_at is None or of.finished_at < clock.now() - LIFE:
        return False
    clubs = clubs_of(of)
    return bool(clubs) and all(club.has_talk for club in clubs)


def plays_now(person: Player) -> bool:
    """Return whether `person` is in a running game: then nothing is read or said, as at the table itself. One query.

    Practice against bots is no such game.
    """
    running = Game.objects.filter(state=Game.State.PLAYING, table__state__in=UNDER_WAY)
    running = running.exclude(table__kind=Table.Kind.PRACTICE)
    return running.filter(table__seatings__player=person, table__seatings__bot="").exists()


def may_read(person: Player | None, of: Game) -> bool:
    """Return whether `person` takes part in the talk: has played, is no child, and the game is over.

    An administrator passes every rule, and does not read what others say to each other.
    """
    if person is None or of.state != Game.State.OVER:
        return False
    return players_of(of).filter(pk=person.pk).exists() and not is_child(person)


def talk(of: Game, person: Player) -> Talk:
    """Return the talk for somebody who may read it: without removed lines, and those of muted and blocked people."""
    muted = frozenset(TalkMute.objects.filter(player=person).values_list("muted", flat=True))
    hidden = muted | blocks.apart(person)
    mine = TalkReport.objects.filter(by=person)
    plays = plays_now(person)
    rows = TalkLine.objects.filter(game=of, removed_at__isnull=True).exclude(player__in=hidden)
    rows = rows.select_related("player").prefetch_related(Prefetch("reports", mine, to_attr="by_reader"))
    return Talk(
        game=of,
        lines=tuple(Said(row, row.player_id == person.pk, bool(row.by_reader)) for row in rows if not plays),
        others=tuple(players_of(of).exclude(pk=person.pk).order_by("display_name", "pk")),
        muted=muted,
        is_open=not plays and is_open(of),
        plays=plays,
    )


def moderated(person: Player) -> list[Club]:
    """Return the clubs whose talk `person` looks after. One query."""
    offices = ClubRole.objects.filter(in_force(), player=person).values("club")
    return list(Club.objects.filter(pk__in=offices).order_by("name"))


def waiting_for(person: Player) -> list[TalkReport]:
    """Return the reports that wait for `person`, the oldest first: of games that the own clubs look after.

    One query for most people; two for those with an office in a club, and one or two for each report of their members' games.
    """
    clubs = {club.pk for club in moderated(person)}
    if not clubs:
        return []
    table = "line__game__table"
    near = (
        Q(**{f"{table}__match__competition__club__in": clubs})
        | Q(**{f"{table}__seatings__player__memberships__club__in": clubs})
        | Q(line__game__held_seats__player__memberships__club__in=clubs)
    )
    waiting = TalkReport.objects.filter(pk__in=TalkReport.objects.filter(near, kept__isnull=True).values("pk"))
    waiting = waiting.select_related("line__player", table, "by")
    return [report for report in waiting[:WAITING_MOST] if clubs & {club.pk for club in clubs_of(report.line.game)}]


def line(number: int, person: Player | None) -> TalkLine:
    """Return a line that `person` may read, or NotThere."""
    found = TalkLine.objects.filter(pk=number, removed_at__isnull=True).select_related("game__table", "player").first()
    if found is None or not may_read(person, found.game):
        raise NotThere
    return found


def report(number: int, person: Player | None) -> TalkReport:
    """Return a report of a game whose talk `person` looks after, or NotThere."""
    found = TalkReport.objects.filter(pk=number).select_related("line__game__table", "line__player").first()
    if found is None or person is None or not can(person, "talk.moderate", found.line.game):
        raise NotThere
    return found
