"""Corrections of results by the desk: a wrong score on paper, a team that did come, a result of another match.

A correction writes effects as a ruling does (services.results.rulings), so the bracket, the standings and the ratings
follow in the same way, and taking it back restores everything. What happens to later matches of a bracket that have
begun is said by the regulations (core.corrections). See docs/tournaments.md, "Corrections".
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, label, require
from tock_league.common import bus, clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked
from tock_league.journal.services import record, stream_of

from ...announcements import ResultCorrecting
from ...core.corrections import REPLAY
from ...core.effective import Effective, EffectPlan
from ...models import Correction, Match
from ...permissions import of_one_club_only
from ...selectors.changes.consequences import plain
from ...selectors.changes.previews import Preview
from ...selectors.results.corrections import (
    effects_of_correction,
    in_force,
    obstacle,
    obstacle_to_taking_back,
)
from ...selectors.results.effective import effective_of, effects_of, plain_effect, resolved, versions_of
from ...selectors.results.paper import counting_sheet
from ..changes.previews import as_seen, preview_of
from ..shared import telling
from ..shared.journal import name_of
from ..shared.locking import lock_match
from . import rulings
from .paper import Game, checked_sheet, may_have_played

K = Correction.Kind
Sheet = Sequence[Sequence[int | None]]


@dataclass(frozen=True)
class Right:
    """What the desk says is right."""

    kind: str  # Correction.Kind, but not `revert`
    games: tuple[Game, ...] = ()  # of `paper`
    absent: int | None = None  # of `no_show`: the position that did not come; None for both
    other: Match | None = None  # of `move`: the match that the result belongs to


def correct(*, by: Person, match: Match, right: Right, reason: str, digest: str) -> Correction:
    """Correct the result of `match`; `digest`: of the preview that the person has seen. The reason is public.

    A correction to what stood before the last one takes that one back, and so restores what had followed from it.
    Raises NotAllowed; Conflict: `preview_moved`, `same_result`, `other_match` and those of `corrections.obstacle`;
    Refused on `games`, `absent`, `other` and `reason`.
    """
    return as_seen(match.competition, digest, lambda: _correct(by, match, right, reason, digest))


def preview(*, by: Person, match: Match, right: Right) -> Preview:
    """Return what the correction would change. Raises what `correct` raises, except for the digest and the reason."""
    return preview_of(match.competition, lambda: _correct(by, match, right, "–", ""))


def take_back(*, by: Person, correction: Correction, reason: str, digest: str) -> Correction:
    """Take a correction back: everything is again as it was. Raises as `correct`; Conflict `taken_back`."""
    return as_seen(correction.competition, digest, lambda: _take_back(by, correction, reason, digest))


def preview_taking_back(*, by: Person, correction: Correction) -> Preview:
    """Return what taking the correction back would change. Raises what `take_back` raises."""
    return preview_of(correction.competition, lambda: _take_back(by, correction, "–", ""))


def _correct(by: Person, match: Match, right: Right, reason: str, digest: str) -> Correction:
    with writing():
        match = _open(by, match, reason)
        other = _other(by, match, right)
        plans = _plans(match, right, other)
        last = in_force(match)
        if last is not None and right.kind != K.MOVE and _restores(match, last, plans):
            return _write(by, match, K.REVERT, reason, digest, reverts=last)
        if right.kind != K.MOVE and _same(match, plans):
            raise Conflict("same_result", _("This is the result that stands already."))
        return _write(by, match, right.kind, reason, digest, other=other, plans=plans)


def _take_back(by: Person, correction: Correction, reason: str, digest: str) -> Correction:
    with writing():
        match = _held(by, correction.match, reason)
        known = Correction.objects.select_related("competition__regulations", "match__competition").get(
            pk=correction.pk
        )
        refused = obstacle_to_taking_back(known)
        if refused is not None:
            raise refused
        for one in (match, known.other):
            if one is not None:
                bus.publish(ResultCorrecting(match_id=one.pk))
        return _write(by, match, K.REVERT, reason, digest, reverts=known)


def _open(by: Person, match: Match, reason: str) -> Match:
    """Return the locked match, whose result `by` may correct now."""
    match = _held(by, match, reason)
    refused = obstacle(match)
    if refused is not None:
        raise refused
    bus.publish(ResultCorrecting(match_id=match.pk))
    return match


def _held(by: Person, match: Match, reason: str) -> Match:
    """Return the locked match, of which `by` may correct results. Raises NotAllowed; Refused on `reason`."""
    match = lock_match(match.pk)
    require(
        by,
        "result.correct",
        match,
        needed="organiser",
        sentence=_("Organisers and referees who do not play in a match correct its result."),
    )
    if not reason.strip():
        raise Refused("reason_missing", _("Give a reason; it is shown to everybody."), field="reason")
    return match


def _other(by: Person, match: Match, right: Right) -> Match | None:
    """Return the locked match that the result belongs to. Raises Conflict `other_match`, Refused on `other`."""
    if right.kind != K.MOVE:
        return None
    if right.other is None or right.other.competition_id != match.competition_id or right.other.pk == match.pk:
        raise Refused("other", _("Choose another match of this competition."), field="other")
    other = lock_match(right.other.pk)
    require(by, "result.correct", other, needed="organiser")
    if other.state == Match.State.WAITING or other.best_of != match.best_of or not other.is_on_board:
        raise Conflict("other_match", _("This result cannot belong to that match."), state=other.state)
    refused = obstacle(other)
    if refused is not None and refused.code != "not_decided":
        raise refused
    bus.publish(ResultCorrecting(match_id=other.pk))
    return other


def _plans(match: Match, right: Right, other: Match | None) -> list[EffectPlan]:
    """Return the effects of the correction. Raises Refused on `games`, `absent`, `other`, `kind`."""
    fault = "own" if match.competition.regulations.later == REPLAY else "other"
    if right.kind == K.PAPER and match.is_on_board:
        may_have_played(match)
        sheet = checked_sheet(match, right.games)
        return [EffectPlan("paper", match.pk, fault=fault, sheet=_games(sheet))]
    if right.kind == K.NO_SHOW:
        if right.absent is not None and not 0 <= right.absent < match.sides:
            raise Refused("absent", _("Choose one of the two teams, or nobody."), field="absent")
        return [EffectPlan("no_show", match.pk, position=right.absent, fault=fault)]
    if right.kind == K.REOPEN:
        return [EffectPlan("replay", match.pk, fault=fault)]
    if other is not None:
        mine, theirs = counting_sheet(match), counting_sheet(other)
        if mine is None:
            raise Refused("other", _("Only a score on paper can belong to another match."), field="other")
        for gets_score in (other, *([match] if theirs is not None else [])):
            may_have_played(gets_score)
        return [
            EffectPlan("paper", match.pk, fault=fault, sheet=_games(theirs))
            if theirs is not None
            else EffectPlan("replay", match.pk, fault=fault),
            EffectPlan("paper", other.pk, fault=fault, sheet=_games(mine)),
        ]
    raise Refused("kind", _("This cannot be corrected here."), field="kind")


def _games(sheet: Sheet) -> tuple[tuple[int | None, ...], ...]:
    return tuple(tuple(game) for game in sheet)


def _same(match: Match, plans: Sequence[EffectPlan]) -> bool:
    return _result(match, plans) == effective_of(match)


def _restores(match: Match, last: Correction, plans: Sequence[EffectPlan]) -> bool:
    """Return whether the correction says what stood before `last`."""
    own = [plain_effect(row) for row in effects_of_correction(last).filter(match=match)]
    known = effects_of(match)
    before = resolved(match, versions_of(match), [effect for effect in known if effect not in own])
    return before == _result(match, plans)


def _result(match: Match, plans: Sequence[EffectPlan]) -> Effective:
    """Return the result that the match would have."""
    versions = versions_of(match)
    last = versions[-1].number if versions else 0
    new = [plain(plan, match.sides, after=last) for plan in plans]
    return resolved(match, versions, [*effects_of(match), *new])


def _write(
    by: Person,
    match: Match,
    kind: str,
    reason: str,
    digest: str,
    *,
    other: Match | None = None,
    reverts: Correction | None = None,
    plans: Sequence[EffectPlan] = (),
) -> Correction:
    competition = match.competition
    last = Correction.objects.filter(competition=competition).aggregate(last=Max("number"))["last"] or 0
    correction = Correction(
        competition=competition,
        number=last + 1,
        match=match,
        other=other,
        kind=kind,
        reverts=reverts,
        reason=reason.strip(),
        by=by if isinstance(by, Player) else None,
        tied=isinstance(by, Player) and of_one_club_only(by, match),
        digest=digest,
        at=clock.now(),
    )
    checked(correction).save(force_insert=True)
    record(
        stream_of(competition.slug),
        "result.corrected",
        actor=label(by),
        body={
            **name_of(match),
            "correction": correction.ref,
            "what": kind,
            "other": other.slug if other is not None else None,
            "reverts": reverts.ref if reverts is not None else None,
            "tied": correction.tied,
            "preview": digest,
        },
        private={"reason": correction.reason},
    )
    lifts: list[int] = []
    if reverts is not None:
        lifts = list(effects_of_correction(reverts).values_list("pk", flat=True))
    rulings.apply(competition=competition, ruling=correction.ref, effects=plans, lifts=lifts)
    telling.corrected(correction, [one for one in (match, other) if one is not None], by)
    return correction
