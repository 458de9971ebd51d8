"""What accounts hold about a person, and how a login ends for good."""

import json
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from tock_league.common import clock
from tock_league.common.models import OutboxRow
from tock_league.common.persons import Leaving, Obstacle, Person, Row, Section, exported, of_login, of_player

from . import blocks, bot_accounts, consents
from .devices import counted
from .models import (
    DEFAULT_TIME_ZONE,
    BirthYear,
    Block,
    BotAccount,
    Consent,
    ConsentRequest,
    Merge,
    Player,
    Role,
    Token,
    User,
    naming,
)

# What axes keeps about tries to sign in, by the name of the section.
BETWEEN_MAILS = b"-" * 79 + b"\n"  # Django writes it after each mail; those of one second may share a file
TRIES: dict[str, Any] = {"wrong_passwords": AccessAttempt, "sign_ins": AccessLog, "failed_sign_ins": AccessFailureLog}


def obstacles(person: Person) -> Iterator[Obstacle]:
    """Yield what a login must settle first: the site keeps an administrator."""
    others = User.objects.filter(is_active=True).exclude(pk=person.user.pk if person.user is not None else 0)
    held = Role.objects.filter(name=Role.Name.ADMINISTRATOR, until__isnull=True)
    mine = person.user is not None and person.user.is_superuser
    mine = mine or (person.player is not None and held.filter(player=person.player).exists())
    if mine and not others.filter(Q(is_superuser=True) | Q(player__in=held.values("player"))).exists():
        yield Obstacle("sole_administrator", _("You are the site’s only administrator: name another one first."))


def forget(leaving: Leaving) -> None:
    """End roles, give the player the pseudonym, and delete the login with everything that belongs to it."""
    person = leaving.person
    _clean_admin_log(leaving)
    if person.player is not None:
        consents.forget(person.player)
        blocks.forget(person.player)
        bot_accounts.forget(person.player, leaving.pseudonym)
        _clean_papers(leaving)
        Role.objects.filter(player=person.player, until__isnull=True).update(until=leaving.at)
        # Not through edit_profile: the pseudonym is judged by the caller.
        Player.objects.filter(pk=person.player.pk).update(
            **naming(leaving.pseudonym),
            time_zone=DEFAULT_TIME_ZONE,
            user=None,
            updated_at=leaving.at,
        )
    if person.user is None:
        return
    OutboxRow.objects.filter(_letters_to(person)).delete()
    for model in TRIES.values():
        model.objects.filter(_tries_of(person)).delete()
    keys = UserSession.objects.filter(user=person.user).values_list("session_key", flat=True)
    Session.objects.filter(session_key__in=list(keys)).delete()
    User.objects.filter(pk=person.user.pk).delete()


def forget_files(leaving: Leaving) -> None:
    """Delete the mails in the folder of a site that sends none, and the demo's password, of the erased person."""
    for path in _mail_folder():
        mails = path.read_bytes().split(BETWEEN_MAILS)
        kept = [one for one in mails if not leaving.is_named_in(_decoded(one))]
        if not b"".join(kept).strip():
            path.unlink(missing_ok=True)
        elif len(kept) < len(mails):
            path.write_bytes(BETWEEN_MAILS.join(kept))  # the file keeps its mode
    folder = getattr(settings, "DATA", None)
    demo = Path(folder) / "demo_accounts.json" if folder is not None else None
    if demo is not None and demo.exists():
        known = json.loads(demo.read_text(encoding="ascii"))
        others = {address: word for address, word in known.items() if address not in leaving.person.addresses}
        if others != known:
            demo.write_text(json.dumps(others, indent=1), encoding="ascii")  # the file keeps its mode


def forget_old_mails() -> int:
    """Delete mails that lie in the folder of a site that sends none for longer than KEEP_LETTERS_DAYS; return how many."""
    oldest = (clock.now() - timedelta(days=settings.KEEP_LETTERS_DAYS)).timestamp()
    old = [path for path in _mail_folder() if path.stat().st_mtime < oldest]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


def unconfirmed() -> QuerySet[User]:
    """Return the logins whose address nobody confirmed within KEEP_UNCONFIRMED_DAYS; none where nothing is confirmed."""
    if settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory":
        return User.objects.none()
    oldest = clock.now() - timedelta(days=settings.KEEP_UNCONFIRMED_DAYS)
    return User.objects.filter(
        date_joined__lt=oldest,
        last_login__isnull=True,
        is_staff=False,
        is_superuser=False,
        player__account__isnull=True,
        player__merged__isnull=True,  # somebody else's games are under this name
    ).exclude(pk__in=EmailAddress.objects.filter(verified=True).values("user"))


def idle(since: timedelta) -> QuerySet[User]:
    """Return the logins that nobody has used for so long. Administrators are not among them: others end their role first."""
    oldest = clock.now() - since
    seen = UserSession.objects.filter(last_seen_at__gte=oldest).values("user")
    used = Q(last_login__lt=oldest) | Q(last_login__isnull=True, date_joined__lt=oldest)
    people = {
        "is_staff": False,
        "is_superuser": False,
        "player__account__isnull": True,
    }  # nobody signs in to a bot account
    found = User.objects.filter(used, **people).exclude(pk__in=seen)
    return found.exclude(player__roles__until__isnull=True, player__roles__isnull=False)


def _clean_admin_log(leaving: Leaving) -> None:
    """Take the name and the addresses out of the admin's list of its own changes."""
    for row in LogEntry.objects.order_by("pk").iterator(500):
        if leaving.is_named_in(f"{row.object_repr} {row.change_message}"):
            texts = {name: leaving.cleaned(getattr(row, name)) for name in ("object_repr", "change_message")}
            LogEntry.objects.filter(pk=row.pk).update(**texts)


def _clean_papers(leaving: Leaving) -> None:
    """Take the name out of consents that the person signed on paper; a club holds the paper itself."""
    for row in Consent.objects.exclude(guardian="").order_by("pk").iterator(500):
        if leaving.is_named_in(row.guardian):
            Consent.objects.filter(pk=row.pk).update(guardian=leaving.cleaned(row.guardian))
            leaving.changed.append(f"consent {row.pk} guardian")


def _letters_to(person: Person) -> Q:
    return Q(body__email__in=list(person.addresses))


def _tries_of(person: Person) -> Q:
    """Return the condition of the rows of axes about the login: `devices.tried_name` says how they name it."""
    found = Q(username=person.user.username)
    for address in person.addresses:
        found |= Q(username=counted(address)) | Q(username__startswith=f"{counted(address)} ")
    return found


def _mail_folder() -> list[Path]:
    folder = getattr(settings, "EMAIL_FILE_PATH", None)
    if not folder or "filebased" not in settings.EMAIL_BACKEND or not Path(folder).is_dir():
        return []
    return sorted(Path(folder).glob("*.log"))


def _decoded(written: bytes) -> str:
    """Return what a mail says, with its headers: decoded, and as it is written."""
    message = message_from_bytes(written.strip(), policy=policy.default)
    body = message.get_body(("plain", "html")) if isinstance(message, EmailMessage) else None
    text = body.get_content() if body is not None else ""
    return f"{message['to']} {message['subject']} {text} {written.decode(errors='replace')}"


def _login(person: Person) -> Iterator[Row]:
    if (user := person.user) is not None:
        yield exported(
            user, "email", "username", "date_joined", "last_login", "is_active", "is_staff", "is_superuser",
            has_password=user.has_usable_password(),
        )  # fmt: skip


def _player(person: Person) -> Iterator[Row]:
    if person.player is not None:
        yield exported(
            person.player, "slug", "display_name", "page_for", "shows_presence", "language", "time_zone", "created_at",
            "updated_at",
        )  # fmt: skip


def _consents(person: Person) -> Iterator[Row]:
    """Yield the consents about the person, and those that the person gave for children, who stay without a name."""
    if person.player is None:
        return
    found = Consent.objects.filter(Q(player=person.player) | Q(given_by=person.player)).order_by("pk")
    for row in found:
        own = row.player_id == person.player.pk
        yield exported(
            row, "purpose", "version", "given_at", "withdrawn_at",
            about_you=own, given_by_you=row.given_by_id == person.player.pk, guardian=row.guardian if own else "",
        )  # fmt: skip


def _blocks(person: Person) -> Iterator[Row]:
    """Yield the person's own blocks; who has blocked the person is not theirs to know."""
    for row in blocks.of(person.player) if person.player is not None else ():
        yield exported(row, "blocked", "since")


def _bots(person: Person) -> Iterator[Row]:
    """Yield the bot accounts that the person keeps."""
    for row in BotAccount.objects.filter(owner=person.player).select_related("player") if person.player else ():
        yield exported(row, "made_at", "closed_at", slug=row.player.slug, name=row.player.display_name)


def _roles(person: Person) -> Iterator[Row]:
    for row in Role.objects.filter(player=person.player).select_related("given_by") if person.player else ():
        yield exported(row, "name", "since", "until", "given_by")


def _merges(person: Person) -> Iterator[Row]:
    """Yield the merges of the person's players; the other player of each is the person too."""
    if person.player is None:
        return
    mine = Merge.objects.filter(Q(former=person.player) | Q(kept=person.player))
    for row in mine.select_related("former", "kept").order_by("pk"):
        yield exported(row, "former", "kept", "at", "separated_at")


def _tokens(person: Person) -> Iterator[Row]:
    """Yield the tokens of the login, and those of the person's bot accounts with the public id of the bot."""
    if person.user is None:
        return
    own = Q(user=person.user) | Q(user__player__account__owner__user=person.user)
    for row in Token.objects.filter(own).select_related("user__player").order_by("pk"):
        bot = row.user.player.slug if row.user_id != person.user.pk else ""
        yield exported(row, "name", "scopes", "personal", "created_at", "expires_at", "used_at", "revoked_at", bot=bot)


def _tries(model: Any) -> Any:
    def rows(person: Person) -> Iterator[Row]:
        for row in model.objects.filter(_tries_of(person)).order_by("pk") if person.user is not None else ():
            yield exported(row, "attempt_time", "ip_address", "user_agent", "path_info")

    return rows


def _confirmations(person: Person) -> Iterator[Row]:
    rows = EmailConfirmation.objects.filter(email_address__user=person.user) if person.user is not None else ()
    for row in rows:
        yield exported(row, "created", "sent", address=row.email_address.email)


def _letters(person: Person) -> Iterator[Row]:
    """Yield the letters that wait to be sent."""
    for row in OutboxRow.objects.filter(_letters_to(person)).order_by("pk") if person.addresses else ():
        yield exported(row, "created_at", kind=row.body.get("kind"), email=row.body.get("email"))


SECTIONS = (
    Section("login", User._meta.label, _login),
    Section("player", Player._meta.label, _player),
    Section("birth_year", BirthYear._meta.label, of_player(BirthYear, "year", "called", "told_at")),
    Section("consents", Consent._meta.label, _consents),
    Section("consent_request", ConsentRequest._meta.label, of_player(ConsentRequest, "expires_at")),
    Section("bots", BotAccount._meta.label, _bots),
    Section("blocked_people", Block._meta.label, _blocks),
    Section("addresses", EmailAddress._meta.label, of_login(EmailAddress, "email", "verified", "primary")),
    Section("confirmations", EmailConfirmation._meta.label, _confirmations),
    Section("second_factors", Authenticator._meta.label, of_login(Authenticator, "type", "created_at", "last_used_at")),
    Section(
        "sessions", UserSession._meta.label, of_login(UserSession, "created_at", "last_seen_at", "ip", "user_agent")
    ),
    Section("tokens", Token._meta.label, _tokens),
    *(Section(name, model._meta.label, _tries(model)) for name, model in TRIES.items()),
    Section("merges", Merge._meta.label, _merges),
    Section("site_roles", Role._meta.label, _roles),
    Section("letters", OutboxRow._meta.label, _letters),
    Section("admin_log", LogEntry._meta.label, of_login(LogEntry, "action_time", "object_repr", "change_message")),
)
