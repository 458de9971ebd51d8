"""The context of a ruling: seats, sides, the penalty table's row and the earlier findings against a player."""

from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from games.models import Game, Seating, Table
from games.selectors import plays, rule_sets
from games.selectors.referee import rewindable
from tock_league.accounts.models import DEFAULT_TIME_ZONE
from tock_league.common import clock
from tock_league.competitions.models import Match, ResultVersion

from ...core import penalties
from ...core.decisions import Setting
from ...core.effects import Scene
from ...core.keys import kind_of
from ...core.penalties import Finding, Infraction, PenaltyTable
from ...models import Case, Ruling
from ..cases.same_act import about_the_same_plays, first_ruled
from ..referees.conflicts import players_of

HERE = ZoneInfo(DEFAULT_TIME_ZONE)


@dataclass(frozen=True)
class Ground:
    """The penalty table in force on the `day` of the act, and the players of each side."""

    table: PenaltyTable
    day: date
    sides: tuple[frozenset[int], ...]
    scene: Scene
    running: bool
    rewinds: frozenset[int]
    played: frozenset[int]
    seats: int
    findings: tuple[Finding, ...]
    claims: frozenset[str]  # the kinds of case whose claims a ruling answers
    entered: bool = False  # whether the case is about a result that people entered
    on_paper: bool = False  # whether the competition takes scores on paper

    def step(self, row: Infraction, player: int) -> tuple[int, int]:
        """Return the row's step for `player` today, and how many earlier findings it counts."""
        count = penalties.earlier(self.findings, player=player, row=row, day=self.day)
        return row.step(count), count

    def setting(self, row: Infraction | None, player: int | None, *, head: bool) -> Setting:
        """Return the setting of a decision under `row` against `player`."""
        return Setting(
            row=row,
            step=self.step(row, player)[0] if row is not None and player is not None else 1,
            running=self.running,
            players=frozenset().union(*self.sides),
            head=head,
            seats=self.seats,
            sides=len(self.sides),
            rewinds=self.rewinds,
            played=self.played,
            suspension_days=self.table.suspension_days,
            seated=frozenset(self.scene.seat_of),
            penalties=frozenset(self.table.penalties),
            claims=self.claims,
            entered=self.entered,
            on_paper=self.on_paper,
        )


def ground(case: Case) -> Ground:
    """Return the context in which a ruling of the case would be made now."""
    match = Match.objects.select_related("table", "competition").get(pk=case.match_id)
    sides = players_of(match)
    day = day_of(case)
    running = case.live and case.game is not None
    return Ground(
        table=penalties.table_in_force(day, rule_sets.game_of(match.competition.rules)),
        day=day,
        sides=sides,
        scene=_scene(case, match, sides),
        running=running,
        rewinds=frozenset(rewindable(case.game)) if running and case.game is not None else frozenset(),
        played=_played(match),
        seats=match.table.seats if match.table is not None else 0,
        findings=findings(frozenset().union(*sides), day, without=case),
        claims=claims_of(case),
        entered=bool(case.entered),
        on_paper=match.is_on_board,
    )


def claims_of(case: Case) -> frozenset[str]:
    """Return the kind of the case, those of complaints that were added to it and, in a re-examination, those of the
    findings that it looks at again."""
    found = Ruling.objects.filter(case=case.reviews_id).exclude(row="") if case.reviews_id is not None else []
    families = {penalties.by_version(ruling.table_version).row(ruling.row).family for ruling in found}
    added = {body.get("about", "") for body in case.events.filter(type="stated").values_list("body", flat=True)}
    return frozenset({str(case.kind), *added, *map(kind_of, families)} - {""})


def day_of(case: Case) -> date:
    """Return the day of the act, where the clubs play: of the disputed row of the record, else of the filing."""
    at = None
    if case.game_id is not None and case.seq:
        at = plays.at(case.game_id, case.seq)
    instant = clock.from_ms(at) if at is not None else case.filed_at
    return instant.astimezone(HERE).date()


def findings(players: frozenset[int], day: date, *, without: Case | None = None) -> tuple[Finding, ...]:
    """Return these players' penalties in force on `day` that count towards the next one.

    `without`: the case that is ruled. No finding is its own precedent: those of this case, of the case that it reviews and
    of other cases about the same plays do not count, nor those of cases that were first ruled after this one.
    """
    rows = Ruling.objects.filter(
        offender__in=players,
        day=day,
        outcome=Ruling.Outcome.UPHELD,
        superseded_by__isnull=True,
        confirms__isnull=True,
    ).exclude(penalty=penalties.NONE)
    if without is not None:
        rows = rows.exclude(case__in=[pk for pk in (without.pk, without.reviews_id) if pk is not None])
        if rows.exists():
            rows = rows.exclude(case__in=_no_precedents(without, rows))
    return tuple(
        Finding(offender, penalties.by_version(version).row(row).family, when)
        for offender, version, row, when in rows.values_list("offender", "table_version", "row", "day")
    )


def _no_precedents(case: Case, rows: QuerySet[Ruling]) -> set[int]:
    """Return the cases of these findings that are about the act of `case`, or were first ruled after it."""
    found = {other.pk for other in about_the_same_plays(case, acts_too=True)}
    ruled = first_ruled(case)
    if ruled is not None:
        others = Case.objects.filter(pk__in=rows.values("case")).select_related("reviews__reviews")
        found |= {other.pk for other in others if (first_ruled(other) or ruled) > ruled}
    return found


def game_running(case: Case) -> bool:
    """Return whether the case's game goes on, in which case its record is still secret."""
    return Case.objects.filter(running(), pk=case.pk).exists()


def running(prefix: str = "") -> Q:
    """Return the condition of cases (or what is tied to a case by `prefix`) whose game goes on at its table."""
    playing = Q(**{f"{prefix}game__state__in": [Game.State.SEATING, Game.State.PLAYING]})
    return playing & ~Q(**{f"{prefix}game__table__state": Table.State.CLOSED})


def _scene(case: Case, match: Match, sides: tuple[frozenset[int], ...]) -> Scene:
    seats = {}
    if match.table_id is not None:
        seats = {
            player: seat
            for seat, player in Seating.objects.filter(table=match.table_id).values_list("seat", "player")
            if player is not None
        }
    entries = {side.position: side.entry_id for side in match.side_rows.all()}
    return Scene(
        match=match.pk,
        game=case.game_id,
        game_number=_number(case),
        seat_of=seats,
        position_of={player: position for position, side in enumerate(sides) for player in side},
        entry_of={position: entry for position, entry in entries.items() if position is not None and entry is not None},
    )


def _number(case: Case) -> int | None:
    """Return which game of the match the case's game is: a game played again is the first one at its new table. None for
    one that counts nowhere, when the result under its number is that of another: a tied game of a knockout."""
    if case.game is None:
        return None
    versions = ResultVersion.objects.filter(match=case.match_id, game_number__isnull=False)
    own = versions.filter(game__game=case.game).values_list("game_number", flat=True).first()
    if own is None and not versions.filter(game_number=case.game.number).exists():
        return case.game.number
    return own


def _played(match: Match) -> frozenset[int]:
    """Return the numbers of the match's games that have a result. A game that was tied in a knockout has none; the result of
    the one that was played for it, or of one that was ordered again, stands under a number of the match."""
    versions = ResultVersion.objects.filter(match=match, game_number__isnull=False)
    return frozenset(number for number in versions.values_list("game_number", flat=True) if number)
