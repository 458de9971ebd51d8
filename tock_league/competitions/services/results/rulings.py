"""apply(): writes the effects of a signed ruling or a correction to the competition, and lifts those of a superseded one.

Effects are append-only rows; a lift is a row that refers to one. The consequences are those that
`selectors.changes.consequences` plans: results, seats of a bracket, the rating log. The
lock order: the competition first, then the matches; the case's row comes later.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...core.effective import Effective, EffectPlan, PlainEffect
from ...core.sheets import row_of
from ...models import Competition, EffectLift, Match, ResultEffect, Side
from ...models.effect import RULING_LENGTH
from ...selectors.changes import consequences
from ...selectors.changes.world import Change, World, world_of
from ...selectors.results.effective import effects_in_force
from ...selectors.rounds.progress import is_bracket
from ..rounds.placing import busy_tables, room_of
from ..rounds.progression import giving_back
from ..shared.journal import name_of, note
from ..shared.locking import hold_games, lock_competition, lock_match
from .propagation import close_table, correct_ratings, propagate, walk_over

S = Match.State


@dataclass(frozen=True)
class Applied:
    """What one ruling did to the results."""

    effects: tuple[int, ...]  # the ids of the effects written
    lifted: tuple[int, ...]  # the ids of the effects lifted
    matches: tuple[int, ...]  # the ids of the matches touched
    revised: tuple[str, ...]  # the rated games revised, by their source
    again: bool = False  # it had been applied before, and nothing was done


def apply(
    *, competition: Competition, ruling: str, effects: Sequence[EffectPlan] = (), lifts: Iterable[int] = ()
) -> Applied:
    """Write the effects of `ruling` and lift the effects `lifts`; update everything that depends on them.

    `ruling`: the public number, such as "TL-2026-000123/1", or the ref of a correction; idempotent. An effect that is lifted
    already stays lifted. Raises Refused as `consequences.ruling` does, and `ruling` for a number that is empty or long.
    The caller checks permissions.
    """
    with writing():
        competition = lock_competition(competition.pk)
        if not 0 < len(ruling) <= RULING_LENGTH:
            raise Refused("ruling", field="ruling")
        known = tuple(_effects(competition, ruling).values_list("pk", flat=True))
        gone = tuple(_lifts(competition, ruling).values_list("effect", flat=True))
        if known or gone:
            return Applied(known, gone, (), (), again=True)
        world = world_of(competition)
        change = consequences.ruling(world, effects, lifts)
        touched = _touched(world, change)
        hold_games(world.downstream(touched))
        written = _write(world, ruling, change)
        _lift(competition, ruling, change)
        revised = []
        for pk in touched:
            revised += correct_ratings(lock_match(pk), ruling=ruling)
        after = world.after(change)
        with giving_back(_give_back_times(world, change)):
            _seat(world, after, change)
            for pk in touched:
                match = lock_match(pk)
                _make_room(match, world.result(pk), after.result(pk), change)
                propagate(match, ruling=ruling)
            for pk in touched:
                if is_bracket(world.matches[pk].round.group.stage):
                    walk_over(lock_match(pk))
        return Applied(tuple(row.pk for row in written), tuple(sorted(change.lifted)), tuple(touched), tuple(revised))


def effects_of(ruling: str, *, competition: Competition | None = None) -> list[int]:
    """Return the ids of the effects of `ruling` in force, the derived ones included, in the order of signing."""
    rows = effects_in_force().filter(ruling=ruling)
    return list(
        (rows.filter(competition=competition) if competition is not None else rows).values_list("pk", flat=True)
    )


def _effects(competition: Competition, ruling: str) -> QuerySet[ResultEffect]:
    return ResultEffect.objects.filter(competition=competition, ruling=ruling).order_by("number")


def _lifts(competition: Competition, ruling: str) -> QuerySet[EffectLift]:
    return EffectLift.objects.filter(effect__competition=competition, ruling=ruling).order_by("effect")


def _write(world: World, ruling: str, change: Change) -> list[ResultEffect]:
    written = []
    competition = world.competition
    for number, planned in enumerate(change.planned, start=1):
        effect, match = planned.effect, world.matches[planned.match]
        row = ResultEffect(
            competition=competition,
            ruling=ruling,
            number=number,
            match_id=planned.match,
            game_number=effect.game,
            kind=effect.kind,
            position=effect.position,
            entry_id=effect.entry,
            amount=effect.amount,
            after=effect.after,
            keeps_place=effect.keeps_place,
            derived=planned.derived,
            sheet=_sheet_of(effect),
            starts_at=match.starts_at,
            decided_at=match.decided_at,
            later=_times_after(world, match),
            signed_at=clock.now(),
        )
        checked(row).save()
        written.append(row)
        note(
            competition,
            "effect.applied",
            SITE,
            **name_of(row.match),
            ruling=ruling,
            effect=number,
            does=row.kind,
            game=row.game_number,
            position=row.position,
            entry=row.entry.slug if row.entry is not None else None,
            amount=row.amount,
            keeps_place=row.keeps_place,
            derived=row.derived,
        )
    return written


def _times_after(world: World, match: Match) -> dict[str, list[str | int | None]]:
    """Return starts and tables of the matches that follow in the bracket, are called and have not begun."""
    following = [world.matches[pk] for pk in world.downstream([match.pk]) - world.begun - {match.pk}]
    return {
        other.slug: [other.starts_at.isoformat(), other.table_no] for other in following if other.starts_at is not None
    }


def _give_back_times(world: World, change: Change) -> list[int]:
    """Give later matches that have not begun the starts that they had before the effects that are lifted, where these
    are still to come; return the matches."""
    given = []
    for effect in ResultEffect.objects.filter(pk__in=change.lifted).order_by("-pk"):
        for match in Match.objects.filter(slug__in=effect.later).exclude(pk__in=world.begun):
            start, table = effect.later[match.slug]
            if datetime.fromisoformat(start) >= clock.now():
                match.starts_at, match.table_no = datetime.fromisoformat(start), table
                if table in busy_tables(match.competition, but=match):
                    match.table_no = None  # it gets another one when it is called
                match.room = room_of(match.competition, match.table_no)
                match.save(update_fields=["starts_at", "table_no", "room"])
                given.append(match.pk)
    return given


def _sheet_of(effect: PlainEffect) -> list[list[int | None]] | None:
    """Return the games of a corrected paper as they are stored."""
    if not effect.sheet:
        return None
    return [row_of(lines) for lines in effect.sheet]


def _lift(competition: Competition, ruling: str, change: Change) -> None:
    for row in ResultEffect.objects.filter(pk__in=change.lifted).select_related("match__round").order_by("pk"):
        EffectLift.objects.create(effect=row, ruling=ruling, at=clock.now())
        note(
            competition,
            "effect.lifted",
            SITE,
            **name_of(row.match),
            ruling=ruling,
            was=row.ruling,
            effect=row.number,
            does=row.kind,
        )


def _touched(world: World, change: Change) -> list[int]:
    """Return the matches whose effects change, in the order of play."""
    found = {planned.match for planned in change.planned}
    found |= set(ResultEffect.objects.filter(pk__in=change.lifted).values_list("match", flat=True))
    matches = [world.matches[pk] for pk in found]
    matches.sort(key=lambda match: (match.round.group.stage.ordinal, match.round.number, match.number, match.pk))
    return [match.pk for match in matches]


def _seat(world: World, after: World, change: Change) -> None:
    """Put into the freed matches of a bracket those who belong there now; progression fills the others."""
    wanted = {
        (pk, position): entry
        for pk in change.freed
        for position, entry in enumerate(after.seats[pk])
        if entry != world.seats[pk][position]
    }
    sides = [
        side
        for side in Side.objects.filter(match__in=change.freed, kind=Side.Kind.SEAT)
        if (side.match_id, side.position) in wanted
    ]
    # Two steps, because the unique constraint forbids an entry in two matches of a round even for a moment.
    Side.objects.filter(pk__in=[side.pk for side in sides]).update(entry=None)
    # Clear the entries' seats in matches of the round that have not begun first; progression fills these again.
    rounds = {world.matches[pk].round_id for pk in change.freed}
    held = Side.objects.filter(round__in=rounds, kind=Side.Kind.SEAT, entry__in=[pk for pk in wanted.values() if pk])
    held.exclude(match__in=change.freed | world.begun).update(entry=None)
    for side in sides:
        assert side.match_id is not None
        assert side.position is not None
        side.entry_id = wanted[(side.match_id, side.position)]
        side.save(update_fields=["entry"])


def _make_room(match: Match, before: Effective, after: Effective, change: Change) -> None:
    """Give a match that is played again a place and a time, and one that no longer is the table where it was played."""
    again = any(planned.match == match.pk and planned.effect.kind == "replay" for planned in change.planned)
    if after.state == "open" and (again or before.state != "open"):
        close_table(match)
        planned = match.competition.is_planned
        match.table = None
        match.starts_at = None if planned else clock.now()
        match.state = S.READY if planned else S.SCHEDULED
        match.save()
        return
    order = ResultEffect.objects.filter(pk__in=change.lifted, match=match, kind=ResultEffect.Kind.REPLAY).first()
    if after.state != "open" and order is not None:
        close_table(match)
        match.starts_at, match.state = order.starts_at, S.READY  # the result sets the state
        game = match.games.select_related("game__table").order_by("number").first()
        table = game.game.table if game is not None else None
        if table is None or not Match.objects.filter(table=table).exclude(pk=match.pk).exists():
            match.table = table
        match.save()
