"""Settles ties that block the qualification from a group to the knockout."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...core.lots import in_lot_order
from ...models import Competition, Entry, Group, Match, StandingOverride
from ...selectors.rounds.progress import tie_in
from ..entries.registration import public_reason
from ..results.propagation import fed_matches, walk_over
from ..shared.journal import note
from ..shared.locking import lock_competition, lock_match
from .progression import push

C = Competition.State


def settle_tie(
    *, by: Person, group: Group, order: Sequence[Entry] = (), how: str, reason: str = ""
) -> list[StandingOverride]:
    """Put equal entries of a finished group in order where the qualifying line asks for it; return the rows.

    `how`: "lots" (from the published seed; `order` is left out), "play_off" or "ruling" with the `order` that came of it,
    best first, and a public `reason`. Raises Conflict when there is no tie to settle, Refused on `how`, `order`, `reason`.
    """
    with writing():
        competition = lock_competition(group.stage.competition_id)
        require(by, "competition.organise", competition, needed="organiser")
        tie = tie_in(group.stage, group)
        if tie is None or competition.state != C.RUNNING:
            raise Conflict("no_tie", _("There is no tie to settle in this group."), state=competition.state)
        if how not in StandingOverride.How.values:
            raise Refused(
                "how", _("A tie is settled by lots, by a play-off or by the referee's decision."), field="how"
            )
        tied = {entry.pk: entry for entry in competition.entries.filter(pk__in=tie.entries)}
        slugs = {entry.slug: pk for pk, entry in tied.items()}
        if how == StandingOverride.How.LOTS:
            placed = [slugs[slug] for slug in in_lot_order(competition.lots_seed, list(slugs))]
            reason = reason.strip() or "@lots"
        else:
            placed = [entry.pk for entry in order]
            if len(placed) != len(tied) or set(placed) != set(tied):
                raise Refused("bad_order", _("The order names each of the equal teams once."), field="order")
            if not reason.strip():
                raise Refused("reason_missing", _("Give a reason; it is shown to everybody."), field="reason")
        now = clock.now()
        rows = []
        StandingOverride.objects.filter(group=group, entry__in=placed).delete()
        last = StandingOverride.objects.filter(group=group).order_by("-place").first()
        for place, pk in enumerate(placed, start=(last.place if last else 0) + 1):
            row = StandingOverride(
                group=group,
                entry=tied[pk],
                place=place,
                how=how,
                reason=public_reason(reason),
                by=by if isinstance(by, Player) else None,
                at=now,
            )
            checked(row).save()
            rows.append(row)
        note(
            competition,
            "tie.settled",
            by,
            group=group.name or str(group.ordinal),
            how=how,
            order=[tied[pk].slug for pk in placed],
            reason=reason.strip(),
        )
        push(competition)
        match = Match.objects.filter(round__group=group).first()
        assert match is not None
        for fed in fed_matches(lock_match(match.pk)):
            walk_over(fed)
        return rows
