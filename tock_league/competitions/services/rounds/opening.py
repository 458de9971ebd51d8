"""Opens rounds, and the tables of matches that are due."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.urls import reverse

from games import bots
from games.fold import TimeCap
from games.fold.clocks import ClockSettings
from games.models import Table
from games.services import tables
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person
from tock_league.common import clock
from tock_league.common.errors import Broken
from tock_league.common.transactions import writing

from ...core import caps
from ...core.caps import Cap
from ...models import Competition, Entry, Match, RosterSpot, Round, Side
from ...models.match import on_board
from ...selectors.rounds.progress import is_bracket
from ..seasons.roles import seat_referees
from ..shared import telling
from ..shared.journal import note
from ..shared.locking import lock_match
from .placing import place
from .schedule import OPENS_BEFORE

log = logging.getLogger(__name__)

TABLE_NAME_LENGTH = int(Table._meta.get_field("name").max_length or 120)

# A match overdue for longer than this gets no table automatically: the organiser sets another date.
FORGET_AFTER = timedelta(hours=12)


def open_due_tables() -> int:
    """Open the table of every match that starts within 15 minutes or should have started; return how many.

    A match on a board is called at its hour, so that its captains are asked for the result.

    One transaction a match: a match whose table cannot be opened is logged and does not affect the others. Idempotent.
    """
    now = clock.now()
    due = Match.objects.filter(
        Q(state=Match.State.SCHEDULED),
        competition__state=Competition.State.RUNNING,
        starts_at__gte=now - FORGET_AFTER,
    ).filter(~on_board() & Q(starts_at__lte=now + OPENS_BEFORE) | on_board() & Q(starts_at__lte=now))
    opened = 0
    for pk in list(due.values_list("pk", flat=True)):
        try:
            opened += open_table(match_id=pk)
        except Exception:
            log.exception("the table of match %s could not be opened", pk)
    return opened


def open_table(*, match_id: int, early: bool = False) -> bool:
    """Open the match's table with its seats reserved; False when it is not due, or open already.

    `early`: regardless of the time; for the demo's match of the evening.
    """
    with writing():
        match = lock_match(match_id)
        if match.state != Match.State.SCHEDULED or match.starts_at is None:
            return False
        if match.is_on_board:
            return call_due(match)
        if not early and match.starts_at - OPENS_BEFORE > clock.now():
            return False
        if match.table is None:
            match.table = tables.open_match_table(**table_plan(match))
            seat_referees(match.competition, match.table)
        match.state = Match.State.CALLED
        match.save()
        telling.fact("table.open", match.competition, match=match.slug, subject=match.table.slug)
        telling.match_at("table_open", match, address=reverse("games:table", args=[match.table.slug]))
        return True


def call_due(match: Match) -> bool:
    """Call a match on a board whose hour has come; return whether it was. The caller holds the match."""
    is_due = match.starts_at is not None and match.starts_at <= clock.now()
    if match.state != Match.State.SCHEDULED or not is_due:
        return False
    match.state = Match.State.CALLED
    match.save()
    return True


def link_table(*, match: Match, table: Table) -> Match:
    """Link `match` to `table`, which was made from its `table_plan`; for games imported as records."""
    with writing():
        match = lock_match(match.pk)
        if match.table is not None or match.state not in (Match.State.READY, Match.State.SCHEDULED):
            raise Broken(f"{match} has a table already")
        match.table = table
        seat_referees(match.competition, table)
        match.state = Match.State.CALLED if match.starts_at is not None else match.state
        match.save()
        return match


def table_plan(match: Match) -> dict[str, Any]:
    """Return the arguments of `tables.open_match_table` for a dated match.

    Position p of k sides holds the seats p, p + k, ...; starters take them in roster order, so that the sides alternate.
    """
    competition = match.competition
    body = competition.regulations.body
    sides = list(Side.objects.filter(match=match).select_related("entry__team", "entry__player").order_by("position"))
    spots: dict[int, list[RosterSpot]] = {}
    for spot in (
        RosterSpot.objects.filter(
            entry__in=[side.entry_id for side in sides], role=RosterSpot.Role.STARTER, left__isnull=True
        )
        .select_related("player")
        .order_by("slot")
    ):
        spots.setdefault(spot.entry_id, []).append(spot)
    plan = [
        tables.SeatPlan(
            seat=position + index * len(sides),
            player_id=spot.player_id,
            bot=_level(spot.player, competition.rules) if competition.bots_allowed else "",
        )
        for position, side in enumerate(sides)
        if side.entry_id is not None
        for index, spot in enumerate(spots.get(side.entry_id, ()))
    ]
    assert match.starts_at is not None
    names = [str(side.entry) for side in sides]
    length: dict[str, Any] = {}
    if competition.regulations.rounds:
        # After a fixed number of rounds, or by a time cap, a game can end in a tie; in a knockout another one is played then.
        length = {"rounds": competition.regulations.rounds, "decisive": is_bracket(match.round.group.stage)}
    if (cap := competition.regulations.cap) is not None:
        length = {"cap": _table_cap(cap), "decisive": is_bracket(match.round.group.stage)}
    return dict(
        rules=competition.rules,
        name=table_name(names),
        seat_plan=sorted(plan, key=lambda seat: seat.seat),
        best_of=match.best_of,
        clocks=ClockSettings(**body["clocks"]) if body["clocks"] is not None else None,
        touch=body["touch"],
        opens_at=match.starts_at - OPENS_BEFORE,
        # A table that opens late still gives its players the whole time to sit down.
        starts_at=max(match.starts_at, clock.now()),
        team_names=names,
        # Who does not come forfeits also where programs play: only the site's own bots never do.
        bots_allowed=any(seat.bot for seat in plan),
        # Ratings compare people (decision 0050).
        rated=not any(spot.player.is_bot_account for seated in spots.values() for spot in seated),
        referee_wait_s=int(body.get("referee_wait_s", 300)),
        **length,
    )


def _table_cap(cap: Cap) -> TimeCap:
    """Return the cap as a table knows it: points follow from the marbles, and are the competition's."""
    return TimeCap(cap.minutes * 60, cap.call, caps.STEPS if cap.counts == caps.STEPS else caps.MARBLES, cap.tie)


def _level(player: Player, rules: str) -> str:
    """Return the level at which the site's bot sits down for a player to a game of these rules; "" where a person plays, or
    a program from outside.
    """
    return bots.level_in(rules, player.bot) if player.bot and not player.is_bot_account else ""


def table_name(names: Sequence[str]) -> str:
    """Return what a table of these sides is called: their names, shortened where the two are too long together."""
    between = " – "
    if len(between.join(names)) > TABLE_NAME_LENGTH:
        most = (TABLE_NAME_LENGTH - len(between)) // len(names)
        names = [name if len(name) <= most else f"{name[: most - 1].rstrip()}…" for name in names]
    return between.join(names)


def open_round(competition: Competition, row: Round, *, at: datetime, by: Person) -> None:
    """Open a planned round of a tournament: its matches get a table number and the time `at`, tables open when due.

    The caller holds the competition's row. A match whose teams are not known, or of which one has left, is skipped.
    """
    row.state = Round.State.OPEN
    row.save(update_fields=["state"])
    note(competition, "round.opened", by, stage=row.group.stage.ordinal, group=row.group.ordinal, round=row.number)
    matches = list(Match.objects.filter(round=row).order_by("number"))
    # All at once, so that as many teams as possible keep their table.
    place(competition, [match for match in matches if match.table_no is None and _is_callable(match)])
    for match in matches:
        call(competition, match, at=at)


def call(competition: Competition, match: Match, *, at: datetime) -> bool:
    """Give a match of an open round its time and its table; False when it cannot be played now, or is called already.

    A start that it has already and that is still to come stays: a lift or a team that came back has restored it.
    """
    if not _is_callable(match):
        return False
    if match.starts_at is None or match.starts_at < clock.now():
        match.starts_at = at
    if match.table_no is None:
        place(competition, [match])
    match.state = Match.State.CALLED if match.is_on_board else Match.State.SCHEDULED
    match.save()
    if match.state == Match.State.SCHEDULED and match.starts_at - OPENS_BEFORE <= clock.now():
        try:
            open_table(match_id=match.pk)
        except Exception:  # the round continues without it; the beat task retries
            log.exception("the table of match %s could not be opened", match.pk)
    return True


def _is_callable(match: Match) -> bool:
    return match.state in (Match.State.WAITING, Match.State.READY) and _playable(match)


def _playable(match: Match) -> bool:
    """Return whether every seat is taken by an entry that is still playing."""
    states = list(Side.objects.filter(match=match, kind=Side.Kind.SEAT).values_list("entry__state", flat=True))
    return len(states) == match.sides and all(state == Entry.State.PLAYING for state in states)
