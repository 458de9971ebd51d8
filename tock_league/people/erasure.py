"""Erasures: asked for, taken back, and done by a job after some days.

Results, ratings and the journal stay whole under a pseudonym. docs/people.md says what goes and what stays; decision 0028
says how a name leaves texts that cannot be changed.
"""

import logging
import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tock_league.accounts import people as accounts
from tock_league.accounts.models import Player, User
from tock_league.accounts.permissions import SITE, label, require
from tock_league.accounts.permissions import Person as By
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.names import first_confusable
from tock_league.common.persons import Leaving, Obstacle, Person
from tock_league.common.transactions import unhurried, writing
from tock_league.competitions.people import events_of
from tock_league.journal.models import Redaction
from tock_league.journal.services import OPEN, record

from . import parts, restored
from .audit import KIND
from .letters import promise
from .models import Erased, Farewell
from .traces import wipe

log = logging.getLogger(__name__)
LETTERS = "23456789ACDEFHJKMNPRTVWXY"  # of a pseudonym: none looks like another
STEP_S = 10.0  # after which a run begins no further erasure: a task must end within thirty seconds
MOST_TEXTS = 500  # that name a person; more do so only when the name is a common phrase
LATEST = timedelta(days=30)  # after which a postponed erasure is an error in the log


@dataclass(frozen=True)
class Done:
    """What an erasure did. `rewritten`: which texts, never what they said."""

    label: str
    pseudonym: str
    rewritten: tuple[str, ...]


def ask(*, by: User, typed: str) -> Farewell:
    """Return the erasure of the own login and player, which a job does in ERASE_AFTER_DAYS. Idempotent.

    `typed`: the own name, or the address of a login without a player, as a confirmation. The caller has made sure that
    the sign-in is fresh. Raises Refused on `typed` when it is another one; Conflict with the code of the first obstacle.
    """
    with writing():
        person = parts.person_of(user=User.objects.select_for_update().get(pk=by.pk))
        known = Farewell.objects.filter(user=person.user).first()
        if known is not None and known.cause != Farewell.Cause.IDLE:
            return known
        wanted = person.player.display_name if person.player is not None else person.user.email
        if typed.strip().casefold() != wanted.casefold():
            raise Refused(
                "typed_name", _("Type “%(name)s” to confirm.") % {"name": wanted}, field="typed", wanted=wanted
            )
        return _begin(person, Farewell.Cause.ASKED, timedelta(days=settings.ERASE_AFTER_DAYS))


def ask_for(*, by: By, user: User | None = None, player: Player | None = None, days: int | None = None) -> Farewell:
    """Return the erasure of somebody who asked by letter, for an administrator. Recorded in the journal. Idempotent.

    `days`: until it is done; ERASE_AFTER_DAYS unless given. Raises Conflict with the code of the first obstacle.
    """
    with writing():
        require(by, "login.manage", needed="administrator")
        person = parts.person_of(user=user, player=player)
        if person.player is not None and person.player.bot:
            raise Refused("bot", _("A bot’s player is nobody’s data."), field="player")
        known = _farewells(person).first()
        if known is not None and known.cause != Farewell.Cause.IDLE:
            return known
        days = settings.ERASE_AFTER_DAYS if days is None else days
        farewell = _begin(person, Farewell.Cause.LETTER, timedelta(days=days))
        record(OPEN, "erasure.asked", actor=label(by), body={"person": person.label, "by": "letter"})
        return farewell


def take_back(*, by: User) -> bool:
    """Take the own erasure back; return whether there was one."""
    with writing():
        return bool(Farewell.objects.filter(user=by).delete()[0])


def take_back_for(*, by: By, person: Person) -> bool:
    """Take back what `ask_for` began, for an administrator; return whether there was something."""
    with writing():
        require(by, "login.manage", needed="administrator")
        return bool(_farewells(person).delete()[0])


def do_due() -> int:
    """Do the erasures that are due, each in a transaction of its own; return how many were done. Idempotent.

    What is prevented by an obstacle is postponed to the next run. An idle login that was used meanwhile is left alone.
    """
    count, until = 0, clock.monotonic() + STEP_S
    for pk in list(Farewell.objects.filter(due_at__lte=clock.now()).order_by("due_at").values_list("pk", flat=True)):
        if clock.monotonic() > until:
            break
        try:
            with writing():
                # Another worker may have done it meanwhile.
                found = Farewell.objects.select_for_update(of=("self",)).filter(pk=pk).first()
                count += found is not None and _do(found)
        except Conflict as reason:
            log.error("an erasure is not possible: %s", reason.code)
    return count


def wipe_traces() -> bool:
    """Rewrite the database's file if somebody was erased since the last time; return whether it was done."""
    waiting = Erased.objects.filter(wiped=False)
    if not waiting.exists() or not wipe():
        return False
    with writing():
        waiting.update(wiped=True)
    return True


def erase(person: Person, *, by: By = SITE, pseudonym: str = "") -> Done:
    """Erase a person now, whatever would be an obstacle. One transaction, with an entry in the journal.

    `pseudonym`: drawn unless given; a restore gives the former one.
    """
    with writing():
        unhurried()
        leaving = Leaving(person, pseudonym or _new_pseudonym(person), clock.now(), events_of(person))
        before = Redaction.objects.count()
        _farewells(person).delete()
        parts.forget(leaving)
        if len([text for text in leaving.changed if not text.startswith("team ")]) > MOST_TEXTS:
            raise Conflict("common_name", _("This name stands in very many texts: an administrator changes it first."))
        body = {"person": person.label, "redactions": Redaction.objects.count() - before}
        record(OPEN, KIND, actor=label(by), body=body)
        Erased.objects.get_or_create(
            label=person.label,
            defaults={"pseudonym": leaving.pseudonym, "at": leaving.at},
        )
        transaction.on_commit(lambda: accounts.forget_files(leaving))
        transaction.on_commit(restored.write_lists)
    log.info("erased %s: %d texts rewritten", person.label, len(leaving.changed))
    return Done(person.label, leaving.pseudonym, tuple(leaving.changed))


def farewell_of(user: User) -> Farewell | None:
    """Return the erasure that is to come, None without one. One query.

    For the person, who has signed in: an erasure of an idle login is void then, and the next run deletes it.
    """
    return Farewell.objects.filter(user=user).exclude(cause=Farewell.Cause.IDLE).first()


def obstacles(user: User) -> list[Obstacle]:
    """Return what must end before the login and its player can be erased."""
    return parts.obstacles(parts.person_of(user=user))


def begin_idle(user: User) -> Farewell:
    """Return the erasure of a login that nobody uses, asked for by a letter; a sign-in until then takes it back."""
    with writing():
        return _begin(parts.person_of(user=user), Farewell.Cause.IDLE, timedelta(days=settings.IDLE_ANSWER_DAYS))


def _begin(person: Person, cause: str, after: timedelta) -> Farewell:
    """Write the erasure and promise the letter about it. Raises Conflict for the first obstacle, unless nobody is asked."""
    found = [] if cause == Farewell.Cause.IDLE else parts.obstacles(person)
    if found:
        raise Conflict(found[0].code, found[0].sentence)
    _farewells(person).delete()
    now = clock.now()
    farewell = Farewell.objects.create(
        user=person.user, player=person.player, cause=cause, asked_at=now, due_at=now + after
    )
    promise(person, farewell)
    return farewell


def _do(farewell: Farewell) -> bool:
    """Do one erasure that is due; return whether it was done. The caller holds its row."""
    person = parts.person_of(user=farewell.user, player=farewell.player)
    if farewell.cause == Farewell.Cause.IDLE and not _is_still_idle(farewell):
        farewell.delete()
        return False
    found = parts.obstacles(person)
    if not found:
        erase(person)
        return True
    if farewell.postponed_at is None:
        Farewell.objects.filter(pk=farewell.pk).update(postponed_at=clock.now())
    if farewell.cause != Farewell.Cause.IDLE and clock.now() - farewell.asked_at > LATEST:
        log.error("the erasure of %s waits for more than 30 days: %s", person.label, ", ".join(o.code for o in found))
    return False


def _is_still_idle(farewell: Farewell) -> bool:
    since = clock.now() - farewell.asked_at
    return farewell.user is not None and accounts.idle(since).filter(pk=farewell.user.pk).exists()


def _farewells(person: Person) -> QuerySet[Farewell]:
    found = Farewell.objects.none()
    if person.user is not None:
        found = found | Farewell.objects.filter(user=person.user)
    if person.player is not None:
        found = found | Farewell.objects.filter(player=person.player)
    return found


def _new_pseudonym(person: Person) -> str:
    """Return a name such as “Joueur 8F3” that nobody has, drawn by lot: it cannot be derived from the old one.

    The word is of the language that the player had. It gets longer when the short ones become rare.
    """
    if person.player is None:
        return ""
    with translation.override(person.player.language):
        word = (gettext("Player %(sign)s") % {"sign": ""}).strip()
    for length in (3, 3, 3, 4, 4, 5, 6, 8):
        name = f"{word} {''.join(secrets.choice(LETTERS) for _letter in range(length))}"
        alike = Player.objects.filter(display_name__istartswith=word).values_list("display_name", flat=True)
        if first_confusable(name, alike) is None and not Erased.objects.filter(pseudonym=name).exists():
            return name
    raise Conflict("pseudonym", _("No free pseudonym was found; try again."))
