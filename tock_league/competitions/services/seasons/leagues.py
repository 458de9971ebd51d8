"""Changing what a league or a club night says of itself, until its calendar is made."""

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...models import Competition, Entry, Regulations, Stage
from ...models.entry import OUT
from ..rounds.calendar import BEFORE_START
from ..shared.journal import note
from ..shared.locking import lock_competition
from ..shared.refusals import not_now
from .creation import in_range
from .regulations import check_cap


def edit(
    *,
    by: Person,
    competition: Competition,
    name: str,
    regulations: Regulations,
    bots_allowed: bool,
    size: int | None = None,
    on_paper: bool = False,
    by_agreement: bool = False,
) -> Competition:
    """Change a league or club night before its calendar is made, whose matches are written with its regulations.

    `size`: how many teams its division has; a club night has none. The journal says what was changed. Raises Conflict after
    the start, and `calendar_made`; Refused naming the field: `size` below the teams that are entered or out of range,
    `rules` with sides of another size than the teams that are entered.
    """
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "competition.organise", competition, needed="organiser")
        if competition.is_planned or competition.state not in BEFORE_START:
            raise not_now(competition, BEFORE_START)
        if Stage.objects.filter(competition=competition).exists():
            raise Conflict("calendar_made", _("The calendar is made; discard it before changing the settings."))
        check_cap(regulations, regulations.best_of, on_paper=on_paper)
        changed = _change_size(competition, size)
        values = {
            "name": name.strip(),
            "regulations": regulations,
            "rules": regulations.body["rules"],
            "seats": regulations.seats,
            "bots_allowed": bots_allowed,
            "on_paper": on_paper,
            "by_agreement": by_agreement,
        }
        if regulations.seats != competition.seats:
            _sides_fit(competition, regulations)
        for key, value in values.items():
            if getattr(competition, key) != value:
                setattr(competition, key, value)
                changed.append(key)
        checked(competition).save()
        if changed:
            digest = competition.regulations.digest
            note(competition, "competition.edited", by, fields=sorted(changed), regulations=digest)
        return competition


def _change_size(competition: Competition, size: int | None) -> list[str]:
    division = competition.division
    if division is None or size is None or size == division.size:
        return []
    in_range(size)
    inside = _inside(competition).count()
    if size < inside:
        raise Refused(
            "size_below_entries",
            _("%(count)s teams are entered; take one out before you make the division smaller.") % {"count": inside},
            field="size",
        )
    division.size = size
    checked(division).save()
    return ["size"]


def _sides_fit(competition: Competition, regulations: Regulations) -> None:
    side = regulations.seats // 2
    other = _inside(competition).filter(team__isnull=False).exclude(team__size=side).select_related("team").first()
    if other is not None and other.team is not None:
        raise Refused(
            "side_size",
            _("%(team)s is a team of %(size)d players; in this event %(needed)d play on each side.")
            % {"team": str(other), "size": other.team.size, "needed": side},
            field="rules",
        )


def _inside(competition: Competition) -> QuerySet[Entry]:
    return Entry.objects.filter(competition=competition).exclude(state__in=OUT)
