"""Pairing a round from the results of those before: what the engine is given, its check by the verifier, what is written."""

from collections.abc import Mapping, Sequence
from typing import Any

from tock_league.accounts.permissions import Person
from tock_league.common import clock
from tock_league.common.errors import Broken

from ...core import registry
from ...core.contenders import pair_of
from ...core.format import History, Over, Pair, Pairing, RoundPlan
from ...core.lots import round_seed
from ...core.plan import TournamentPlan
from ...core.scoring import MatchResult
from ...models import Competition, Entry, Group, Match, Meeting, PairingRun, PairingWish, Round, Side, StageInput
from ...selectors.rankings.ranking import missed_rounds, result_of, seated, with_sides
from ...selectors.results.effective import effective_of
from ...selectors.rounds.wishes import asked_of, in_force
from ...verifier import checks
from ..shared import telling
from ..shared.journal import note
from .match_rows import write_matches


def history_of(competition: Competition, group: Group, relaxed: Sequence[Pair] = ()) -> History:
    """Return the input for the pairing of the group's next round."""
    stage = group.stage
    inputs = StageInput.objects.filter(stage=stage).select_related("entry__team").order_by("slot")
    entries = [row.entry for row in inputs if row.entry is not None]
    rounds = [_plan_of(row) for row in Round.objects.filter(group=group).order_by("number")]
    results: list[MatchResult] = []
    void: list[tuple[int, int, int]] = []
    for match in with_sides(Match.objects.filter(round__group=group)):
        sides = seated(match)
        result = result_of(match, sides, effective_of(match))
        if result is not None and result.fact == "void":
            low, high = sorted(entry for entry in sides if entry is not None)
            void.append((match.round.number, low, high))
        elif result is not None:
            results.append(result)
    results += missed_rounds(group)
    present = [entry.pk for entry in entries if entry.state == Entry.State.PLAYING]
    wished = asked_of(in_force(competition), present)
    met = {pair_of(*pairing.sides) for made in rounds for pairing in made.pairings}
    return History(
        entries=tuple(entry.pk for entry in entries),
        options=registry.options_of(stage.format, stage.options),
        rounds=tuple(rounds),
        results=tuple(results),
        present=tuple(present),
        names={entry.pk: entry.slug for entry in entries},
        clubs={
            entry.pk: entry.team.club_id
            for entry in entries
            if entry.team is not None and entry.team.club_id is not None
        },
        forbidden=wished.forbidden,
        discouraged=wished.discouraged,
        relaxed=tuple(sorted({*met.intersection(wished.relaxed), *((min(pair), max(pair)) for pair in relaxed)})),
        void=tuple(void),
    )


def pair_round(competition: Competition, group: Group, *, by: Person, relaxed: Sequence[Pair] = ()) -> Round | None:
    """Pair, check and publish the group's next round; None when all are made.

    The caller holds the competition's row. Raises FormatError when it cannot be paired, Broken when the verifier, which
    shares no code with the engine, finds fault. A format without certificates leaves no PairingRun.
    """
    stage = group.stage
    history = history_of(competition, group, relaxed)
    number = len(history.rounds) + 1
    seed = round_seed(competition.lots_seed, stage.ordinal, number)
    made = registry.format_of(stage.format).next_round(history, seed)
    if isinstance(made, Over):
        return None
    row = Round.objects.create(group=group, number=made.number, exclusive=True)
    best_of = TournamentPlan.read(competition.plan).games("group")
    matches = write_matches(competition, row, made, best_of=best_of)
    for match in matches:
        match.state = Match.State.READY
        match.save(update_fields=["state"])
    _meetings(row, made)
    inputs_hash = _publish(competition, row, made.certificate, seed) if made.certificate is not None else ""
    _follow_wishes(row, made)
    names = history.names
    note(
        competition,
        "round.published",
        by,
        stage=stage.ordinal,
        round=row.number,
        seed=seed,
        inputs_hash=inputs_hash,
        pairs=[[names[entry] for entry in pairing.sides] for pairing in made.pairings],
        byes=[names[entry] for entry in made.byes],
        relaxed=[[names[entry] for entry in pair] for pair in history.relaxed],
    )
    telling.fact("round.published", competition, subject=f"{stage.ordinal}:{group.ordinal}:{row.number}")
    return row


def _follow_wishes(row: Round, made: RoundPlan) -> None:
    """Note that the round has paired the teams that the organisers wished against each other."""
    paired = {pair_of(pairing.sides[0], pairing.sides[1]) for pairing in made.pairings}
    for wish in in_force(row.group.stage.competition):
        if wish.kind == PairingWish.Kind.TOGETHER and (wish.low_id, wish.high_id) in paired:
            PairingWish.objects.filter(pk=wish.pk).update(round=row, ended_at=clock.now())


def _publish(competition: Competition, row: Round, given: Mapping[str, Any], seed: str) -> str:
    """Check the round by its certificate and keep it; return the hash of its inputs. Raises Broken."""
    certificate, written = dict(given), _plan_of(row)
    pairs = [(pairing.sides[0], pairing.sides[1]) for pairing in written.pairings]
    faults = checks.check(row.group.stage.format, certificate, pairs=pairs, byes=list(written.byes))
    if faults:
        raise Broken(f"the verifier refuses round {row.number} of {competition.slug}: {faults}")
    run = PairingRun.objects.create(
        round=row,
        state=PairingRun.State.PUBLISHED,
        engine=row.group.stage.format,
        seed=seed,
        inputs=certificate["inputs"],
        inputs_hash=certificate["inputs_hash"],
        certificate=certificate,
        published_at=clock.now(),
    )
    return run.inputs_hash


def _plan_of(row: Round) -> RoundPlan:
    """Return a round as it is written."""
    seats: dict[int, list[int]] = {}
    kinds: dict[str, list[int]] = {}
    sides = Side.objects.filter(round=row, entry__isnull=False).order_by("match__number", "position", "pk")
    for side in sides:
        assert side.entry_id is not None
        if side.match_id is not None:
            seats.setdefault(side.match_id, []).append(side.entry_id)
        else:
            kinds.setdefault(side.kind, []).append(side.entry_id)
    return RoundPlan(
        row.number,
        tuple(Pairing(tuple(entries)) for entries in seats.values()),
        byes=tuple(kinds.get(Side.Kind.PAIRING_BYE, ())),
        absent=(*kinds.get(Side.Kind.ABSENCE, ()), *kinds.get(Side.Kind.REQUESTED_BYE, ())),
    )


def _meetings(row: Round, made: RoundPlan) -> None:
    """Record the meetings; an accepted rematch is the next leg."""
    stage = row.group.stage
    for pairing in made.pairings:
        low, high = sorted(pairing.sides)
        leg = Meeting.objects.filter(stage=stage, low_id=low, high_id=high).count() + 1
        Meeting.objects.create(stage=stage, leg=leg, low_id=low, high_id=high, round=row)


def waive_meeting(match: Match, fact: str, unplayed: bool) -> None:
    """Note whether the meeting of a match counts: an unplayed one lets the two be paired again."""
    entries = sorted(Side.objects.filter(match=match, entry__isnull=False).values_list("entry_id", flat=True))
    if len(entries) == 2:
        Meeting.objects.filter(round_id=match.round_id, low_id=entries[0], high_id=entries[1]).update(
            waiver=fact if unplayed else ""
        )
