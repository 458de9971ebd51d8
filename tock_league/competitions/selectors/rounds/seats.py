"""The entries for the seats of a bracket, from its inputs and the results of earlier matches."""

from dataclasses import dataclass

from ...core.advancement import sent_on
from ...core.effective import Effective
from ...models import BracketEdge, Match, Side, Stage, StageInput
from ..results.effective import advancing_of, with_versions
from .berths import taken
from .progress import begun_of, going_on, group_is_over, has_begun


@dataclass(frozen=True)
class SeatChange:
    """A seat whose entry is to be `entry_id`, None for nobody yet."""

    side: Side
    entry_id: int | None


def wanted_seats(stage: Stage) -> list[SeatChange]:
    """Return the seats of a bracket that hold somebody else than they should, in the order of the matches.

    Seats of matches that have begun stay as they are (`begun_of`); once a match of the bracket has begun, what the groups
    say no longer moves anybody. Who stays in such a match gets no other seat of its round: when the semi-final of a begun
    final turns, its loser is not seated for third place as well. Nine queries, and a dozen for each group that feeds it.
    """
    matches = list(
        with_versions(Match.objects.filter(round__group__stage=stage).select_related("round", "table")).order_by(
            "round__number", "number"
        )
    )
    seats = {(side.match_id, side.position): side for side in Side.objects.filter(stage=stage, kind=Side.Kind.SEAT)}
    inputs = {
        (row.match_id, row.position): row
        for row in StageInput.objects.filter(stage=stage).select_related("source_group__stage")
    }
    edges = {
        (edge.to_match_id, edge.to_position): edge
        for edge in BracketEdge.objects.filter(to_match__round__group__stage=stage)
    }
    settled = has_begun(stage)
    fixed = begun_of(matches, [(edge.from_match_id, edge.to_match_id) for edge in edges.values()])
    kept = {
        (match.round_id, seats[(match.pk, position)].entry_id)
        for match in matches
        if match.pk in fixed
        for position in range(match.sides)
    }
    qualified: dict[int, tuple[int, ...]] = {}
    best: tuple[int | None, ...] | None = None
    results: dict[int, Effective] = {}
    held: dict[int, list[int | None]] = {}
    changes = []
    for match in matches:
        held[match.pk] = []
        for position in range(match.sides):
            side = seats[(match.pk, position)]
            wanted = side.entry_id
            if match.pk not in fixed:
                source, edge = inputs.get((match.pk, position)), edges.get((match.pk, position))
                if edge is not None:
                    source_of = edge.from_match_id
                    wanted = sent_on(results[source_of], edge.outcome, held[source_of], edge.only_position)
                elif source is not None and source.best is not None and not settled:
                    if best is None:
                        best = taken(
                            Stage.objects.get(competition=stage.competition_id, ordinal=source.source_ordinal or 0)
                        )
                    wanted = best[source.best - 1] if source.best <= len(best) else None
                elif source is not None and not settled:
                    wanted = _entrant(source, qualified)
                if wanted is not None and (match.round_id, wanted) in kept:
                    wanted = side.entry_id
            held[match.pk].append(wanted)
            if wanted != side.entry_id:
                changes.append(SeatChange(side, wanted))
        results[match.pk] = advancing_of(match)
    return changes


def _entrant(source: StageInput, qualified: dict[int, tuple[int, ...]]) -> int | None:
    """Return the entry of a slot; None while its group is being played, or where the group has nobody left for it."""
    group = source.source_group
    if group is None:
        return source.entry_id
    if group.pk not in qualified:
        qualified[group.pk] = going_on(group) if group_is_over(group) else ()
    assert source.rank is not None
    going = qualified[group.pk]
    return going[source.rank - 1] if source.rank <= len(going) else None
