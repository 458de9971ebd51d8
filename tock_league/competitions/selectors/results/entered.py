"""The statement of people that a result rests on: a paper, a match decided without play, or a correction by the desk."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Q

from tock_league.accounts.models import Player

from ...core.effective import PlainEffect, Version, ledger_of
from ...models import Correction, Match, ResultEffect, ResultSignature, ResultVersion
from ...models.correction import PREFIX
from ..changes.previews import result_words
from .corrections import DECIDED
from .effective import effects_of, plain_effect, resolved, versions_of

VERSION = "v"  # of the ref of a version
NOT_PEOPLE = (ResultVersion.Source.ENGINE, ResultVersion.Source.RULES)


@dataclass(frozen=True)
class Entered:
    """A result that people entered."""

    ref: str  # "v3" for the third version of the match's result, "C-7" for the competition's seventh correction
    how: str  # paper, award (decided without play) or correction
    at: datetime  # since when it is the result
    by: Player | None
    tied: bool  # whether `by` belonged to the club of one side only


def entered(match: Match) -> Entered | None:
    """Return what people entered as the result that stands.

    None for an undecided match, for one that a ruling, the games at a table or the rules (a team that left) have decided.
    Eight queries at most.
    """
    if match.state not in DECIDED:
        return None
    ledger = ledger_of(versions_of(match), effects_of(match), sides=match.sides, best_of=match.best_of)
    slots = [ledger.whole] if ledger.whole is not None else list(ledger.games.values())
    if any(slot.ruled for slot in slots):
        return None
    versions = {slot.version for slot in slots if slot.version}
    effects = {slot.effect for slot in slots if slot.effect}
    if effects:
        return _corrected(match, max(effects))
    rows = list(
        ResultVersion.objects.filter(match=match, version__in=versions).select_related("by").order_by("version")
    )
    if not rows or any(row.source in NOT_PEOPLE for row in rows):
        return None
    last = rows[-1]
    signed = ResultSignature.objects.filter(result=last).aggregate(at=Max("at"))["at"]
    # A correction that was taken back has made the earlier statement the result again.
    again = Correction.objects.filter(match=match, kind=Correction.Kind.REVERT).aggregate(at=Max("at"))["at"]
    return Entered(
        ref=f"{VERSION}{last.version}",
        how="paper" if last.sheet is not None else "award",
        at=max(at for at in (last.recorded_at, signed, again) if at is not None),
        by=last.by,
        tied=last.tied,
    )


def by_ref(match: Match, ref: str) -> Entered | None:
    """Return the statement of that ref, also when another result stands now; None for none. Two queries."""
    if ref.startswith(PREFIX):
        return _of_correction(match, ref)
    number = ref.removeprefix(VERSION)
    rows = ResultVersion.objects.filter(match=match, version=int(number)) if number.isdecimal() else ()
    for row in rows:
        return Entered(ref, "paper" if row.sheet is not None else "award", row.recorded_at, row.by, row.tied)
    return None


def people_behind(statements: Collection[tuple[int, str]]) -> dict[tuple[int, str], frozenset[int]]:
    """Return the ids of those who entered or signed each statement, (match, its ref); empty sets for none.

    Three queries at most, however many statements.
    """
    found: dict[tuple[int, str], set[int]] = {statement: set() for statement in statements}
    matches = {match for match, _ref in found}
    rows: list[tuple[int, str, int | None]] = []
    if any(ref.startswith(VERSION) for _match, ref in found):
        versions = ResultVersion.objects.filter(match__in=matches).values_list("match", "version", "by")
        signed = ResultSignature.objects.filter(result__match__in=matches)
        signers = signed.values_list("result__match", "result__version", "signer")
        rows += [(match, f"{VERSION}{number}", person) for match, number, person in [*versions, *signers]]
    if any(ref.startswith(PREFIX) for _match, ref in found):
        made = Correction.objects.filter(Q(match__in=matches) | Q(other__in=matches))
        for one, other, number, author in made.values_list("match", "other", "number", "by"):
            rows += [(side, f"{PREFIX}{number}", author) for side in (one, other) if side is not None]
    for match, ref, entered_by in rows:
        if (match, ref) in found and entered_by is not None:
            found[match, ref].add(entered_by)
    return {statement: frozenset(people) for statement, people in found.items()}


def _corrected(match: Match, effect: int) -> Entered | None:
    ref = ResultEffect.objects.filter(pk=effect).values_list("ruling", flat=True).first() or ""
    return _of_correction(match, ref)


def _of_correction(match: Match, ref: str) -> Entered | None:
    number = ref.removeprefix(PREFIX)
    if not number.isdecimal():
        return None
    found = Correction.objects.filter(competition=match.competition_id, number=int(number)).select_related("by").first()
    return Entered(ref, "correction", found.at, found.by, found.tied) if found is not None else None


def said_by(match: Match, ref: str) -> str:
    """Return in words the result that the statement `ref` of the match says by itself, "" for one that is not there."""
    versions: list[Version] = []
    effects: list[PlainEffect] = []
    if ref.startswith(PREFIX):
        rows = ResultEffect.objects.filter(competition=match.competition_id, ruling=ref, match=match)
        effects = [plain_effect(row) for row in rows.select_related("match")]
    else:
        versions = [one for one in versions_of(match) if f"{VERSION}{one.number}" == ref]
    if not versions and not effects:
        return ""
    sides = match.side_rows.filter(position__isnull=False).select_related("entry__team", "entry__player")
    names = [str(side.entry or "—") for side in sides.order_by("position")]
    return result_words(resolved(match, versions, effects), names)
