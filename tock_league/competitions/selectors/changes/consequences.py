"""Plans the rows that a ruling, or an entry that leaves, writes: effects with those that follow in a bracket, and awards.

`world_of` loads a competition once; `ruling` and `leaving` return what to write.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tock_league.common.errors import NotThere, Refused

from ...core.advancement import FAULTS, places_move, played_again
from ...core.effective import KINDS, EffectPlan, PlainEffect, ledger_of
from ...core.leaving import Award, LeaversMatch, awards
from ...core.scoring import PLAYED
from ...core.sheets import lines_of
from ...models import Entry, ResultEffect
from ..rankings.ranking import OUT
from ..results.effective import BEHIND_ALL
from ..rounds.progress import is_bracket
from .world import Change, PlannedResultEffect, World

NEEDS_GAME = ("forfeit_game", "rating")
NEEDS_SIDE = ("result", "forfeit_game")

MOST_POINTS = 100


def ruling(world: World, effects: Sequence[EffectPlan], lifts: Iterable[int] = ()) -> Change:
    """Return what signing `effects` and lifting the effects `lifts` would write, with the consequences for the bracket.

    Lifting an effect also lifts the effects that its ruling had derived. Raises Refused with field `effects`, code:
    effect_kind, match, game_number, position, entry, amount, fault, unplayed_game.
    """
    for plan in effects:
        _check(world, plan)
    rows = _with_derived(world, lifts)
    lifted = frozenset(row.pk for row in rows)
    change = Change(lifted=lifted, freed=frozenset(row.match_id for row in rows if row.derived))
    for target in _crowded(world, change):
        replay = PlainEffect(seq=BEHIND_ALL + len(change.planned), kind="replay", after=_last(world, target))
        planned = (*change.planned, PlannedResultEffect(target, replay, derived=True))
        change = replace(change, planned=planned, freed=change.freed | {target})
    begun = world.after(change).begun  # a lift may bring a later match back
    for plan in effects:
        effect = replace(
            plain(plan, world.matches[plan.match_id].sides, after=_last(world, plan.match_id)),
            seq=BEHIND_ALL + len(change.planned),
            kind=_kind(world, plan),
        )
        before = world.after(change).forward(plan.match_id)
        made = replace(change, planned=(*change.planned, PlannedResultEffect(plan.match_id, effect)))
        moves = places_move(before, world.after(made).forward(plan.match_id))
        again = played_again(plan.match_id, world.links, begun) if moves else ()
        if again and plan.fault != "own":
            effect = replace(effect, keeps_place=True)
            change = replace(change, planned=(*change.planned, PlannedResultEffect(plan.match_id, effect)))
            continue
        change = made
        for target in again:
            replay = PlainEffect(seq=BEHIND_ALL + len(change.planned), kind="replay", after=_last(world, target))
            planned = (*change.planned, PlannedResultEffect(target, replay, derived=True))
            change = replace(change, planned=planned, freed=change.freed | {target})
    return change


def plain(plan: EffectPlan, sides: int, *, after: int) -> PlainEffect:
    """Return the effect that `plan` asks for, behind all others. `after`: the number of the match's last version."""
    return PlainEffect(
        seq=BEHIND_ALL,
        kind=plan.kind,
        after=after,
        game=plan.game_number,
        position=plan.position,
        entry=plan.entry_id,
        amount=plan.amount,
        sheet=lines_of(plan.sheet, sides),
    )


def leaving(world: World, entry: Entry, how: str) -> tuple[Award, ...]:
    """Return the results to write for an entry that leaves. `how`: withdrawal or disqualification."""
    out = {pk for known in world.fields.values() for pk in known.out}
    out |= set(world.competition.entries.filter(state__in=list(OUT)).values_list("pk", flat=True))
    meetings = []
    for pk, match in sorted(world.matches.items(), key=lambda item: (item[1].round_id, item[1].number)):
        seats = world.seats[pk]
        if entry.pk not in seats:
            continue
        position = seats.index(entry.pk)
        rival = seats[1 - position]
        result = world.result(pk)
        meetings.append(
            LeaversMatch(
                match=pk,
                format=match.round.group.stage.format,
                group=match.round.group_id,
                position=position,
                state=result.state,
                played=result.state == "decided" and result.fact in PLAYED,
                opponent="unknown" if rival is None else "out" if rival in out else "in",
            )
        )
    policy = world.competition.regulations.body.get("withdrawal", "expunge_before_half")
    return awards(meetings, how, policy=policy)


def _check(world: World, plan: EffectPlan) -> None:
    """Raise Refused for an invalid effect: an unknown kind, another competition's match, a game that does not exist."""

    def refuse(code: str, sentence: object) -> Refused:
        return Refused(code, sentence, field="effects")  # type: ignore[arg-type]

    if plan.kind not in KINDS:
        raise refuse("effect_kind", _("There is no such effect."))
    if plan.fault not in FAULTS:
        raise refuse("fault", _("Say whose error it was: their own, another side’s, or the referee’s."))
    match = world.matches.get(plan.match_id)
    if match is None:
        raise refuse("match", _("This match does not belong to the competition."))
    if plan.game_number is not None and not 1 <= plan.game_number <= match.best_of:
        raise refuse("game_number", _("The match has no game of this number."))
    if plan.kind in NEEDS_GAME and plan.game_number is None:
        raise refuse("game_number", _("Say which game of the match."))
    if (plan.kind in NEEDS_SIDE and plan.position is None) or (
        plan.position is not None and not 0 <= plan.position < match.sides
    ):
        raise refuse("position", _("Choose one of the teams of the match."))
    if plan.kind == "points":
        if plan.entry_id is None or plan.entry_id not in {
            pk for known in world.fields.values() for pk in known.entries
        }:
            raise refuse("entry", _("Choose a team of this competition."))
        if plan.amount == 0 or abs(plan.amount) > MOST_POINTS:
            raise refuse("amount", _("Match points: a whole number from −100 to 100, and not 0."))
    elif plan.entry_id is not None:
        raise refuse("entry", _("Only points name a team."))
    if plan.kind == "rating" and plan.amount not in (0, 1):
        raise refuse("amount", _("A game is in the ratings or it is not."))
    if plan.game_number is not None and plan.kind in ("result", "rating", "void", "replay"):
        known = ledger_of(world.versions[match.pk], world.effects[match.pk], sides=match.sides, best_of=match.best_of)
        if plan.game_number not in known.games:
            raise refuse("unplayed_game", _("This game has no result that could be changed."))


def _kind(world: World, plan: EffectPlan) -> str:
    """Return the kind to write: `replay` in place of `void` for a game of a match and for a match of a bracket."""
    stage = world.matches[plan.match_id].round.group.stage
    if plan.kind == "void" and (plan.game_number is not None or is_bracket(stage)):
        return "replay"
    return plan.kind


def _last(world: World, match: int) -> int:
    return world.versions[match][-1].number if world.versions[match] else 0


def _with_derived(world: World, lifts: Iterable[int]) -> list[ResultEffect]:
    """Return the effects to lift that are in force, with those their rulings derived."""
    asked = set(lifts)
    rows = ResultEffect.objects.filter(competition=world.competition, lift__isnull=True)
    named = list(rows.filter(pk__in=asked))
    if len(named) < len(asked) and ResultEffect.objects.filter(
        competition=world.competition, pk__in=asked
    ).count() < len(asked):
        raise NotThere
    rulings = {row.ruling for row in named}
    return list(rows.filter(Q(pk__in=asked) | Q(ruling__in=rulings, derived=True)))


def _crowded(world: World, change: Change) -> list[int]:
    """Return matches to be replayed: begun ones with an entry that a lift moves into another match of the round."""
    if not change.freed:
        return []
    after = world.after(change)
    back = {
        (world.matches[pk].round_id, entry) for pk in change.freed for entry in after.seats[pk] if entry is not None
    }
    return [
        pk
        for pk, match in world.matches.items()
        if pk not in change.freed and any((match.round_id, entry) in back for entry in after.seats[pk])
    ]
