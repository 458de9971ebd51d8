"""The organisers' hand on the draw: two teams apart or together, two that change places, a new seed. Everybody reads why."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...core import registry
from ...core.format import FormatError, NeedsRelaxing, Over, RoundPlan
from ...core.lots import round_seed
from ...models import Competition, Entry, FormerSeed, Group, PairingWish, Side, Stage, StageInput
from ...selectors.rounds.progress import pairs_as_it_goes
from ..entries.registration import public_reason
from ..shared.journal import note
from ..shared.locking import lock_competition
from ..shared.refusals import not_now
from .pairing import history_of
from .publishing import pairing_refusal

C = Competition.State
K = PairingWish.Kind
BEFORE_DRAW = (C.DRAFT, C.PUBLISHED, C.OPEN, C.CLOSED)
BEFORE_END = (*BEFORE_DRAW, C.RUNNING, C.SUSPENDED)


@dataclass(frozen=True)
class PreviewPair:
    """Two entries that would meet."""

    home: Entry
    away: Entry
    is_again: bool  # whether they have met already


@dataclass(frozen=True)
class Preview:
    """The next round as it would be paired now."""

    number: int
    pairs: Sequence[PreviewPair]  # in table order
    byes: Sequence[Entry]
    refused: Refused | None = None  # why no round can be paired


def wish(*, by: Person, competition: Competition, kind: str, one: Entry, other: Entry, reason: str) -> PairingWish:
    """Wish something of two entries in the rounds to come. A wish about the same two is replaced.

    Raises Refused naming the field: `kind`, `one`, `other` (the same team, or one of another event), `reason`; `together`
    on `other` where one of the two is wished against somebody else; Conflict when the event is over, or is not paired round
    by round.
    """
    with writing():
        competition = _mine(by, competition, BEFORE_END)
        _paired_as_it_goes(competition)
        if kind not in K.values:
            raise Refused("kind", _("Choose what you wish."), field="kind")
        low, high = _two(competition, one, other)
        reason = _reason(reason)
        same = PairingWish.objects.filter(competition=competition, low=low, high=high, ended_at=None)
        _end(same)
        if kind == K.TOGETHER:
            _check_free(competition, low, high)
        made = PairingWish(
            competition=competition, kind=kind, low=low, high=high, reason=reason, by=_player(by), at=clock.now()
        )
        checked(made).save()
        note(competition, "pairing.wished", by, wish=kind, entries=[low.slug, high.slug], reason=reason)
        return made


def take_back(*, by: Person, wish: PairingWish) -> None:
    """End a wish; nothing happens to one that has ended. The rounds that followed it stay."""
    with writing():
        competition = _mine(by, wish.competition, BEFORE_END)
        if _end(PairingWish.objects.filter(pk=wish.pk, ended_at=None)):
            note(
                competition,
                "pairing.wish_ended",
                by,
                wish=wish.kind,
                entries=[wish.low.slug, wish.high.slug],
            )


def swap_opponents(*, by: Person, group: Group, one: Entry, other: Entry, reason: str) -> list[PairingWish]:
    """Let two entries change places in the round that would be paired now: each gets the other's opponent.

    Raises Refused naming `one` or `other`: one that would not play, or the two that would meet; what `wish` raises.
    """
    with writing():
        competition = _mine(by, group.stage.competition, BEFORE_END)
        made = _preview(competition, group)
        if made.refused is not None:
            raise made.refused
        against = {pair.home.pk: pair.away for pair in made.pairs} | {pair.away.pk: pair.home for pair in made.pairs}
        for field, entry in (("one", one), ("other", other)):
            if entry.pk not in against:
                raise Refused("not_paired", _("This team has no opponent in the next round."), field=field)
        if against[one.pk] == other:
            raise Refused(
                "swap_each_other", _("These two meet each other; choose teams of two matches."), field="other"
            )
        wished = []
        for entry, opponent in ((one, against[other.pk]), (other, against[one.pk])):
            wished.append(
                wish(by=by, competition=competition, kind=K.TOGETHER, one=entry, other=opponent, reason=reason)
            )
        return wished


def preview(*, by: Person, group: Group) -> Preview:
    """Return the group's next round as it would be paired now, or why it cannot be; nothing is written."""
    competition = group.stage.competition
    require(by, "competition.organise", competition, needed="organiser")
    return _preview(competition, group)


def swap_places(*, by: Person, competition: Competition, one: Entry, other: Entry, reason: str) -> None:
    """Let two entries change places in a draw before the start: in the bracket, or between groups.

    Raises Refused naming the field: `one`, `other`, `reason`; Conflict when nothing is drawn, or it has started.
    """
    with writing():
        competition = _mine(by, competition, (C.CLOSED,))
        stage = Stage.objects.filter(competition=competition).order_by("ordinal").first()
        if stage is None:
            raise Conflict("not_drawn", _("Nothing is drawn yet."), state=competition.state)
        if pairs_as_it_goes(stage):
            raise Conflict("no_places", _("Here each round is paired from the results; there are no places to change."))
        _two(competition, one, other)
        reason = _reason(reason)
        places = {row.entry_id: row for row in StageInput.objects.filter(stage=stage, entry__in=(one, other))}
        for field, entry in (("one", one), ("other", other)):
            if entry.pk not in places:
                raise Refused("not_in_draw", _("This team is not in the draw."), field=field)
        _swap_rows(stage, places[one.pk], places[other.pk])
        note(competition, "draw.swapped", by, entries=[one.slug, other.slug], reason=reason)


def new_seed(*, by: Person, competition: Competition, reason: str) -> str:
    """Replace the seed of the lots by a new one before the draw, and return it. The former seeds stay published.

    Raises Refused on `reason`; Conflict `drawn` when lots were drawn from it: the draw is taken back first.
    """
    with writing():
        competition = _mine(by, competition, BEFORE_DRAW)
        teams_drawn = Entry.objects.filter(competition=competition, team__drawn=True).exists()
        if Stage.objects.filter(competition=competition).exists() or teams_drawn:
            raise Conflict("drawn", _("Lots are drawn from this seed already; take the draw back first."))
        reason = _reason(reason)
        former = FormerSeed(
            competition=competition, seed=competition.lots_seed, reason=reason, by=_player(by), at=clock.now()
        )
        checked(former).save()
        competition.lots_seed = secrets.token_hex(16)
        competition.save(update_fields=["lots_seed"])
        note(
            competition,
            "lots.new_seed",
            by,
            former=former.seed,
            lots_seed=competition.lots_seed,
            reason=reason,
        )
        return competition.lots_seed


def _mine(by: Person, competition: Competition, states: Sequence[str]) -> Competition:
    competition = lock_competition(competition.pk)
    require(by, "competition.organise", competition, needed="organiser")
    if competition.state not in states:
        raise not_now(competition, states)
    return competition


def _player(by: Person) -> Player | None:
    return by if isinstance(by, Player) else None


def _paired_as_it_goes(competition: Competition) -> None:
    plan = competition.tournament_plan
    if plan is None or not any(registry.format_of(stage.format).pairs_as_it_goes for stage in plan.stages):
        raise Conflict("no_pairing", _("In this event the matches do not follow from results round by round."))


def _two(competition: Competition, one: Entry, other: Entry) -> tuple[Entry, Entry]:
    """Return the two in the order of a pair. Raises Refused on `one`, `other`."""
    for field, entry in (("one", one), ("other", other)):
        if entry.competition_id != competition.pk:
            raise Refused("other_event", _("This team is not entered here."), field=field)
    if one == other:
        raise Refused("same_team", _("Choose two teams."), field="other")
    return (one, other) if one.pk < other.pk else (other, one)


def _reason(reason: str) -> str:
    if not reason.strip():
        raise Refused("reason_missing", _("Give a reason; it is shown to everybody."), field="reason")
    return public_reason(reason)


def _check_free(competition: Competition, low: Entry, high: Entry) -> None:
    """Raise Refused on `other` when one of the two is already wished against somebody else in the next round."""
    rows = PairingWish.objects.filter(competition=competition, kind=K.TOGETHER, ended_at=None)
    taken = {pk for pair in rows.values_list("low", "high") for pk in pair}
    for entry in (low, high):
        if entry.pk in taken:
            raise Refused(
                "together",
                _("%(team)s is wished against another team already; take that wish back first.") % {"team": str(entry)},
                field="other",
            )


def _end(rows: QuerySet[PairingWish]) -> int:
    return rows.update(ended_at=clock.now())


def _preview(competition: Competition, group: Group) -> Preview:
    number = group.rounds.count() + 1
    if not pairs_as_it_goes(group.stage):
        raise Conflict("no_pairing", _("In this event the matches do not follow from results round by round."))
    try:
        history = history_of(competition, group)
        made = registry.format_of(group.stage.format).next_round(
            history, round_seed(competition.lots_seed, group.stage.ordinal, number)
        )
    except (FormatError, NeedsRelaxing) as error:
        return Preview(number, (), (), pairing_refusal(error))
    if isinstance(made, Over):
        raise Conflict("no_round_left", _("There is no round left to open here."))
    return _named(number, made)


def _named(number: int, made: RoundPlan) -> Preview:
    ids = [entry for pairing in made.pairings for entry in pairing.sides] + list(made.byes)
    names = Entry.objects.select_related("team", "player").in_bulk(ids)
    certificate = made.certificate or {"pairs": (), "order": ()}
    paid = {
        (row["home"], row["away"]): dict(zip(certificate["order"], row["paid"], strict=True))
        for row in certificate["pairs"]
    }
    pairs = [
        PreviewPair(names[home], names[away], bool(paid.get((home, away), {}).get("rematch")))
        for home, away in (pairing.sides for pairing in made.pairings)
    ]
    return Preview(number, pairs, [names[pk] for pk in made.byes])


def _swap_rows(stage: Stage, one: StageInput, other: StageInput) -> None:
    """Exchange the entries of two places of the stage, and of the seats that they fill."""
    pair = {one.entry_id: other.entry_id, other.entry_id: one.entry_id}
    # The rows are written anew, because an entry may not stand twice in a round even for a moment.
    rows = list(Side.objects.filter(stage=stage, entry__in=[pk for pk in pair if pk is not None]))
    Side.objects.filter(pk__in=[row.pk for row in rows]).delete()
    for row in rows:
        row.pk, row.entry_id = None, pair[row.entry_id]
    Side.objects.bulk_create(rows)
    if registry.format_of(stage.format).is_bracket:  # in groups the slots keep the order of the seeds
        StageInput.objects.filter(pk__in=(one.pk, other.pk)).delete()
        one.entry_id, other.entry_id = other.entry_id, one.entry_id
        one.pk = other.pk = None
        StageInput.objects.bulk_create([one, other])
