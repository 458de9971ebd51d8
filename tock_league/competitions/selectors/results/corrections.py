"""Corrections of results: whether a result may be corrected now, until when, and what was corrected."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, can
from tock_league.common import clock
from tock_league.common.errors import Conflict, Text

from ...core.corrections import ends
from ...core.effective import RULED
from ...models import Competition, Correction, Entry, Match, ResultEffect, Side
from ...models.correction import PREFIX
from ..rounds.moments import moment_words
from .effective import by_rules, effective_of, effects_in_force

C, S = Competition.State, Match.State
UNDER_WAY = (C.RUNNING, C.SUSPENDED, C.FINISHED)
DECIDED = (S.CONFIRMED, S.AWARDED)
AT_A_TABLE = ("played", "adjudicated", "forfeit")  # facts of a match that was played


@dataclass(frozen=True)
class CorrectionView:
    """A correction as the pages of a match and of its teams show it."""

    correction: Correction
    label: str  # what was wrong, in words
    by: str
    taken_back: bool


def until(match: Match) -> datetime | None:
    """Return until when the desk may correct the match's result; None without one. One query."""
    if match.state not in DECIDED or match.decided_at is None:
        return None
    last = Correction.objects.filter(match=match).aggregate(at=Max("at"))["at"]
    return ends(match.decided_at, last, match.competition.correction_s)


def obstacle(match: Match) -> Conflict | None:
    """Return why the result of the match cannot be corrected by the desk now, None when it can. Ten queries at most."""
    end = until(match)
    if match.competition.state in UNDER_WAY and end is None:
        return Conflict("not_decided", _("This match has no result that could be corrected."), state=match.state)
    refused = _closed(match, end)
    if refused is not None:
        return refused
    if by_rules(match) is not None:
        return Conflict("by_rules", _("The match was decided because a team has left: bring the team back instead."))
    if not match.is_on_board and effective_of(match).fact in AT_A_TABLE:
        return Conflict(
            "played_at_table",
            _("This match was played at a table, and its record is the result; a ruling may change it."),
        )
    return None


def obstacle_to_taking_back(correction: Correction) -> Conflict | None:
    """Return why the correction cannot be taken back now, None when it can. Four queries at most."""
    if correction.kind == Correction.Kind.REVERT or Correction.objects.filter(reverts=correction).exists():
        return Conflict("taken_back", _("This correction has been taken back already."))
    newest = in_force(correction.match)
    if newest is not None and newest.pk != correction.pk:
        return Conflict("corrected_since", _("The match was corrected again since: take back the newest one first."))
    return _closed(correction.match, ends(correction.at, None, correction.competition.correction_s))


def _closed(match: Match, end: datetime | None) -> Conflict | None:
    """Return the refusal of a competition that is over, of a match that a ruling decided, and after the period."""
    if match.competition.state not in UNDER_WAY:
        return Conflict("competition_over", _("This competition is closed; its results stand."))
    ruling = fixed_by(match)
    if ruling:
        return Conflict(
            "ruled",
            _("Ruling %(ref)s has decided this match; another ruling or an appeal may change it.") % {"ref": ruling},
            ruling=ruling,
        )
    if end is not None and clock.now() > end:
        told = moment_words(end)
        return Conflict(
            "period_over",
            _("Results could be corrected until %(end)s. Now it takes a ruling.") % {"end": told},
            until=end.isoformat(),
        )
    return None


def fixed_by(match: Match) -> str:
    """Return the ruling in force that decided the match or a game of it, "" for none. One query."""
    rows = effects_in_force().filter(match=match, kind__in=RULED).exclude(ruling__startswith=PREFIX)
    return rows.values_list("ruling", flat=True).last() or ""


def in_force(match: Match) -> Correction | None:
    """Return the newest correction of the match that was not taken back, None for none. One query."""
    own = Correction.objects.filter(match=match, reverted_by__isnull=True).exclude(kind=Correction.Kind.REVERT)
    return own.order_by("number").last()


def effects_of_correction(correction: Correction) -> QuerySet[ResultEffect]:
    """Return the effects of the correction that are in force."""
    return effects_in_force().filter(competition=correction.competition_id, ruling=correction.ref)


@dataclass(frozen=True)
class Corrections:
    """What the page of a match says of corrections."""

    made: tuple[CorrectionView, ...]  # newest first
    provisional_until: datetime | None  # None when the result is final, or a ruling has decided it
    tied: bool  # whether staff of the club of one side entered the result that stands
    may_correct: bool  # whether the reader may correct the result now
    refusal: Text  # why the reader, an official of the match, may not; "" for others
    may_take_back: int  # the number of the correction that the reader may take back now, 0 for none


def of_match(match: Match, viewer: Person) -> Corrections:
    """Return what the page of the match says to this reader. One query, and twelve more for an official; `match` comes from
    `with_versions`."""
    rows = _newest_first(Correction.objects.filter(Q(match=match) | Q(other=match)))
    own = [row for row in rows if row.match_id == match.pk]
    standing = [row for row in own if row.kind != Correction.Kind.REVERT and not hasattr(row, "reverted_by")]
    decided = match.state in DECIDED and match.decided_at is not None
    end = None
    if decided and not any(row.kind in RULED and not row.ruling.startswith(PREFIX) for row in match.effects.all()):
        end = ends(match.decided_at, own[0].at if own else None, match.competition.correction_s)  # type: ignore[arg-type]
    papers = [row for row in match.versions.all() if row.sheet is not None]
    written = standing[0] if standing else papers[-1] if papers else None
    official = can(viewer, "result.correct", match)
    refused = obstacle(match) if official and decided else None
    return Corrections(
        made=tuple(_view(row) for row in rows),
        provisional_until=end if end is not None and clock.now() <= end else None,
        tied=decided and written is not None and written.tied,
        may_correct=official and decided and refused is None,
        refusal=refused.sentence if refused is not None else "",
        may_take_back=standing[0].number
        if official and standing and obstacle_to_taking_back(standing[0]) is None
        else 0,
    )


def of_entry(entry: Entry) -> tuple[CorrectionView, ...]:
    """Return the corrections of the entry's matches, newest first. One query."""
    mine = Side.objects.filter(entry=entry, kind=Side.Kind.SEAT).values("match")
    return tuple(_view(row) for row in _newest_first(Correction.objects.filter(match__in=mine)))


def _newest_first(rows: QuerySet[Correction]) -> list[Correction]:
    related = ("by", "match__round", "match__competition__regulations", "competition__regulations", "reverted_by")
    return list(rows.select_related(*related).order_by("-number"))


def _view(row: Correction) -> CorrectionView:
    return CorrectionView(
        correction=row,
        label=str(row.get_kind_display()),
        by=row.by.display_name if row.by is not None else "",
        taken_back=hasattr(row, "reverted_by"),
    )
