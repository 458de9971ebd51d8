"""Rounds that were paired one after the other, as pages show them: who met, who rested, and why (by certificate)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from ...models import Competition, Entry, PairingRun, PairingWish, Side
from ..rankings.standings import number
from .matches import MatchView
from .wishes import of_rounds

# Names of the costs of a pair or a bye; the lot is not a cost in this sense.
PAID: Mapping[str, str | Promise] = {
    "rematch": pgettext_lazy(
        "pairing", "They have met before; the organiser accepted this rematch, nothing else was left."
    ),
    "discouraged": pgettext_lazy(
        "pairing", "The organiser would rather have kept them apart; every other round was worse."
    ),
    "club": pgettext_lazy("pairing", "Both are of one club; every other round was worse."),
    "gap": pgettext_lazy("pairing", "Their scores differ; every other round would have had larger differences in all."),
    "fold": pgettext_lazy(
        "pairing", "In their score group they are not the usual opponents: those have met, or play others."
    ),
}
# Why another opponent would have been worse.
WORSE: Mapping[str, str | Promise] = {
    "rematch": pgettext_lazy("pairing", "more rematches"),
    "bye": pgettext_lazy("pairing", "a higher score would have rested"),
    "discouraged": pgettext_lazy("pairing", "more pairs that the organiser would rather not see"),
    "club": pgettext_lazy("pairing", "more matches within a club"),
    "gap": pgettext_lazy("pairing", "larger differences of score"),
    "fold": pgettext_lazy("pairing", "further from the usual order in the score groups"),
    "lot": pgettext_lazy("pairing", "just as good; the lot decided"),
}


@dataclass(frozen=True)
class Otherwise:
    """Another opponent that a team could have had."""

    team: str
    against: str  # "" for a round without an opponent
    worse: str | Promise  # in what way it would have been worse


@dataclass(frozen=True)
class Pairing:
    """A pair, or an entry without opponent, with the reasons for it."""

    match: MatchView | None  # None for an entry without opponent
    name: str  # the title of the match, or the name of the entry
    scores: str  # before the round, in points, home first; "" if not recorded
    reasons: tuple[str | Promise, ...]
    otherwise: tuple[Otherwise, ...]  # the alternatives


@dataclass(frozen=True)
class PairedRound:
    """A published round of an event that is paired as it goes."""

    number: int
    pairings: tuple[Pairing, ...]
    resting: tuple[Pairing, ...]  # the entries without opponent
    absent: tuple[str, ...]  # the names of entries that were not paired
    run: PairingRun | None  # holds the certificate; None for a round that has none
    wishes: tuple[PairingWish, ...] = ()  # of the organisers, that the round has followed

    @property
    def is_done(self) -> bool:
        return all(pairing.match is None or pairing.match.is_decided for pairing in self.pairings)


def paired_rounds(competition: Competition, views: Iterable[MatchView], entries: Sequence[Entry]) -> list[PairedRound]:
    """Return the rounds of an event that is paired as it goes, the newest first. Three queries.

    `views`: its matches; `entries`: all of them.
    """
    names = {entry.pk: str(entry) for entry in entries}
    runs = {
        run.round.number: run
        for run in PairingRun.objects.filter(
            round__group__stage__competition=competition, state=PairingRun.State.PUBLISHED
        ).select_related("round")
    }
    wished = of_rounds(competition)
    away: dict[int, dict[str, list[int]]] = {}
    sides = Side.objects.filter(round__group__stage__competition=competition, match__isnull=True, entry__isnull=False)
    for at, kind, entry in sides.order_by("round__number", "pk").values_list("round__number", "kind", "entry_id"):
        away.setdefault(at, {}).setdefault(kind, []).append(entry)
    by_round: dict[int, list[MatchView]] = {}
    for view in views:
        by_round.setdefault(view.match.round.number, []).append(view)
    found = []
    for at in sorted({*by_round, *away}, reverse=True):
        run = runs.get(at)
        told = _told(run.certificate if run is not None else {})
        order: Sequence[str] = run.certificate["order"] if run is not None else ()
        missing = away.get(at, {})
        found.append(
            PairedRound(
                number=at,
                pairings=tuple(_pairing(view, told, order, names) for view in by_round.get(at, ())),
                resting=tuple(_resting(entry, told, order, names) for entry in missing.get(Side.Kind.PAIRING_BYE, ())),
                absent=tuple(
                    names[entry]
                    for kind in (Side.Kind.ABSENCE, Side.Kind.REQUESTED_BYE)
                    for entry in missing.get(kind, ())
                ),
                run=run,
                wishes=tuple(wish for wish in wished if wish.round is not None and wish.round.number == at),
            )
        )
    return found


def _told(certificate: Mapping[str, Any]) -> dict[frozenset[int], Mapping[str, Any]]:
    told = {frozenset((row["home"], row["away"])): row for row in certificate.get("pairs", ())}
    return told | {frozenset((row["entry"],)): row for row in certificate.get("byes", ())}


def _pairing(
    view: MatchView, told: Mapping[frozenset[int], Mapping[str, Any]], order: Sequence[str], names: Mapping[int, str]
) -> Pairing:
    row = told.get(frozenset(side.entry_id for side in view.sides if side.entry_id is not None))
    if row is None:
        return Pairing(view, view.title, "", (), ())
    paid = dict(zip(order, row["paid"], strict=True))
    reasons: list[str | Promise] = [PAID[key] for key in order if key in PAID and paid[key]]
    if not reasons:
        reasons = [_("Same score, and the usual opponents in their score group: no round could be better here.")]
    scores = " – ".join(number(Fraction(half, 2)) for half in row["scores"])
    return Pairing(view, view.title, scores, tuple(reasons), _otherwise(row, order, names))


def _resting(
    entry: int, told: Mapping[frozenset[int], Mapping[str, Any]], order: Sequence[str], names: Mapping[int, str]
) -> Pairing:
    row = told.get(frozenset((entry,)))
    if row is None:
        return Pairing(None, names[entry], "", (), ())
    reason = _("The field is odd: the lowest score among those who have not rested yet.")
    return Pairing(None, names[entry], number(Fraction(row["score"], 2)), (reason,), _otherwise(row, order, names))


def _otherwise(row: Mapping[str, Any], order: Sequence[str], names: Mapping[int, str]) -> tuple[Otherwise, ...]:
    made = []
    for other in row["alternatives"]:
        worse = next((key for key, more in zip(order, other["costs"], strict=True) if more), "lot")
        against = names.get(other["against"], "") if other["against"] is not None else ""
        made.append(Otherwise(names.get(other["entry"], ""), against, WORSE[worse]))
    return tuple(made)
