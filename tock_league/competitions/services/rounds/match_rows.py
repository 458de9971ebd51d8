"""Rows of a paired round."""

from ...core.format import RoundPlan
from ...models import Competition, Match, Round, Side


def write_matches(competition: Competition, row: Round, plan: RoundPlan, *, best_of: int) -> list[Match]:
    """Write the matches of a paired round with their seats, its byes, rests and absences; return the matches."""
    stage = row.group.stage
    matches = []
    for number, pairing in enumerate(plan.pairings, start=1):
        match = Match.objects.create(
            competition=competition, round=row, number=number, sides=len(pairing.sides), best_of=best_of
        )
        Side.objects.bulk_create(
            Side(stage=stage, round=row, match=match, position=position, entry_id=entry)
            for position, entry in enumerate(pairing.sides)
        )
        matches.append(match)
    for kind, entries in (
        (Side.Kind.REST, plan.rests),
        (Side.Kind.PAIRING_BYE, plan.byes),
        (Side.Kind.ABSENCE, plan.absent),
    ):
        Side.objects.bulk_create(Side(stage=stage, round=row, entry_id=entry, kind=kind) for entry in entries)
    return matches
