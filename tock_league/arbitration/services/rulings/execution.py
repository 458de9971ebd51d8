"""Executes a decision in one transaction: acts at the table, effects on results, and their rows.

A preview executes the decision too, in a transaction that is rolled back, so it shows exactly what the signature does.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from games.services import referee as tables
from tock_league.accounts.minors import is_minor
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.common.transactions import rolled_back, writing
from tock_league.competitions.models import Entry, ResultEffect
from tock_league.competitions.services.changes.previews import Watch, check
from tock_league.competitions.services.entries import returning, withdrawals
from tock_league.competitions.services.results import rulings as results
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.shared.telling import fact

from ...core import cases, effects
from ...core.effects import PlannedEffect
from ...core.penalties import CONDUCT, PenaltyTable
from ...models import Case, Effect, Ruling
from ..cases import events
from .assessment import RulingPreview, Weighed, root_of, seen


@dataclass(frozen=True)
class Signed:
    """The rows written: the ruling and, per effect, the row of the game's record or of the results."""

    ruling: Ruling
    effects: tuple[Effect, ...]


@dataclass(frozen=True)
class Signer:
    """Who signs, and in which capacity."""

    by: Player
    type: str  # of the case's event: "ruled" or "appeal_ruled"
    role: str
    head: bool
    level: int = 1
    dissent: str = ""  # the minority's notes on an appeal
    author: Player | None = None  # who signed first, where `by` signs second


def rehearse(
    case: Case, weighed: Weighed, signer: Signer, *, quashed: Ruling | None = None, ratings: bool = True
) -> RulingPreview:
    """Return what signing the weighed decision now would change; it is carried out and rolled back.

    `ratings`: also which ratings, which do not change the digest. The rows of competition, match, game and case are locked
    by the caller.
    """
    with rolled_back(), clock.held():
        watch = Watch(case.competition)
        _execute(case, weighed, signer, digest="", quashed=quashed)
        preview = seen(case, weighed, watch.preview(ratings=ratings))
    return preview


def carry_out(case: Case, weighed: Weighed, signer: Signer, *, digest: str, quashed: Ruling | None = None) -> Signed:
    """Sign the weighed decision; the rows of competition, match, game and case are locked by the caller.

    `digest`: of the preview that the signer has seen. Raises Conflict `preview_moved` when signing changes anything else;
    then nothing is written.
    """
    with writing(), clock.held():
        watch = Watch(case.competition)
        signed = _execute(case, weighed, signer, digest=digest, quashed=quashed)
        check(seen(case, weighed, watch.preview(ratings=False)).digest, digest)
        return signed


def _execute(case: Case, weighed: Weighed, signer: Signer, *, digest: str, quashed: Ruling | None) -> Signed:
    """Write everything: the table, the results, then the case's event with its journal entry and the rows that refer to
    both."""
    number = case.rulings.count() + 1
    ref = f"{case.number}/{number}"
    seat = weighed.ground.scene.seat_of.get(weighed.decision.offender or 0)
    acts = [_act(case, effect, f"{ref}/{index}", seat) for index, effect in enumerate(weighed.preview.planned, start=1)]
    over = any(effect.type == "table_forfeit" for effect in weighed.preview.planned)
    if case.live and case.game_id is not None and not over:
        tables.resume(game_id=case.game_id, ref=f"{ref}/resume")
    _reinstate(quashed)
    result_rows = _results(case, weighed, ref)
    for effect in weighed.preview.planned:
        if effect.type == "exclusion":
            entry = Entry.objects.get(pk=int(effect.target.removeprefix("entry:")))
            withdrawals.disqualify(by=SITE, entry=entry, reason=ref)
    if over and case.game_id is not None:
        settlement.settle(game_id=case.game_id)  # a game that the ruling ended: its result belongs to the ruling
    ruling = _ruling(case, weighed, number, signer, digest, quashed)
    if quashed is not None:
        Effect.objects.filter(ruling=quashed, lifted_by__isnull=True).update(lifted_by=ruling)
    rows = _effects(case, ruling, weighed.preview.planned, acts, result_rows)
    fact("ruling.published", case.competition, match=case.match.slug, subject=case.number)
    return Signed(ruling, rows)


def _reinstate(quashed: Ruling | None) -> None:
    """Lift the exclusion of a quashed ruling."""
    if quashed is None:
        return
    for effect in quashed.effects.filter(type="exclusion", lifted_by__isnull=True):
        entry = Entry.objects.get(pk=int(effect.target.removeprefix("entry:")))
        returning.reinstate(by=SITE, entry=entry, reason=quashed.ref)


def confirm(case: Case, ruling: Ruling, *, by: Player, reasons: str, dissent: str, digest: str) -> Ruling:
    """Sign a panel's decision that `ruling` stays in force."""
    number = case.rulings.count() + 1
    body = {"ruling": number, "outcome": ruling.outcome, "upheld": True, "reasons": _sha(reasons)}
    event = events.append(case, "appeal_ruled", by=by, role="panel", body=body)
    return Ruling.objects.create(
        case=case,
        number=number,
        level=2,
        author=by,
        as_head=False,
        confirms=ruling,
        outcome=ruling.outcome,
        table_version=ruling.table_version,
        row=ruling.row,
        step=ruling.step,
        offender=ruling.offender,
        penalty=ruling.penalty,
        standard=ruling.standard,
        deviation_reason=ruling.deviation_reason,
        rules=ruling.rules,
        facts=ruling.facts,
        reasons=reasons,
        dissent=dissent,
        decision=ruling.decision,
        day=ruling.day,
        preview_digest=digest,
        signed_at=clock.now(),
        event=event,
    )


def _act(case: Case, effect: PlannedEffect, ref: str, offender: int | None) -> int | None:
    """Execute one effect at the table; return its row in the record, None for effects elsewhere.

    `offender`: the seat of the player found against; a warning given while the table waits is shown there.
    """
    if not case.live or case.game_id is None:
        return None
    game = case.game_id
    if effect.type in ("caution", "warning") and offender is not None:
        return tables.warn(game_id=game, seat=offender, ref=ref).seq
    if effect.type not in effects.TABLE:
        return None
    seat = int(effect.target.removeprefix("seat:")) if effect.target.startswith("seat:") else 0
    match effect.type:
        case "blind_burn":
            return tables.penalise(game_id=game, seat=seat, at=case.seq, ref=ref).seq
        case "touch":
            return tables.touch(game_id=game, seat=seat, card=effect.card, marble=effect.marble, ref=ref).seq
        case "rewind":
            return tables.rewind(game_id=game, to=effect.amount, ref=ref).seq
        case "clock":
            return tables.adjust(game_id=game, seat=seat, ms=effect.amount, ref=ref).seq
    return tables.forfeit(game_id=game, team=effect.position or 0, ref=ref).seq


def _results(case: Case, weighed: Weighed, ref: str) -> list[ResultEffect]:
    """Write the effects on results; return their rows in the order of the plans."""
    if not weighed.plans and not weighed.lifts:
        return []
    results.apply(competition=case.competition, ruling=ref, effects=weighed.plans, lifts=weighed.lifts)
    return list(ResultEffect.objects.filter(competition=case.competition, ruling=ref, derived=False).order_by("number"))


def _told(case: Case, row: str, table: PenaltyTable, offender: Player | None) -> str:
    """Return how the public journal names the offender: by the public id, a minor found against for conduct not at all."""
    if offender is None:
        return ""
    conduct = bool(row) and table.row(row).family == CONDUCT
    return "minor" if conduct and is_minor(offender, case.filed_at) else offender.slug


def _ruling(case: Case, weighed: Weighed, number: int, signer: Signer, digest: str, quashed: Ruling | None) -> Ruling:
    decision, preview, ground = weighed.decision, weighed.preview, weighed.ground
    offender = Player.objects.filter(pk=decision.offender).first() if decision.offender is not None else None
    body = {
        "ruling": number,
        "outcome": decision.outcome,
        "table": ground.table.version,
        "row": decision.row,
        "step": preview.step,
        "penalty": preview.penalty,
        "standard": preview.standard,
        "offender": _told(case, decision.row, ground.table, offender),
        "head": signer.head,
        "signed_first": signer.author.slug if signer.author is not None else "",
        "supersedes": quashed.ref if quashed is not None else "",
        "effects": [effect.type for effect in preview.planned],
        "decision": decision.digest(),
        "preview": digest,
        "facts": _sha(decision.facts),
        "reasons": _sha(decision.reasons),
    }
    event = events.append(case, signer.type, by=signer.by, role=signer.role, body=body)
    return Ruling.objects.create(
        case=case,
        number=number,
        level=signer.level,
        author=signer.author or signer.by,
        second=signer.by if signer.author is not None else None,
        as_head=signer.head,
        supersedes=quashed,
        outcome=decision.outcome,
        table_version=ground.table.version,
        row=decision.row,
        step=preview.step,
        offender=offender,
        penalty=preview.penalty,
        standard=preview.standard,
        deviation_reason=decision.deviation_reason,
        rules=list(decision.rules),
        facts=decision.facts,
        reasons=decision.reasons,
        dissent=signer.dissent,
        decision=decision.body(),
        day=ground.day,
        preview_digest=digest,
        signed_at=clock.now(),
        event=event,
    )


def _effects(
    case: Case,
    ruling: Ruling,
    planned: Sequence[PlannedEffect],
    acts: Sequence[int | None],
    result_rows: Sequence[ResultEffect],
) -> tuple[Effect, ...]:
    rows, waiting, now = [], list(result_rows), clock.now()
    for number, (effect, act) in enumerate(zip(planned, acts, strict=True), start=1):
        rows.append(
            Effect(
                ruling=ruling,
                number=number,
                type=effect.type,
                target=effect.target,
                root=root_of(case),
                amount=effect.amount,
                position=effect.position,
                game_number=effect.game_number,
                from_at=now,
                until=now + timedelta(days=effect.days) if effect.days else None,
                act_seq=act,
                result_effect=waiting.pop(0) if effect.type in effects.RESULT else None,
            )
        )
    Effect.objects.bulk_create(rows)
    return tuple(rows)


def supersede(case: Case, *, by: Player, ref: str) -> None:
    """Record in a reviewed case that `ref` supersedes its ruling."""
    if case.state in cases.OPEN | {"final"}:
        events.append(case, "superseded", by=by, role="referee", body={"by": ref})


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
