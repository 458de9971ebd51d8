"""The order of the seeds: by rating, by hand, or by lots from the seed published beforehand."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing

from ...core import seeding
from ...core.format import FormatError
from ...models import Competition, Entry
from ...selectors.entries.strength import strengths
from ..shared.journal import note
from ..shared.locking import lock_competition
from ..shared.refusals import not_now
from .entry_states import eligible
from .registration import not_drawn

C = Competition.State


def seed(*, by: Person, competition: Competition, how: str, order: Sequence[Entry] | None = None) -> list[Entry]:
    """Number the entries that would be drawn now, 1 the strongest; return them in that order.

    `how`: Competition.Seeding. `order`: for "hand", every one of them once. It may be repeated until the draw, which
    also seeds later entries. Raises Refused on `how` and `order`, Conflict when it is too early or drawn.
    """
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "competition.organise", competition, needed="organiser")
        not_drawn(competition)
        if competition.state not in (C.PUBLISHED, C.OPEN, C.CLOSED):
            raise not_now(competition, (C.PUBLISHED, C.OPEN, C.CLOSED))
        if how not in Competition.Seeding.values:
            raise Refused("seeding", _("Seeds are given by rating, by hand or by lots."), field="how")
        competition.seeding = how
        competition.save(update_fields=["seeding", "updated_at"])
        return give_seeds(by, competition, order)


def give_seeds(by: Person, competition: Competition, order: Sequence[Entry] | None = None) -> list[Entry]:
    """Number the eligible entries the way the competition says; the caller holds its row.

    By hand without an `order`, those who have a number keep its order and the others follow in the order they came.
    """
    entries = {entry.pk: entry for entry in eligible(competition)}
    names = {pk: entry.slug for pk, entry in entries.items()}
    try:
        if competition.seeding == Competition.Seeding.LOTS:
            ranked = seeding.by_lots(competition.lots_seed, names)
        elif competition.seeding == Competition.Seeding.RATING:
            ratings = {pk: known.score_milli for pk, known in strengths(list(entries.values())).items()}
            ranked = seeding.by_rating(ratings, names, competition.lots_seed)
        elif order is not None:
            ranked = seeding.by_hand([entry.pk for entry in order], list(entries))
        else:
            ranked = tuple(sorted(entries, key=lambda pk: (entries[pk].seed is None, entries[pk].seed or 0)))
    except FormatError as error:
        raise Refused(error.code, _("The order names every team once."), field=error.field) from error
    # Two steps, because the unique constraint forbids equal numbers even for a moment.
    Entry.objects.filter(competition=competition).update(seed=None)
    made = []
    for number, pk in enumerate(ranked, start=1):
        entry = entries[pk]
        entry.seed = number
        entry.save(update_fields=["seed", "updated_at"])
        made.append(entry)
    note(competition, "seeds.given", by, how=competition.seeding, order=[entry.slug for entry in made])
    return made
