"""Consents: of the person to the account, and of a guardian to a child's taking part (decision 0030)."""

from collections.abc import Iterable
from datetime import timedelta
from hashlib import sha256

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, NotThere, Refused
from tock_league.common.ids import new_slug
from tock_league.common.names import checked_name
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from .minors import is_adult, is_child, is_minor
from .models import BirthYear, Consent, ConsentRequest, Player
from .permissions import Person, require

ACCOUNT, CHILD = Consent.Purpose.ACCOUNT, Consent.Purpose.CHILD
VERSIONS = {ACCOUNT: "2026-11", CHILD: "2026-11"}  # of the texts that are agreed to: privacy page, consent page
LIFE = timedelta(days=7)  # of a child's code
CODE_LENGTH = 10
OWN_CHILD = _("Somebody else consents: a parent or guardian, with an account of their own.")


def to_account(player: Player) -> Consent:
    """Write the consent of somebody who signs up, inside the caller's transaction."""
    return Consent.objects.create(
        player=player, purpose=ACCOUNT, version=VERSIONS[ACCOUNT], given_at=clock.now(), given_by=player
    )


def ask(*, by: Person) -> str:
    """Return a new code with which the child asking shows itself to a guardian; the one before ends."""
    with writing():
        if not isinstance(by, Player):
            raise NotAllowed(needed="player")
        if not is_child(by):
            raise Refused("no_child", _("From 14 years of age on nobody else consents for you."))
        code = new_slug(CODE_LENGTH).upper()
        ConsentRequest.objects.update_or_create(
            player=by, defaults={"code_hash": _digest(code), "expires_at": clock.now() + LIFE}
        )
        return f"{code[:5]}-{code[5:]}"


def asked(code: str) -> Player:
    """Return the child of a code, or NotThere. One query."""
    found = (
        ConsentRequest.objects.filter(code_hash=_digest(code), expires_at__gt=clock.now())
        .select_related("player__birth")
        .first()
    )
    if found is None:
        raise NotThere(_("This code is not known, or older than seven days. The child’s profile shows a new one."))
    return found.player


def give(*, by: Person, code: str) -> Consent:
    """Write the consent of the guardian asking to the child of the code, which ends with it.

    Raises NotThere for an unknown code; Refused `own_child` for the child itself, `guardian_age` unless the guardian is an
    adult; Conflict `consent_given` when a consent is in force.
    """
    with writing():
        if not isinstance(by, Player):
            raise NotAllowed(needed="player")
        child = asked(code)
        if by.pk == child.pk:
            raise Refused("own_child", OWN_CHILD)
        if not is_adult(by):
            raise Refused("guardian_age", _("A parent or guardian is an adult, and has told the year of birth."))
        return _given(child, by)


def give_on_paper(*, by: Person, code: str, guardian: str) -> Consent:
    """Write the consent that a guardian has signed on paper, in front of a club officer or organiser, who keeps the paper.

    Raises what `give` raises, Refused `witness_age` for an officer who is a minor, and Refused on `guardian` for a name that
    cannot be read.
    """
    with writing():
        child = asked(code)
        require(by, "consent.witness", child, needed="club_officer")
        if isinstance(by, Player) and by.pk == child.pk:
            raise Refused("own_child", OWN_CHILD)
        if isinstance(by, Player) and is_minor(by):
            raise Refused("witness_age", _("An adult looks at the signature: another officer or organiser."))
        name = checked_name(guardian, field="guardian")
        if len(name) < 2:
            raise Refused("guardian", _("Type the name of the parent or guardian who signed."), field="guardian")
        return _given(child, by if isinstance(by, Player) else None, name)


def withdraw(*, by: Person, consent: Consent) -> Consent:
    """End a guardian's consent: the child enters nothing new. Idempotent.

    Who gave it may, and officers of the child's clubs, for a guardian who signed on paper. Results stay.
    """
    with writing():
        consent = Consent.objects.select_for_update().get(pk=consent.pk)
        if consent.purpose != CHILD:
            raise Refused("consent_account", _("This consent ends with the account: erase it on your profile."))
        if not gave(by, consent):
            require(by, "consent.withdraw", consent.player, needed="guardian")
        if consent.withdrawn_at is None:
            consent.withdrawn_at = clock.now()
            consent.withdrawn_by = by if isinstance(by, Player) else None
            consent.save(update_fields=["withdrawn_at", "withdrawn_by"])
        return consent


def gave(person: Person, consent: Consent) -> bool:
    """Return whether `person` has given a guardian's consent, or holds its paper."""
    return isinstance(person, Player) and person.pk == consent.given_by_id


def gave_just_now(person: Player) -> bool:
    """Return whether somebody has given, or taken on paper, a guardian's consent within the last minute. One query."""
    since = clock.now() - timedelta(minutes=1)
    return Consent.objects.filter(purpose=CHILD, given_by=person, given_at__gt=since).exists()


def of(player: Player) -> QuerySet[Consent]:
    """Return all consents about a player, the newest first. One query."""
    return Consent.objects.filter(player=player).select_related("given_by")


def in_force(player: Player) -> Consent | None:
    """Return the guardian's consent in force for a child, or None. One query."""
    return of(player).filter(purpose=CHILD, withdrawn_at__isnull=True).first()


def papers_kept_by(witness: Player) -> QuerySet[Consent]:
    """Return the consents in force that were signed on paper in front of somebody. One query."""
    return _papers().filter(given_by=witness)


def papers_of(children: Iterable[Player]) -> QuerySet[Consent]:
    """Return the consents in force for `children` that were signed on paper: for the staff of their clubs. One query."""
    return _papers().filter(player__in=[one.pk for one in children])


def children_of(guardian: Player) -> QuerySet[Consent]:
    """Return the consents in force that somebody gave for children. One query."""
    return Consent.objects.filter(
        purpose=CHILD, given_by=guardian, guardian="", withdrawn_at__isnull=True
    ).select_related("player__birth")


def is_guardian(person: Player, child: Player) -> bool:
    """Return whether `person` has given the consent in force for the child. One query."""
    return children_of(person).filter(player=child).exists()


def forget(player: Player) -> None:
    """Delete what is private about a player whose account is erased, inside the caller's transaction.

    Consents that the person gave as a guardian end now; papers of other children stay with the officer's club.
    """
    now = clock.now()
    children_of(player).update(withdrawn_at=now, withdrawn_by=player)
    Consent.objects.filter(player=player).delete()
    ConsentRequest.objects.filter(player=player).delete()
    BirthYear.objects.filter(player=player).delete()


def _papers() -> QuerySet[Consent]:
    rows = Consent.objects.filter(purpose=CHILD, withdrawn_at__isnull=True).exclude(guardian="")
    return rows.select_related("player__birth").order_by("player__birth__called", "pk")


def _given(child: Player, by: Player | None, guardian: str = "") -> Consent:
    # The row of the child is the lock: of two guardians at once the second one is told.
    Player.objects.select_for_update().get(pk=child.pk)
    if in_force(child) is not None:
        raise Conflict("consent_given", _("A guardian has consented already."))
    consent = Consent(
        player=child, purpose=CHILD, version=VERSIONS[CHILD], given_at=clock.now(), given_by=by, guardian=guardian
    )
    checked(consent).save()
    ConsentRequest.objects.filter(player=child).delete()
    return consent


def _digest(code: str) -> str:
    """Return the SHA-256, hex, of a code however it was typed: case, spaces and dashes make no difference."""
    return sha256("".join(code.upper().replace("-", " ").split()).encode()).hexdigest()
