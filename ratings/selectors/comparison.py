"""Two players or two pairs of a ladder compared: the chance now, the games against each other, both histories."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import BigIntegerField, F

from ratings.core.eligibility import sigma_at
from ratings.core.engines import engine_for
from ratings.core.gaussian import Estimate
from ratings.core.growth import after_idle, idle_days
from ratings.core.params import Params
from ratings.core.score import interval, points
from ratings.models import Ladder, Rating
from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.common.errors import NotThere

from . import histories
from .chart import bounds
from .game_rows import GameRow, game_rows, log_of
from .naming import Names, names
from .pairings import of_hundred
from .profiles import Step
from .rows import record_of

MET = 200  # games against each other that are looked at: the latest
SHOWN = 20


@dataclass(frozen=True)
class Compared:
    """One of the two."""

    subject: int
    name: str
    players: Sequence[Player]
    score: int  # in whole points
    interval: int
    games: int
    wins: int
    steps: Sequence[Step]  # of the chart, oldest first
    chance: int  # wins expected in 100 games against the other


@dataclass(frozen=True)
class Comparison:
    """Everything that the page shows."""

    ladder: Ladder
    kind: str  # player or team
    first: Compared
    second: Compared
    within: tuple[int, int] | None  # the scores that both charts show
    games: Sequence[GameRow]  # against each other, as the first saw them, newest first
    won: int  # by the first, of all that were looked at
    lost: int
    together: int  # games of two players on the same side


def comparison(ladder_key: str, first_id: int, second_id: int) -> Comparison:
    """Return two subjects of one kind compared; NotThere for an unknown one, another kind, or the same one twice.

    Nine queries at most.
    """
    one, two = _both(ladder_key, first_id, second_id)
    mine, yours = histories.played(one), {game.source: game for game in histories.played(two)}
    common = [game for game in mine if game.source in yours][:MET]
    members = [[int(part) for part in row.subject.key.split("-")] for row in (one, two)]
    log = log_of(one.generation, members[0], [game.result for game in common])
    against = [game for game in common if any(set(members[1]) <= set(side) for side in log.others[game.result])]
    shown = against[:SHOWN]
    sides = {side for game in shown for side in (log.own[game.result], *log.others[game.result])} - {()}
    known = names(one.generation, sides | {tuple(part) for part in members})
    size = _team_size(one)
    chance = _chance(one, two, size)
    charts = histories.steps(mine, len(members[0])), histories.steps(list(yours.values()), len(members[1]))
    ranges = [found for found in map(bounds, charts) if found is not None]
    return Comparison(
        ladder=one.generation.ladder,
        kind=one.kind,
        first=_compared(one, members[0], known, charts[0], of_hundred(chance)),
        second=_compared(two, members[1], known, charts[1], 100 - of_hundred(chance)),
        within=(min(low for low, _ in ranges), max(high for _, high in ranges)) if ranges else None,
        games=game_rows(one, members[0], shown, [None] * len(shown), log, known),
        won=sum(game.won for game in against),
        lost=sum(yours[game.source].won for game in against),
        together=len(common) - len(against),
    )


def _both(ladder_key: str, first_id: int, second_id: int) -> tuple[Rating, Rating]:
    if first_id == second_id or max(first_id, second_id) > BigIntegerField.MAX_BIGINT:
        raise NotThere
    rows = Rating.objects.filter(
        subject_id__in=(first_id, second_id),
        subject__listed=True,
        generation__ladder__key=ladder_key,
        generation=F("generation__ladder__generation"),
    ).select_related("subject", "generation__params", "generation__ladder")
    found = {row.subject_id: row for row in rows}
    if len(found) < 2 or found[first_id].kind != found[second_id].kind:
        raise NotThere
    return found[first_id], found[second_id]


def _team_size(row: Rating) -> int:
    """Return the size of the teams that it has met, which is that of every team of its games."""
    return next((key.count("-") + 1 for key in row.meetings.get("opponents", {})), row.subject.size)


def _chance(one: Rating, two: Rating, size: int) -> float:
    """Return the chance of the first one now; of two players, with partners of equal and known strength."""
    params = Params.from_json(one.generation.params.values)
    now = clock.now()
    estimates = [
        [
            after_idle(
                Estimate(row.mu, row.sigma),
                days=idle_days(row.last_rated_at, now),
                members=row.subject.size,
                params=params,
            )
        ]
        for row in (one, two)
    ]
    return engine_for(params).chances(estimates, [size, size])[0]


def _compared(row: Rating, members: Sequence[int], known: Names, steps: Sequence[Step], chance: int) -> Compared:
    params = Params.from_json(row.generation.params.values)
    players = sorted((known.players[one] for one in members if one in known.players), key=lambda p: p.display_name)
    side = known.side(members)
    return Compared(
        subject=row.subject_id,
        name=side.team.name if side.team is not None else " – ".join(player.display_name for player in players),
        players=players,
        score=points(row.score_milli),
        interval=interval(sigma_at(record_of(row.subject.size, row), clock.now(), params.idle_per_day)),
        games=row.games,
        wins=row.wins,
        steps=steps,
        chance=chance,
    )
