"""Refusals of steps that the present state does not allow, in one wording for all services."""

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from tock_league.common.errors import Conflict

from ...models import Competition, Entry


def not_now(competition: Competition, allowed: Iterable[str], code: str = "state") -> Conflict:
    """Return the refusal of a step that the competition's state does not allow; `allowed`: the states that would."""
    return Conflict(
        code,
        _("This is not possible now: the competition is “%(state)s”.") % {"state": competition.get_state_display()},
        state=competition.state,
        allowed=list(allowed),
    )


def entry_not_now(entry: Entry, allowed: Iterable[str]) -> Conflict:
    """Return the refusal of a step that the entry's state does not allow; `allowed`: the states that would."""
    return Conflict(
        "entry_state",
        _("This is not possible now: the entry is “%(state)s”.") % {"state": entry.get_state_display()},
        state=entry.state,
        allowed=list(allowed),
    )
