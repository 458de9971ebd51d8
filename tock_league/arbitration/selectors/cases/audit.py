"""The invariants of arbitration (I1, I3 to I10), recomputed from the rows. Source: docs/arbitration.md, "Checks"."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from django.db.models import Count

from tock_league.competitions.models import EffectLift

from ...core import cases, keys, penalties
from ...core.penalties import HEAD_ONLY, NONE
from ...models import Case, CaseCounter, CaseEvent, Effect, Lease, Recusal, Ruling
from ..referees.conflicts import players_of
from ..rulings.book import publishable
from ..rulings.context import game_running
from .audit_people import people


@dataclass(frozen=True)
class Report:
    """How much was checked, and the faults found: one sentence a fault, beginning with the invariant."""

    cases: int
    events: int
    rulings: int
    effects: int
    faults: tuple[str, ...]


def audit() -> Report:
    """Return the faults of all cases; empty when every invariant holds."""
    faults = [
        *_numbers(),
        *(fault for case in Case.objects.order_by("pk").iterator() for fault in _case(case)),
        *_effects(),
        *_leases(),
        *(fault for ruling in _all_rulings() for fault in _ruling(ruling)),
        *_book(),
        *people(),
    ]
    return Report(
        Case.objects.count(), CaseEvent.objects.count(), Ruling.objects.count(), Effect.objects.count(), tuple(faults)
    )


def _numbers() -> Iterator[str]:
    """Check that the numbers of each year run from 1 without a gap."""
    found = sorted(Case.objects.values_list("number", flat=True))
    for counter in CaseCounter.objects.all():
        wanted = [f"TL-{counter.year}-{number:06d}" for number in range(1, counter.last + 1)]
        have = [number for number in found if number.startswith(f"TL-{counter.year}-")]
        if have != wanted:
            yield f"numbers of {counter.year}: {len(have)} cases, the counter says {counter.last}"


def _case(case: Case) -> Iterator[str]:
    """Check I1 (the state is the fold of the events), I10 (recorded time never decreases) and the journal entries."""
    events = list(case.events.select_related("entry").order_by("seq"))
    if [event.seq for event in events] != list(range(1, len(events) + 1)):
        yield f"I1 {case}: the events are not numbered from 1"
    try:
        state = cases.state_after(cases.Event(event.type, event.actor_id or 0) for event in events)
    except cases.Impossible as error:
        yield f"I1 {case}: {error}"
    else:
        if (state.state, state.heard) != (case.state, case.heard):
            yield f"I1 {case}: is {case.state}, its events say {state.state}"
    if any(later.at < earlier.at for earlier, later in pairwise(events)):
        yield f"I10 {case}: an event was recorded before the one it follows"
    for event in events:
        if event.entry.stream != f"competition:{case.competition.slug}":
            yield f"I2 {case}: event {event.seq} is in the journal of another competition"


def _all_rulings() -> Iterator[Ruling]:
    rows = Ruling.objects.select_related("case__match", "author", "supersedes__case", "superseded_by")
    yield from rows.order_by("pk").iterator()


def _ruling(ruling: Ruling) -> Iterator[str]:
    """Check I6 (only permitted referees sign, two where two must) and I9 (penalties cite a row, deviations a reason)."""
    case = ruling.case
    if any(ruling.author_id in side for side in players_of(case.match)):
        yield f"I6 {ruling}: signed by a player of the match"
    if Recusal.objects.filter(case=case, person=ruling.author_id, declared=True, at__lte=ruling.signed_at).exists():
        yield f"I6 {ruling}: signed by somebody who had stepped aside"
    first = ruling.supersedes or ruling.confirms
    if ruling.level == 2 and first is not None and first.author_id == ruling.author_id:
        yield f"I6 {ruling}: signed by the author of the ruling under appeal"
    if ruling.second_id == ruling.author_id or (ruling.second_id is None and _needs_two(ruling)):
        yield f"I6 {ruling}: signed by one person only"
    if ruling.penalty == NONE:
        return
    try:
        step = penalties.by_version(ruling.table_version).row(ruling.row).steps[ruling.step - 1]
    except (KeyError, IndexError):
        yield f"I9 {ruling}: cites row {ruling.row} {ruling.step} of {ruling.table_version}, which is not there"
        return
    if step.penalty != ruling.standard:
        yield f"I9 {ruling}: the standard is {step.penalty}, not {ruling.standard}"
    if not step.allows(ruling.penalty) and not (ruling.deviation_reason and (ruling.as_head or ruling.level == 2)):
        yield f"I9 {ruling}: deviates without reason or head referee"
    if ruling.penalty in HEAD_ONLY and not (ruling.as_head or ruling.level == 2):
        yield f"I9 {ruling}: {ruling.penalty} without a head referee"


def _needs_two(ruling: Ruling) -> bool:
    """Return whether a second referee had to sign; the rulings of a time when nobody had to name no `about`."""
    if ruling.level == 2 or "about" not in ruling.decision:
        return False
    if ruling.outcome != Ruling.Outcome.UPHELD:
        return keys.protected({ruling.case.kind}, ruling.decision["about"])
    return ruling.penalty in keys.EXPELS or not penalties.at_least(ruling.standard, ruling.penalty)


def _effects() -> Iterator[str]:
    """Check I3 (an effect in force belongs to a ruling in force) and I4 (a result effect is lifted with its cause)."""
    for effect in Effect.objects.select_related("ruling__case", "ruling__superseded_by", "result_effect__lift"):
        quashed = hasattr(effect.ruling, "superseded_by")
        if quashed != (effect.lifted_by_id is not None):
            yield f"I3 {effect.ref}: in force differs from its ruling"
        if effect.result_effect is not None:
            lifted = EffectLift.objects.filter(effect=effect.result_effect).exists()
            if lifted != quashed:
                yield f"I4 {effect.ref}: its effect on the result is {'lifted' if lifted else 'in force'}"
    keys = Effect.objects.filter(lifted_by__isnull=True).values_list("type", "target", "root")
    for key, count in Counter(keys).items():
        if count > 1:
            yield f"I4 {key}: {count} times in force"


def _leases() -> Iterator[str]:
    """Check I7: a case has at most one open lease."""
    twice = Lease.objects.filter(ended_at__isnull=True).values("case").annotate(n=Count("pk")).filter(n__gt=1)
    for row in twice:
        yield f"I7 case {row['case']}: {row['n']} leases at once"


def _book() -> Iterator[str]:
    """Check I8: the ruling book holds nothing of a running game."""
    for case in publishable():
        if game_running(case):
            yield f"I8 {case}: published while its game goes on"
