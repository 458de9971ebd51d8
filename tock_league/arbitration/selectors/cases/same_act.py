"""Cases about the same plays: what is open about an act, what was decided, and which finding has punished it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Min, QuerySet

from games.models import Game
from games.selectors.plays import by_seats
from tock_league.accounts.models import Player
from tock_league.competitions.models import Match

from ...core import acts, cases, penalties
from ...core.acts import Act
from ...models import Case, Ruling


def plays_of(game: int | None) -> list[int]:
    """Return the rows of the game's plays by seats, in order. Two queries; none without a game."""
    return by_seats(game) if game is not None else []


def act_of(case: Case, plays: list[int]) -> Act:
    """Return the act that the case is about. `plays`: of its game."""
    first = case
    while first.reviews is not None:
        first = first.reviews
    call = first.origin == Case.Origin.CALL
    return acts.act_at(
        match=case.match_id,
        game=case.game_id,
        seq=case.seq,
        plays=plays,
        called_at=first.filed_at if call else None,
        ruled_at=first_ruled(first) if call else None,
        entered=case.entered,
    )


def first_ruled(case: Case) -> datetime | None:
    """Return when the case, or the one that it re-examines, was first ruled, or None."""
    while case.reviews is not None:
        case = case.reviews
    return Ruling.objects.filter(case=case).aggregate(at=Min("signed_at"))["at"]


def about_the_same_plays(case: Case, *, acts_too: bool = False) -> list[Case]:
    """Return the other cases about the same plays, the oldest first.

    `acts_too`: without those that are about another act all the same, because a call followed a ruling.
    """
    others = _of_game(case.match_id, case.game_id).exclude(pk=case.pk)
    if not (found := list(others)):
        return []
    plays = plays_of(case.game_id)
    own = act_of(case, plays)
    return [
        other
        for other in found
        if acts.same_plays(own, act := act_of(other, plays)) and not (acts_too and acts.apart(own, act))
    ]


def complaints(*, match: Match, game: Game, seq: int, kind: str, side: int) -> list[Case]:
    """Return the complaints of that side about the same act, under any kind, the oldest first; no re-examinations."""
    found = _of_game(match.pk, game.pk).filter(side=side, reviews__isnull=True)
    if not (known := list(found)):
        return []
    plays = plays_of(game.pk)
    own = acts.act_at(match=match.pk, game=game.pk, seq=seq, plays=plays)
    return [case for case in known if acts.same_act(own, act_of(case, plays), alike=case.kind == kind)]


def complaints_of_result(match: Match, entered: str) -> list[Case]:
    """Return the complaints of all sides about the result that was entered as `entered`; no re-examinations."""
    return list(_of_game(match.pk, None).filter(entered=entered, reviews__isnull=True))


def punished(case: Case, *, offender: int, family: str, without: Collection[int]) -> Ruling | None:
    """Return a finding in force that has punished this player for the same act in another case, or None.

    `without`: the keys of rulings that do not count, such as one that is being replaced.
    """
    rows = (
        Ruling.objects.filter(
            case__match=case.match_id,
            case__game=case.game_id,
            offender=offender,
            outcome=Ruling.Outcome.UPHELD,
            superseded_by__isnull=True,
            confirms__isnull=True,
        )
        .exclude(penalty=penalties.NONE)
        .exclude(case=case.pk)
        .exclude(pk__in=without)
        .select_related("case__reviews__reviews")
        .order_by("pk")
    )
    if not (found := list(rows)):
        return None
    plays = plays_of(case.game_id)
    own = act_of(case, plays)
    for ruling in found:
        alike = penalties.by_version(ruling.table_version).row(ruling.row).family == family
        if acts.same_act(own, act_of(ruling.case, plays), alike=alike):
            return ruling
    return None


@dataclass(frozen=True)
class EarlierCase:
    """Another case about the same plays, for the page of a ruling."""

    case: Case
    offender: Player | None  # found against, or None
    row: str  # of the finding, or ""
    table_version: str


def earlier(case: Case) -> tuple[EarlierCase, ...]:
    """Return the other cases about the same plays with their findings in force, the oldest first."""
    told = []
    for other in about_the_same_plays(case):
        ruling = None
        if other.state in cases.RULED:
            in_force = other.rulings.filter(superseded_by__isnull=True, confirms__isnull=True)
            ruling = in_force.select_related("offender").last()
        if ruling is None:
            told.append(EarlierCase(other, None, "", ""))
        else:
            told.append(EarlierCase(other, ruling.offender, ruling.row, ruling.table_version))
    return tuple(told)


def _of_game(match: int, game: int | None) -> QuerySet[Case]:
    """Return the cases of a game, or of a match without a record."""
    found = Case.objects.filter(match=match, game=game)  # Django compares with None by IS NULL
    return found.select_related("reviews__reviews").order_by("filed_at", "pk")
