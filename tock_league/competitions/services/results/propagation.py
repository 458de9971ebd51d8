"""propagate(): writes all consequences of a match's result, in the transaction that changes it.

In this order: the match's state; its round, the bracket, the next rounds (progression); the rating log; walk-overs in
later matches of a bracket, where a side has left or can never come. The rules write walk-overs, and revert them when
their reason no longer holds. The caller holds the locks of competition and match (services.shared.locking).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Table
from games.services import tables
from ratings import services as ratings
from ratings.models import Ladder
from tock_league.common import clock

from ...announcements import PublicFact
from ...core.advancement import sent_on
from ...core.effective import Effective, PlainEffect, Version
from ...models import BracketEdge, Entry, Match, ResultVersion, Side, Stage, StageInput
from ...selectors.rankings.ranking import OUT
from ...selectors.results import paper as papers
from ...selectors.results.effective import advancing_of, by_rules, effective_of, effects_of, resolved, versions_of
from ...selectors.results.rating_corrections import Correction, Logged, corrections_of, played_on_paper
from ...selectors.rounds.progress import groups_are_over, is_bracket, tie_in
from ..rounds import progression
from ..shared import telling
from .versions import append, decision

S = Match.State
UNPLAYED_STATES = (S.WAITING, S.READY, S.SCHEDULED, S.CALLED)


def propagate(match: Match, *, ruling: str = "") -> Effective:
    """Update everything that depends on the match's result, and return the result.

    `ruling`: the number that the rating log gives as the reason of a correction. Idempotent.
    """
    versions, effects = versions_of(match), effects_of(match)
    effective = resolved(match, versions, effects)
    before = _set_state(match, effective)
    match.save()
    _correct_ratings(match, versions, effects, ruling)
    telling.result(match, before=before, ruling=ruling, ranked=not is_bracket(match.round.group.stage))
    progression.refresh(match)
    for target in (*later_matches(match), *fed_matches(match)):
        walk_over(target)
    return effective


@dataclass(frozen=True)
class Changed:
    """A match of a stage with a table and its new versions; nothing but the engine has written any of them."""

    match: Match
    versions: Sequence[Version]
    known: Logged  # its games
    told: Sequence[PublicFact] = ()  # what is published before its result


def propagate_all(changed: Sequence[Changed]) -> None:
    """Do for matches of one competition, in this order, what `propagate` does for each: with the same rows, and in few
    statements. No ruling is in force on them."""
    before, results = [], []
    for each in changed:
        results.append(resolved(each.match, each.versions, ()))
        before.append(_set_state(each.match, results[-1]))
        each.match.updated_at = clock.now()
    Match.objects.bulk_update([each.match for each in changed], ["state", "decided_at", "updated_at"])
    told: list[PublicFact] = []
    for each, state in zip(changed, before, strict=True):
        _revise(corrections_of(each.match, each.versions, (), known=each.known), ruling="")
        told += [*each.told, *telling.result_facts(each.match, before=state, ruling="", ranked=True)]
    telling.facts(changed[0].match.competition, told)
    progression.refresh_all([(each.match, result) for each, result in zip(changed, results, strict=True)])
    for match in {each.match.round.group.stage_id: each.match for each in changed}.values():
        for target in fed_matches(match):
            walk_over(target)


def _set_state(match: Match, effective: Effective) -> str:
    """Give the match the state that its result asks for, unsaved; return the state before."""
    before = match.state
    state = state_of(match, effective)
    if state in (S.CONFIRMED, S.AWARDED) and (match.state != state or match.decided_at is None):
        match.decided_at = clock.now()
    match.state = state
    return before


def correct_ratings(match: Match, *, ruling: str = "") -> list[str]:
    """Correct the rating log to the match's present result; return the games corrected, by their source.

    A game on paper enters the log here, once, when its paper counts; a game at a table did so when it ended.
    """
    return _correct_ratings(match, versions_of(match), effects_of(match), ruling)


def _correct_ratings(
    match: Match, versions: Sequence[Version], effects: Sequence[PlainEffect], ruling: str
) -> list[str]:
    for game in played_on_paper(match, versions, effects):
        ratings.log_played(
            rules=match.competition.rules,
            source=game.source,
            completed_at=game.completed_at,
            sides=game.sides,
            ranks=game.ranks,
            reason=game.reason,
        )
    return _revise(corrections_of(match, versions, effects), ruling)


def _revise(corrections: Sequence[Correction], ruling: str) -> list[str]:
    made = []
    for correction in corrections:
        ratings.revise(
            ladder=Ladder.objects.get(key=correction.ladder),
            source=correction.source,
            kind=correction.kind,
            ranks=correction.ranks,
            rated=correction.rated,
            reason=correction.reason,
            ruling=ruling,
        )
        made.append(correction.source)
    return made


def later_matches(match: Match) -> list[Match]:
    """Return the matches of the bracket that this one leads to, locked, in the order of their numbers."""
    edges = BracketEdge.objects.filter(from_match=match).order_by("to_no")
    return _locked(match, [edge.to_match_id for edge in edges])


def fed_matches(match: Match) -> list[Match]:
    """Return the matches of a bracket whose seats belong to ranks of this match's stage, locked, once all its groups
    are over.

    Not before: the seats of a group that ends early are filled when the last one does.
    """
    stage = match.round.group.stage
    seats = StageInput.objects.filter(source_group__stage=stage, match__isnull=False).order_by("slot")
    ids = list(dict.fromkeys(pk for pk in seats.values_list("match", flat=True) if pk is not None))
    return _locked(match, ids) if ids and _is_over(stage) else []


def _is_over(stage: Stage) -> bool:
    return groups_are_over(stage.groups.select_related("stage"))


def _locked(match: Match, ids: Sequence[int]) -> list[Match]:
    rows = Match.objects.select_for_update(of=("self",), no_key=True).select_related("round__group__stage", "table")
    found = {row.pk: row for row in rows.filter(pk__in=ids)}
    for row in found.values():
        row.competition = match.competition
    return [found[pk] for pk in ids]


def walk_over(match: Match) -> None:
    """Award a match that cannot be played, or open it again when it can be after all.

    A seat is empty for good when its entry has withdrawn or was disqualified, or when the match before brings nobody. One
    side left: it wins. None left: nobody does. A match that people or the engine have decided stays as it is.
    """
    seats = list(Side.objects.filter(match=match, kind=Side.Kind.SEAT).select_related("entry").order_by("position"))
    present = [seat.position for seat in seats if seat.entry is not None and seat.entry.state not in OUT]
    empty = [seat for seat in seats if seat.position not in present and _is_final(seat)]
    standing = by_rules(match)
    certain = len(empty) + len(present) == match.sides
    reopened = False
    if standing is not None and standing.fact != "void":
        if empty and certain and effective_of(match).winner == _heir(present):
            for target in later_matches(match):  # the same position wins, but perhaps another entry sits there now
                walk_over(target)
            return
        append(match, fact="reopened", source=ResultVersion.Source.RULES, revokes=standing)
        match.state = S.READY
        reopened = True
    elif standing is not None or match.state not in UNPLAYED_STATES:
        return
    if empty and certain:
        close_table(match)
        append(
            match,
            fact=_fact([seat.entry for seat in empty], len(present)),
            lines=decision(_heir(present), match.sides),
            source=ResultVersion.Source.RULES,
        )
        propagate(match)
    elif reopened:
        propagate(match)


def close_table(match: Match) -> None:
    """Close the table of a match that will not be played there, unless its game is over."""
    if match.table is not None and match.table.state in (Table.State.OPEN, Table.State.PLAYING):
        tables.close(match.table)


def _heir(present: list[int | None]) -> int | None:
    return present[0] if len(present) == 1 else None


def _fact(gone: list[Entry | None], present: int) -> str:
    """Return the fact of an award by the rules: why the side is gone; a forfeit if the match before sent nobody."""
    if present != 1:
        return "double_forfeit"
    states = {entry.state for entry in gone if entry is not None}
    if Entry.State.DISQUALIFIED in states:
        return "disqualification"
    return "withdrawal" if states else "forfeit"


def _is_final(seat: Side) -> bool:
    """Return whether the seat is empty for good: no entry that still plays can take it any more."""
    if seat.entry is not None:
        return seat.entry.state in OUT
    edge = (
        BracketEdge.objects.filter(to_match=seat.match_id, to_position=seat.position or 0)
        .select_related("from_match")
        .first()
    )
    if edge is None:
        return _is_left_empty(seat)
    if edge.from_match.state not in (S.CONFIRMED, S.AWARDED):
        return False
    result = advancing_of(edge.from_match)
    if result.state != "decided":
        return False
    before = list(edge.from_match.side_rows.filter(kind=Side.Kind.SEAT).select_related("entry").order_by("position"))
    comes = sent_on(result, edge.outcome, [side.entry for side in before])
    return comes is None or comes.state in OUT


def _is_left_empty(seat: Side) -> bool:
    """Return whether the groups that feed this seat's bracket are over and have nobody left for it."""
    row = (
        StageInput.objects.filter(match=seat.match_id or 0, position=seat.position or 0, source_group__isnull=False)
        .select_related("source_group__stage")
        .first()
    )
    if row is None or row.source_group is None or not _is_over(row.source_group.stage):
        return False
    return tie_in(row.source_group.stage) is None


def state_of(match: Match, effective: Effective) -> str:
    """Return the match's state for the result; while the result is open, the state of its preparation."""
    if effective.state == "decided":
        unplayed = effective.fact not in ("played", "adjudicated", "forfeit")
        return S.AWARDED if unplayed else S.CONFIRMED
    if effective.state == "void":
        return S.VOID
    written = papers.state_of(match)
    if written:
        return written
    if Side.objects.filter(match=match, kind=Side.Kind.SEAT, entry__isnull=True).exists():
        return S.WAITING
    table = match.table
    if any(effective.score) and match.starts_at is not None and table is not None:
        return S.LIVE
    if match.starts_at is None:
        return S.READY
    if table is None:
        is_called = match.competition.is_planned or match.starts_at <= clock.now()
        return S.CALLED if match.is_on_board and is_called else S.SCHEDULED
    if table.state == Table.State.PLAYING:
        return S.LIVE
    return S.CALLED if table.state in (Table.State.OPEN, Table.State.CLOSED) else S.SCHEDULED
