"""Writing the log: results of games and their corrections. Nothing is rated here.

It takes no lock on the ladder: it runs inside the transaction that ends a game, which must not wait for a ladder.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import IntegrityError
from django.db.models import Exists, OuterRef

from games.announcements import GameFinished, GameVoided
from ratings.core import ladders as keys
from ratings.core.recompute import check
from ratings.models import Ladder, RatedResult, Rating, WaitingResult
from ratings.selectors.log import entry_of
from ratings.selectors.starts import starts
from tock_league.accounts.models import Merge
from tock_league.common import clock, outbox
from tock_league.common.transactions import writing

from .ladders import ladder_for, params_of

TASK = "ratings.tasks.rate_game"
FOR_ALL = (RatedResult.Kind.MERGE, RatedResult.Kind.SEASON)  # change ratings without a game
Sides = tuple[tuple[int, ...], ...]


def log_result(announcement: GameFinished) -> None:
    """Write the result of a finished game, in the transaction that ends it (WITHIN subscriber of GameFinished).

    A game with an anonymous seat (a guest or a bot) gets no row. An unrated game gets a row with the reason.
    Idempotent.
    """
    if announcement.sides is None:
        return
    _log(
        rules=announcement.rules,
        source=str(announcement.game_id),
        completed_at=announcement.finished_at,
        sides=announcement.sides,
        ranks=announcement.ranks,
        rated=announcement.rated,
        reason=announcement.reason if announcement.rated else announcement.unrated_reason,
    )


def log_played(
    *,
    rules: str,
    source: str,
    completed_at: datetime,
    sides: Sides,
    ranks: Sequence[int],
    reason: str,
    rated: bool = True,
) -> None:
    """Write a played game into the log of the ladder of its `rules` and number of teams.

    Does nothing if the source is in the log already. `source`: the game's id, or a name with the prefix
    models.ON_PAPER. `sides`: player ids per team; `ranks`: per team, 0 is best. Raises ValueError if the result is
    invalid.
    """
    with writing():
        _log(
            rules=rules,
            source=source,
            completed_at=completed_at,
            sides=sides,
            ranks=ranks,
            rated=rated,
            reason=reason,
        )


def _log(
    *,
    rules: str,
    source: str,
    completed_at: datetime,
    sides: Sides,
    ranks: Sequence[int],
    reason: str,
    rated: bool,
) -> None:
    """Do what `log_played` says, in the open transaction: in six statements where everybody is known in the ladder."""
    key = keys.ladder_of(rules, len(sides))
    logged = Exists(RatedResult.objects.filter(ladder=OuterRef("pk"), source=source))
    found = Ladder.objects.filter(key=str(key)).annotate(logged=logged).first()
    if found is not None and found.logged:
        return
    ladder = found or ladder_for(key)
    if rated:
        _seed_newcomers(ladder, sides, completed_at)
    _append(
        RatedResult(
            ladder=ladder,
            source=source,
            completed_at=completed_at,
            sides=[list(side) for side in sides],
            ranks=list(ranks),
            rated=rated,
            reason=reason,
        )
    )
    _merge_newly_named(ladder, sides)


def log_void(announcement: GameVoided) -> None:
    """Write that a game no longer counts (WITHIN subscriber of GameVoided); do nothing if it is not in the log."""
    row = RatedResult.objects.filter(source=str(announcement.game_id), revision=1).select_related("ladder").first()
    if row is not None:
        revise(ladder=row.ladder, source=row.source, kind=RatedResult.Kind.VOID, rated=False, reason="voided")


def revise(
    *,
    ladder: Ladder,
    source: str,
    kind: str = RatedResult.Kind.RESULT,
    ranks: Sequence[int] | None = None,
    rated: bool = True,
    reason: str,
    ruling: str = "",
) -> RatedResult:
    """Write the next revision of a logged game and return it; it keeps the place of the first one in the order.

    `ranks`: per team, 0 is best; None keeps those in force. Raises ValueError if the source is not in the log or the
    result is invalid.
    """
    with writing():
        first = RatedResult.objects.filter(ladder=ladder, source=source, revision=1).first()
        if first is None:
            raise ValueError(f"source: {source} is not in the log of {ladder}")
        last = RatedResult.objects.filter(ladder=ladder, source=source).order_by("-revision")[0]
        return _append(
            RatedResult(
                ladder=ladder,
                source=source,
                revision=last.revision + 1,
                kind=kind,
                completed_at=first.completed_at,
                sides=last.sides,
                ranks=list(ranks) if ranks is not None else last.ranks,
                rated=rated,
                reason=reason,
                ruling=ruling,
            )
        )


def log_season(*, ladder: Ladder, name: str, at: datetime) -> RatedResult:
    """Write that a season begins in the ladder at `at`: every uncertainty grows. Return the row; idempotent by `name`."""
    with writing():
        source = f"season:{name}"
        found = RatedResult.objects.filter(ladder=ladder, source=source, revision=1).first()
        if found is not None:
            return found
        return _append(
            RatedResult(
                ladder=ladder,
                source=source,
                kind=RatedResult.Kind.SEASON,
                completed_at=at,
                rated=False,
                reason="season",
            )
        )


def log_merge(*, former: int, kept: int) -> list[RatedResult]:
    """Write that two players are one person, in each ladder whose log may name the former one; return the rows.

    `former`, `kept`: player ids; the whole log is read with `kept`. Raises ValueError if they are equal.
    """
    if former == kept:
        raise ValueError("kept: a player cannot be merged with itself")
    with writing():
        return [_log_merge(ladder, former, kept) for ladder in _ladders_of(former)]


def _ladders_of(player: int) -> list[Ladder]:
    """Return the ladders in which the player has a rating, or will have one once everything in the log is applied."""
    rated = Rating.objects.filter(subject__key=str(player), generation__state="live").values("generation__ladder")
    found = set(rated.values_list("generation__ladder", flat=True))
    for row in WaitingResult.objects.select_related("result"):
        if any(player in side for side in row.result.sides):
            found.add(row.ladder_id)
    # Accounts that were merged into this one, whose ladders are perhaps not recomputed yet.
    merges = RatedResult.objects.filter(kind=RatedResult.Kind.MERGE).values_list("ladder", "sides")
    found |= {ladder for ladder, sides in merges if sides[1][0] == player}
    return list(Ladder.objects.filter(pk__in=found).order_by("key"))


def _log_merge(ladder: Ladder, former: int, kept: int) -> RatedResult:
    source = f"merge:{former}"
    before = RatedResult.objects.filter(ladder=ladder, source=source).order_by("revision")
    first, last = before.first(), before.last()
    return _append(
        RatedResult(
            ladder=ladder,
            source=source,
            revision=last.revision + 1 if last is not None else 1,
            kind=RatedResult.Kind.MERGE,
            completed_at=first.completed_at if first is not None else clock.now(),
            sides=[[former], [kept]],
            rated=False,
            reason="merged",
        )
    )


def _merge_newly_named(ladder: Ladder, sides: Sides) -> None:
    """Write the merges of players whom this ladder's log names for the first time, such as by a late result on paper."""
    wanted = {person for side in sides for person in side}
    seen: set[int] = set()
    while wanted:
        merges = dict(Merge.objects.filter(former__in=wanted, separated_at__isnull=True).values_list("former", "kept"))
        for former, kept in sorted(merges.items()):
            last = RatedResult.objects.filter(ladder=ladder, source=f"merge:{former}").order_by("-revision").first()
            if last is None or last.kind != RatedResult.Kind.MERGE:
                _log_merge(ladder, former, kept)
        seen |= wanted
        wanted = set(merges.values()) - seen


def log_separation(*, former: int) -> list[RatedResult]:
    """Write that a merge was wrong, in each ladder that has it; return the rows. The log is read with both players again."""
    with writing():
        rows = []
        merges = RatedResult.objects.filter(source=f"merge:{former}", revision=1).select_related("ladder")
        for row in merges.order_by("ladder__key"):
            last = RatedResult.objects.filter(ladder=row.ladder, source=row.source).order_by("-revision")[0]
            if last.kind == RatedResult.Kind.MERGE:
                rows.append(
                    revise(
                        ladder=row.ladder,
                        source=row.source,
                        kind=RatedResult.Kind.VOID,
                        rated=False,
                        reason="separated",
                    )
                )
        return rows


def _append(row: RatedResult) -> RatedResult:
    """Check and write a row; enqueue the rating task if the row can change a rating."""
    check(entry_of(row))
    row.created_at = clock.now()
    row.save(force_insert=True)
    if row.revision > 1 or row.rated or row.kind in FOR_ALL:
        promise = outbox.enqueue(TASK, key=f"{row.ladder.key}/{row.source}/{row.revision}", ladder_key=row.ladder.key)
        WaitingResult.objects.create(result=row, ladder=row.ladder, outbox_id=promise.pk)
    return row


def _seed_newcomers(ladder: Ladder, sides: Sides, completed_at: datetime) -> None:
    """Log a seed for each player who is new to this ladder but has a rating in another ladder of the same game.

    The estimate is that of selectors.starts. It is copied into the log, so that recomputing the other ladder does not
    change this one.
    """
    assert ladder.generation_id is not None
    people = {person for side in sides for person in side}
    names = {str(person): person for person in people}
    known = Rating.objects.filter(
        generation_id=ladder.generation_id, subject__key__in=names, subject__kind="player"
    ).values_list("subject__key", flat=True)
    new = set(names) - set(known)
    if not new:
        return
    logged = RatedResult.objects.filter(
        ladder=ladder, kind=RatedResult.Kind.SEED, source__in=[f"seed:{person}" for person in new]
    ).values_list("source", flat=True)
    new -= {source.removeprefix("seed:") for source in logged}
    found = starts(ladder.key, [names[key] for key in new], at=completed_at, params=params_of(ladder.params))
    for person, estimate in found.items():
        # A savepoint: a concurrent game of this player may have written the same seed.
        with suppress(IntegrityError), writing():
            _append(
                RatedResult(
                    ladder=ladder,
                    source=f"seed:{person}",
                    kind=RatedResult.Kind.SEED,
                    # Just before the game, so that the fold applies the seed first.
                    completed_at=completed_at - timedelta(microseconds=1),
                    sides=[[person]],
                    start=list(estimate),
                    reason="seed",
                )
            )
