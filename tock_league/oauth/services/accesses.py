"""What a person lets an application do: permitted on the consent page, used by it, ended by the person or the site."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tock_league.accounts import tokens
from tock_league.accounts.announcements import LoginShut, TokensRevoked
from tock_league.accounts.models import Player, Token, User
from tock_league.common import clock
from tock_league.common.errors import NotThere, Refused
from tock_league.common.ids import new_slug
from tock_league.common.transactions import writing
from tock_league.notices.services import tell

from ..models import LINE_LENGTH, Access, Application, Code, Refresh

CODE_LASTS = timedelta(seconds=60)
TOKEN_LASTS = timedelta(hours=1)
UNUSED = timedelta(days=90)  # after so long without use an access ends
KEPT = timedelta(days=30)  # what has ended is kept so long, for the person to see in the copy of their data
REMEMBERED = timedelta(days=1)  # an expired code or token is kept so long, so that a second use is noticed


def in_force() -> Q:
    """Return the condition of the accesses that give something now."""
    return Q(
        ended_at__isnull=True,
        expires_at__gt=clock.now(),
        user__is_active=True,
        application__suspended_at__isnull=True,
        application__owner__user__is_active=True,
    )


def ends_at(user: User) -> datetime:
    """Return when an access that the person permits now ends at the latest: as a personal token would."""
    return clock.now() + timedelta(days=tokens.longest_days(user))


def permit(
    *, user: User, application: Application, scopes: Collection[str], redirect: str, challenge: str, secret: str
) -> Code:
    """Write that a person permits an application these scopes, and a code that it can change for tokens. Return the code.

    The person is told by a notice when the application is new to them, or gets more than before. `secret`: of the code.
    Raises Refused `application_gone` where the application is suspended meanwhile.
    """
    with writing():
        found = Application.objects.select_for_update().filter(pk=application.pk, suspended_at__isnull=True).first()
        if found is None:
            raise Refused("application_gone", _("This application may not ask for access any more."), status=409)
        access, grows = _permitted(user, found, scopes)
        now = clock.now()
        code = Code.objects.create(
            access=access,
            digest=tokens.digest(secret),
            line=new_slug(LINE_LENGTH),
            scopes=_ordered(scopes),
            redirect=redirect,
            challenge=challenge,
            created_at=now,
            expires_at=now + CODE_LASTS,
        )
        if grows:
            _tell(access)
        return code


def _permitted(user: User, application: Application, scopes: Collection[str]) -> tuple[Access, bool]:
    """Return the person's access, with its limits moved, and whether it is new or has grown."""
    now = clock.now()
    held = Access.objects.select_for_update().filter(application=application, user=user, ended_at__isnull=True).first()
    if held is not None and held.expires_at <= now:
        end(held)
        held = None
    grows = held is None or not set(scopes) <= set(held.scopes)
    access = held or Access(application=application, user=user, since=now)
    access.scopes = _ordered({*access.scopes, *scopes})
    access.ends_at = ends_at(user)
    access.expires_at = min(now + UNUSED, access.ends_at)
    access.save()
    return access, grows


def _ordered(scopes: Collection[str]) -> list[str]:
    return [scope for scope in Token.Scope.values if scope in scopes]


def _tell(access: Access) -> None:
    player = Player.objects.filter(user=access.user).first()
    if player is not None:
        key = f"{access.pk}:{'-'.join(access.scopes)}"
        page = reverse("oauth:accesses")
        tell([player.pk], "application_access", key, address=page, application=access.application.client_id)


def locked(pk: int) -> Access | None:
    """Return the access of this key if it is in force, locked; else None. Inside the caller's transaction."""
    if not Access.objects.select_for_update().filter(pk=pk).exists():
        return None
    return Access.objects.select_related("application", "user").filter(in_force(), pk=pk).first()


def end(access: Access) -> None:
    """End an access, with its codes and tokens; the sockets of these end in seconds. Idempotent."""
    with writing():
        _end(Access.objects.filter(pk=access.pk))


def end_own(*, by: User, pk: int) -> Access:
    """End the access of an application, for the person who gave it. Idempotent. NotThere for one of somebody else."""
    with writing():
        access = Access.objects.select_related("application").filter(user=by, pk=pk).first()
        if access is None:
            raise NotThere
        end(access)
        return access


def end_line(line: str) -> None:
    """End what follows from one consent: a code of it was used a second time (RFC 6749, 4.1.2)."""
    with writing():
        tokens.end(Token.objects.filter(issued__line=line))
        Refresh.objects.filter(line=line, revoked_at__isnull=True).update(revoked_at=clock.now())


def end_of_application(application: Application) -> None:
    """End everything that an application may do."""
    with writing():
        _end(Access.objects.filter(application=application))


def tokens_revoked(announcement: TokensRevoked) -> None:
    """End what applications may do for a login whose access tokens are revoked."""
    _end(Access.objects.filter(user=announcement.user_id))


def login_shut(announcement: LoginShut) -> None:
    """End what the applications of a login that is shut may do for anybody."""
    _end(Access.objects.filter(application__owner__user=announcement.user_id))


def _end(found: QuerySet[Access]) -> None:
    """End accesses, locked in the order of their keys: a token that is being issued for one of them ends too."""
    keys = list(found.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
    now = clock.now()
    Access.objects.filter(pk__in=keys, ended_at__isnull=True).update(ended_at=now)
    Code.objects.filter(access__in=keys).delete()
    Refresh.objects.filter(access__in=keys).delete()
    tokens.end(Token.objects.filter(issued__access__in=keys))


def forget() -> int:
    """Delete what has ended long enough ago: codes, refresh tokens, access tokens, accesses. Return how many."""
    with writing():
        now = clock.now()
        count = tokens.forget_issued(Token.objects.filter(expires_at__lt=now - REMEMBERED))
        for model in (Code, Refresh):
            count += model.objects.filter(expires_at__lt=now - REMEMBERED).delete()[0]
        gone = Q(ended_at__lt=now - KEPT) | Q(expires_at__lt=now - KEPT)
        return count + Access.objects.filter(gone).delete()[0]
