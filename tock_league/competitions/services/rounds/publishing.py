"""Publishes rounds by the organiser's click."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing

from ...core.format import FormatError, NeedsRelaxing, Pair
from ...models import Competition, Entry, Group, Round
from ..shared.locking import lock_competition
from ..shared.refusals import not_now
from .opening import call, link_table, open_due_tables, open_round, open_table, table_plan
from .progression import next_round, push

__all__ = ["call", "link_table", "open_due_tables", "open_round", "open_table", "publish_next", "table_plan"]

C = Competition.State


def publish_next(*, by: Person, group: Group, relaxed: Sequence[Pair] = ()) -> Round:
    """Open the next round of `group` at once; a Swiss round is paired first. Return it.

    `relaxed`: rematches of a Swiss round (entry ids, the lower first) that the organiser accepts by name. Raises
    Conflict: not running, a round still open, no round left; Refused("needs_relaxing", `pairs`) when only rematches are
    left, and what else stops the pairing.
    """
    with writing():
        competition = lock_competition(group.stage.competition_id)
        require(by, "competition.organise", competition, needed="organiser")
        if competition.state != C.RUNNING or not competition.is_planned:
            raise not_now(competition, (C.RUNNING,))
        if Round.objects.filter(group=group, state=Round.State.OPEN).exists():
            raise Conflict("round_open", _("A round is still being played; the next one waits for its results."))
        try:
            made = next_round(competition, group, by=by, relaxed=relaxed)
        except FormatError as error:
            raise pairing_refusal(error) from error
        if made is None:
            raise Conflict("no_round_left", _("There is no round left to open here."))
        open_round(competition, made, at=clock.now(), by=by)
        push(competition)
        made.refresh_from_db()
        return made


def pairing_refusal(error: FormatError) -> Refused:
    """Return why a round cannot be paired, as the desk shows it."""
    if isinstance(error, NeedsRelaxing):
        return _needs_relaxing(error)
    return Refused(error.code, _pairing_sentence(error.code), field=error.field)


def _needs_relaxing(error: NeedsRelaxing) -> Refused:
    ids = {entry for pair in error.pairs for entry in pair}
    names = {entry.pk: str(entry) for entry in Entry.objects.filter(pk__in=ids).select_related("team", "player")}
    return Refused(
        "needs_relaxing",
        _("Nobody is left to meet without a second meeting. Accept these by name: %(pairs)s.")
        % {"pairs": ", ".join(f"{names[low]} – {names[high]}" for low, high in error.pairs)},
        field="relaxed",
        pairs=[list(pair) for pair in error.pairs],
    )


def _pairing_sentence(code: str) -> str:
    sentences = {
        "round_unfinished": _("A match of an earlier round has no result yet."),
        "too_few_entries": _("Fewer than two teams are left to pair."),
        "no_bye_left": _("The number of teams is odd and everybody has had the bye."),
        "too_many_forbidden": _(
            "With the teams apart that must not meet, by the settings or the organisers' wishes, no round can be paired."
        ),
    }
    return str(sentences.get(code, _("This round cannot be paired.")))
