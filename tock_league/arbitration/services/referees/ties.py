"""Family ties between two players: one declares the tie, the other confirms or declines it, and either may end it.

Until the other has confirmed, the tie keeps only the declarer from judging: nobody can exclude a referee by a false claim.
Once confirmed it keeps both. Source: docs/arbitration.md, "Family ties".
"""

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, NotThere, Refused
from tock_league.common.transactions import writing

from ...models import FamilyTie

MOST_UNANSWERED = 20  # declarations of one player that wait for an answer


def declare(*, by: Person, other: Player) -> FamilyTie:
    """Declare that `other` is of one's family or household. Idempotent; confirms what `other` has declared already.

    Raises NotAllowed; Refused on `other`: `other` (oneself, or a bot), `unanswered` (too many declarations wait).
    """
    person = _player(by)
    if person.pk == other.pk:
        raise Refused("other", _("Name somebody else than yourself."), field="other")
    if other.bot:
        raise Refused("other", _("A bot has no family."), field="other")
    low, high = sorted((person, other), key=lambda player: player.pk)
    with writing():
        known = FamilyTie.objects.select_for_update().filter(low=low, high=high, until__isnull=True).first()
        if known is not None:
            return known if known.declared_by_id == person.pk else _confirmed(known)
        waiting = FamilyTie.objects.filter(declared_by=person, confirmed_at__isnull=True, until__isnull=True)
        if waiting.count() >= MOST_UNANSWERED:
            raise Refused(
                "unanswered", _("Many of your declarations wait for an answer; end some first."), field="other"
            )
        # Two declarations at once: the second one finds the row of the first.
        tie, made = FamilyTie.objects.get_or_create(
            low=low, high=high, until=None, defaults={"declared_by": person, "since": clock.now()}
        )
        return tie if made or tie.declared_by_id == person.pk else _confirmed(tie)


def answer(*, by: Person, tie: FamilyTie, accept: bool) -> FamilyTie:
    """Confirm or decline a tie that the other has declared. Idempotent.

    Raises NotThere for strangers, NotAllowed for the declarer, Conflict `tie_ended`.
    """
    with writing():
        person, tie = _locked(by, tie)
        if tie.declared_by_id == person.pk:
            raise NotAllowed(_("The other one of the two answers a declaration."))
        if tie.until is not None and (accept or tie.confirmed_at is not None):
            raise Conflict("tie_ended", _("This declaration has been ended."))
        if accept:
            return _confirmed(tie)
        if tie.confirmed_at is not None:
            raise Conflict("confirmed", _("You have confirmed this; you can end it."))
        return _ended(tie)


def end(*, by: Person, tie: FamilyTie) -> FamilyTie:
    """End a tie, as either of the two. Idempotent. Raises NotThere for strangers."""
    with writing():
        _person, tie = _locked(by, tie)
        return _ended(tie)


def _locked(by: Person, tie: FamilyTie) -> tuple[Player, FamilyTie]:
    """Return the person and the locked tie, which only its two players may know."""
    person = _player(by)
    tie = FamilyTie.objects.select_for_update().get(pk=tie.pk)
    if person.pk not in (tie.low_id, tie.high_id):
        raise NotThere
    return person, tie


def _confirmed(tie: FamilyTie) -> FamilyTie:
    if tie.confirmed_at is None:
        tie.confirmed_at = clock.now()
        tie.save(update_fields=["confirmed_at"])
    return tie


def _ended(tie: FamilyTie) -> FamilyTie:
    if tie.until is None:
        tie.until = clock.now()
        tie.save(update_fields=["until"])
    return tie


def _player(by: Person) -> Player:
    if not isinstance(by, Player):
        raise NotAllowed(needed="player")
    return by
