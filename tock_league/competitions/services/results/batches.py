"""Settles games of one competition together, in one transaction and few statements.

Only plain games share a transaction, those whose settling changes nothing for the next one: one game a match, in a league or
in a stage of one group that is paired as it goes, with no result, no ruling and no paper before. For them the rows are the
same as if each had been settled alone, in the same order. All others are settled one by one (settlement.settle).

Locking: the competition, then the matches, as for a single game.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q

from games.models import Game
from games.selectors.games import Certificate, certificate_of_record
from tock_league.common import outbox
from tock_league.common.models import OutboxRow
from tock_league.common.transactions import writing

from ...announcements import PublicFact
from ...core.effective import Line, Version
from ...models import Competition, Group, Match, MatchGame, ResultVersion, Stage
from ...selectors.results.effective import versions_of, with_versions
from ...selectors.results.rating_corrections import Logged, logged
from ...selectors.rounds.progress import is_bracket, pairs_as_it_goes
from ..seasons.lifecycle import DECIDED
from ..shared.locking import give_version, lock_competition
from .certified import fact_of, lines_of
from .propagation import Changed, close_table, propagate_all
from .versions import Draft, write

SETTLE_TASK = "tock_league.competitions.tasks.settle_game"
AT_ONCE = 16  # games of a transaction: others wait for SQLite's write lock meanwhile
LOOK = 200  # waiting games among which those of the competition are sought


@dataclass(frozen=True)
class _Plain:
    """A game that is settled with others."""

    match: Match
    game: Game
    certified: Certificate
    before: Sequence[MatchGame]
    number: int  # in its match


def settle_together(*, competition_id: int, game_id: int, outbox_id: int) -> bool:
    """Settle the game and others of its competition that wait, at most AT_ONCE; return whether the game's promise is kept.

    It is not, and nothing is settled, if the game cannot share a transaction. Idempotent.
    """
    with writing():
        competition = lock_competition(competition_id, changes=False)
        rows = _promises()
        if game_id not in rows:  # another worker has settled it while this one waited; or it fails again and again
            return outbox.is_done(outbox_id)
        plain = _plain(competition, rows, first=game_id)
        if not any(each.game.pk == game_id for each in plain):
            return False
        give_version(competition)
        _settle(plain)
        outbox.done(*(rows[each.game.pk].pk for each in plain))
        return True


def company(competition_id: int, game_id: int) -> list[OutboxRow]:
    """Return the promises of the games that `settle_together` looks at, this one's last."""
    rows = _promises()
    games = _games(competition_id, rows, game_id)
    return [rows[game.pk] for game in sorted(games, key=lambda game: game.pk == game_id)]


def _promises() -> dict[int, OutboxRow]:
    """Return the promises of games that wait and have not failed again and again, by game, oldest first."""
    return {row.body["game_id"]: row for row in outbox.fresh(SETTLE_TASK, LOOK)}


def _plain(competition: Competition, rows: dict[int, OutboxRow], *, first: int) -> list[_Plain]:
    """Return the games to settle now, in the order of their promises."""
    games = _games(competition.pk, rows, first)
    tables = {game.table_id: game for game in reversed(games)}  # the first one of each table
    locked = Match.objects.select_for_update(of=("self",), no_key=True).filter(table__in=tables).order_by("pk")
    matches = {match.table_id: match for match in with_versions(locked.select_related("round__group__stage", "table"))}
    known: dict[int, list[MatchGame]] = {match.pk: [] for match in matches.values()}
    taken = set()
    rest = Q(match__in=known) | Q(game__in=tables.values())
    for row in MatchGame.objects.filter(rest).select_related("version"):
        known.setdefault(row.match_id, []).append(row)
        taken.add(row.game_id)
    stages: dict[int, bool] = {}
    found = []
    for game in games:
        match = matches.get(game.table_id)
        if match is None or tables[game.table_id] is not game or game.pk in taken:
            continue
        match.competition = competition
        stage = match.round.group.stage
        if stage.pk not in stages:
            stages[stage.pk] = _shares(competition, stage)
        certified = certificate_of_record(game)
        numbers = {row.number for row in known[match.pk]} | {row.game_number for row in match.versions.all()}
        number = certified.number
        if stages[stage.pk] and _is_plain(match) and number not in numbers and number <= match.best_of:
            found.append(_Plain(match, game, certified, known[match.pk], number))
    return found


def _games(competition: int, rows: Iterable[int], first: int) -> list[Game]:
    """Return the waiting games of the competition, at most AT_ONCE with `first` among them, in the order of `rows`."""
    order = {game: place for place, game in enumerate(rows)}
    waiting = Game.objects.filter(pk__in=order, table__match__competition_id=competition).select_related("table")
    ours = sorted(waiting, key=lambda game: (game.pk != first, order[game.pk]))
    return sorted(ours[:AT_ONCE], key=lambda game: order[game.pk])


def _shares(competition: Competition, stage: Stage) -> bool:
    """Return whether results of the stage have no effect on each other before its round is over."""
    if is_bracket(stage):
        return False
    return not competition.is_planned or (
        pairs_as_it_goes(stage) and Group.objects.filter(stage__competition=competition).count() == 1
    )


def _is_plain(match: Match) -> bool:
    """Return whether the match waits for a game, and only games at its table have written its results."""
    return (
        match.state not in DECIDED
        and not match.effects.all()
        and all(
            row.source == ResultVersion.Source.ENGINE and row.game_number is not None for row in match.versions.all()
        )
    )


def _settle(plain: Sequence[_Plain]) -> None:
    played = MatchGame.objects.bulk_create(
        MatchGame(match=each.match, number=each.number, game=each.game, record_hash=each.certified.record_hash)
        for each in plain
    )
    made = write(
        [
            Draft(
                each.match,
                fact_of(each.certified),
                ResultVersion.Source.ENGINE,
                lines_of(each.certified, each.match.competition.regulations.cap),
                game_number=each.number,
                game=game,
                evidence=each.certified.record_hash,
                last=max(each.match.versions.all(), key=lambda row: row.version, default=None),
            )
            for each, game in zip(plain, played, strict=True)
        ]
    )
    log = logged([game for each in plain for game in each.before] + played).log
    propagate_all(
        [
            Changed(
                each.match,
                [
                    *versions_of(each.match),
                    _as_read(version, lines_of(each.certified, each.match.competition.regulations.cap)),
                ],
                Logged([*each.before, game], log),
                [PublicFact("game.finished", each.match.slug, each.game.slug)],
            )
            for each, game, version in zip(plain, played, made, strict=True)
        ]
    )
    for each in plain:
        if each.match.state in DECIDED:
            close_table(each.match)


def _as_read(row: ResultVersion, lines: Sequence[Line]) -> Version:
    """Return a version of a game as `versions_of` would read it."""
    return Version(row.version, row.game_number, row.fact, tuple(lines), order=row.order_id)
