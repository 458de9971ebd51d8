"""A player's answer about the own place on a roster."""

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, can
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing

from ...models import Entry
from ..shared.locking import lock_entry
from .registration import confirm, refuse


def answer(*, by: Person, entry: Entry, accept: bool) -> Entry:
    """Confirm one's place, or decline it; a starter who declines takes the entry out.

    Raises Refused `not_on_roster` (403) also for organisers, who would refuse the whole entry by declining. Raises as `confirm`
    and `refuse` do.
    """
    with writing():
        _competition, entry = lock_entry(entry)
        if not can(by, "entry.answer", entry):
            text = _("You are not on the roster of %(team)s.") % {"team": str(entry)}
            raise Refused("not_on_roster", text, status=403)
        return confirm(by=by, entry=entry) if accept else refuse(by=by, entry=entry)
