"""Applications of other sites: registered, changed and deleted by a person; suspended by the site's staff."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from tock_league.accounts import minors, tokens
from tock_league.accounts.models import Player, Token
from tock_league.accounts.permissions import Person, label, require
from tock_league.common import clock, limits
from tock_league.common.errors import NotThere, Refused
from tock_league.common.ids import new_slug
from tock_league.common.names import checked_name, is_marked, plain_look_of, skeleton
from tock_league.common.transactions import writing
from tock_league.common.validation import checked
from tock_league.journal.services import OPEN, record

from ..models import ID_LENGTH, NAME_LENGTH, TEXT_LENGTH, Application
from . import accesses, redirects

MOST = 5  # applications of a person
MADE_A_DAY = 10
PREFIX = "tock_secret_"
SECRET_LENGTH = 48  # random characters: 237 bits, so that a fast hash is enough
HINT = 4
SITE_NAMES = ("tock league", "tockleague")


@dataclass(frozen=True)
class Made:
    """An application with its new secret, which is nowhere else; "" for a public one."""

    application: Application
    secret: str


def register(*, by: Person, name: str, website: str, description: str, redirects_to: Iterable[str], kind: str) -> Made:
    """Return a new application of the person asking, with its secret where it is confidential.

    Raises NotAllowed for visitors and bots; `child_office` for a child, who must not answer for a program;
    `applications_most` when the person has MOST; Refused on `name`, `website`, `description`, `redirects` or `kind`.
    """
    with writing():
        owner = _person(by)
        minors.require_no_child(owner)
        if Application.objects.filter(owner=owner).count() >= MOST:
            text = _("You have %(most)d applications, which is the most. Delete one first.")
            raise Refused("applications_most", text % {"most": MOST})
        row = Application(owner=owner, client_id=new_slug(ID_LENGTH), kind=kind, made_at=clock.now())
        _fill(row, name=name, website=website, description=description, redirects_to=redirects_to)
        secret = _new_secret(row) if kind == Application.Kind.CONFIDENTIAL else ""
        checked(row)
        text = _("You have registered many applications today. Come back tomorrow.")
        limits.spend_of_day(owner, "application", count=MADE_A_DAY, sentence=text)
        row.save(force_insert=True)
        return Made(row, secret)


def change(
    *, by: Person, client_id: str, name: str, website: str, description: str, redirects_to: Iterable[str]
) -> Application:
    """Change one of the own applications; whether it is public stays. Raises Refused as `register` does, and NotThere."""
    with writing():
        row = _own(by, client_id)
        _fill(row, name=name, website=website, description=description, redirects_to=redirects_to)
        checked(row).save(update_fields=["name", "look", "website", "description", "redirects"])
        return row


def renew_secret(*, by: Person, client_id: str) -> Made:
    """Give one of the own applications a new secret; the former one opens nothing any more.

    Raises Refused `application_public` for an application without a secret.
    """
    with writing():
        row = _own(by, client_id)
        if row.is_public:
            raise Refused("application_public", _("A public application has no secret."))
        secret = _new_secret(row)
        row.save(update_fields=["digest", "hint"])
        return Made(row, secret)


def delete(*, by: Person, client_id: str) -> None:
    """Delete one of the own applications: whatever it may do for anybody ends at once."""
    with writing():
        _delete(_own(by, client_id))


def delete_of(owner: Player) -> None:
    """Delete the applications of somebody who is erased; inside the caller's transaction."""
    for row in Application.objects.select_for_update().filter(owner=owner).order_by("pk"):
        _delete(row)


def reword(row: Application, *, name: str, description: str) -> None:
    """Change the texts of an application of which somebody who is erased was named; inside the caller's transaction."""
    row.set_name(name[:NAME_LENGTH])
    row.description = description[:TEXT_LENGTH]
    row.save(update_fields=["name", "look", "description"])


def suspend(*, by: Person, application: Application) -> Application:
    """Let an application do nothing any more, for nobody: its tokens and sockets end at once. For staff. Idempotent."""
    with writing():
        row = _for_staff(by, application)
        if row.suspended_at is None:
            row.suspended_at = clock.now()
            row.save(update_fields=["suspended_at"])
            accesses.end_of_application(row)
            record(OPEN, "application.suspended", actor=label(by), body={"application": row.client_id})
        return row


def restore(*, by: Person, application: Application) -> Application:
    """Let a suspended application ask people again; what it could do before stays ended. For staff. Idempotent."""
    with writing():
        row = _for_staff(by, application)
        if row.suspended_at is not None:
            row.suspended_at = None
            row.save(update_fields=["suspended_at"])
            record(OPEN, "application.restored", actor=label(by), body={"application": row.client_id})
        return row


def _person(by: Person) -> Player:
    """Return who asks, locked, so that the limits hold for concurrent requests. Raises NotAllowed."""
    require(by, "profile.edit", by, needed="player")
    assert isinstance(by, Player)
    return Player.objects.select_for_update().get(pk=by.pk)


def _own(by: Person, client_id: str) -> Application:
    """Return the application, locked. Raises NotAllowed for visitors and bots, NotThere for somebody else's."""
    require(by, "profile.edit", by, needed="player")
    assert isinstance(by, Player)
    found = Application.objects.select_for_update().filter(owner=by, client_id=client_id).first()
    if found is None:
        raise NotThere
    return found


def _for_staff(by: Person, application: Application) -> Application:
    require(by, "application.suspend", application, needed="administrator")
    return Application.objects.select_for_update().get(pk=application.pk)


def _delete(row: Application) -> None:
    accesses.end_of_application(row)
    tokens.forget_issued(Token.objects.filter(issued__access__application=row))  # they bear its name
    row.delete()


def _new_secret(row: Application) -> str:
    secret = PREFIX + new_slug(SECRET_LENGTH)
    row.digest, row.hint = tokens.digest(secret), secret[-HINT:]
    return secret


def _fill(row: Application, *, name: str, website: str, description: str, redirects_to: Iterable[str]) -> None:
    row.set_name(_judged(row, name))
    website = website.strip()
    if not redirects.is_website(website):
        text = _("Give an address that begins with https://, such as https://example.org.")
        raise Refused("website", text, field="website")
    row.website, row.description = website, description.strip()
    row.redirects = redirects.checked(redirects_to)


def _judged(row: Application, name: str) -> str:
    """Return the name. Raises Refused on `name`: it must be readable, its own, and not that of the site or of a bot."""
    name = checked_name(name, field="name")
    plain = skeleton(name).replace(" ", "")
    if any(skeleton(one).replace(" ", "") in plain for one in SITE_NAMES):
        raise Refused("name_of_site", _("Only the site itself is called “Tock League”."), field="name")
    if is_marked(name):
        text = _("Only the name of a bot account ends with “(bot)”. Choose another name.")
        raise Refused("bot_name", text, field="name")
    if Application.objects.filter(look=plain_look_of(name)).exclude(pk=row.pk).exists():
        raise Refused("name_taken", _("An application has that name. Choose another one."), field="name")
    return name
