"""Access tokens: made, shown once, used, revoked (decision 0047).

A token acts as its person and has no right that the person lacks: permissions are checked as for a session, so a role that
needs a second factor gives no right without one. Its scopes only take rights away. A new password revokes all tokens, as it
ends all sessions. The tokens of an application are issued by tock_league.oauth; whatever opens something with a token does
not tell them from personal ones.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from tock_league.common import bus, clock
from tock_league.common.errors import NotThere, Refused
from tock_league.common.ids import new_slug
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from .announcements import TokensRevoked
from .models import TOKEN_NAME_LENGTH, Token, User
from .permissions import holds_protected

PREFIX = "tock_"  # so that people and programs that look for secrets recognise one
SECRET_LENGTH = 48  # random characters: 237 bits, and one double click selects them
HINT = 4
MOST = 20  # tokens in force a person has at most
LONGEST_DAYS = 365
LONGEST_STAFF_DAYS = 90  # for people with a role that MFA_REQUIRED_ROLES names
USE_STEP = timedelta(minutes=10)
LONGEST_HEADER = 128  # characters; a longer one holds no token of ours
Scope = Token.Scope


@dataclass(frozen=True)
class Made:
    """A new token, with its secret, which is nowhere else."""

    token: Token
    secret: str


def digest(secret: str) -> str:
    """Return the SHA-256, hex, under which the database stores a secret. It is random, so that a fast hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def in_force() -> Q:
    """Return the condition of the tokens that open something now."""
    return Q(revoked_at__isnull=True, expires_at__gt=clock.now())


def of(user: User) -> QuerySet[Token]:
    """Return the personal tokens of a login, the newest first. One query."""
    return Token.objects.filter(user=user, personal=True)


def longest_days(user: User) -> int:
    """Return for how many days a new token of the login lasts at most."""
    return LONGEST_STAFF_DAYS if holds_protected(user) else LONGEST_DAYS


def make(*, by: User, name: str, scopes: Collection[str], days: int) -> Made:
    """Return a new token of the person asking. `scopes`: `read` is added, because no other is of use without it.

    Raises Refused on `name`, `scopes` or `days`, and `tokens_most` when the person has MOST in force.
    """
    with writing():
        User.objects.select_for_update().get(pk=by.pk)  # the limit holds for concurrent requests
        unknown = sorted(set(scopes) - set(Scope.values))
        if unknown:
            text = _("There is no scope “%(scope)s”: choose among %(known)s.")
            raise Refused("scope", text % {"scope": unknown[0][:20], "known": ", ".join(Scope.values)}, field="scopes")
        most = longest_days(by)
        if not 1 <= days <= most:
            raise Refused("token_days", _("Choose between 1 and %(most)d days.") % {"most": most}, field="days")
        if Token.objects.filter(in_force(), user=by, personal=True).count() >= MOST:
            text = _("You have %(most)d tokens in force, which is the most. Revoke one first.")
            raise Refused("tokens_most", text % {"most": MOST})
        secret = PREFIX + new_slug(SECRET_LENGTH)
        now = clock.now()
        token = Token(
            user=by,
            name=name.strip(),
            scopes=[scope for scope in Scope.values if scope in {*scopes, Scope.READ}],
            digest=digest(secret),
            hint=secret[-HINT:],
            created_at=now,
            expires_at=now + timedelta(days=days),
        )
        checked(token).save(force_insert=True)
        return Made(token, secret)


def issue(*, user: User, name: str, scopes: Collection[str], lasts: timedelta, secret: str) -> Token:
    """Return a new token that an application shows for the login, after its person has permitted it; the application's
    name is cut to fit. `secret`: random, with PREFIX.
    """
    with writing():
        now = clock.now()
        return Token.objects.create(
            user=user,
            name=name[:TOKEN_NAME_LENGTH],
            scopes=[scope for scope in Scope.values if scope in scopes],
            digest=digest(secret),
            hint=secret[-HINT:],
            created_at=now,
            expires_at=now + lasts,
            personal=False,
        )


def end(found: QuerySet[Token]) -> int:
    """Take these tokens of applications out of force; return how many."""
    with writing():
        return found.filter(personal=False, revoked_at__isnull=True).update(revoked_at=clock.now())


def forget_issued(found: QuerySet[Token]) -> int:
    """Delete these tokens of applications; return how many."""
    with writing():
        return found.filter(personal=False).delete()[1].get(Token._meta.label, 0)


def revoke(*, by: User, pk: int) -> Token:
    """Take one of the own tokens out of force. Idempotent. NotThere for one of somebody else, or of an application."""
    with writing():
        token = Token.objects.select_for_update().filter(user=by, pk=pk, personal=True).first()
        if token is None:
            raise NotThere
        if token.revoked_at is None:
            token.revoked_at = clock.now()
            token.save(update_fields=["revoked_at"])
        return token


def revoke_all(user: User) -> int:
    """Take every token of a login out of force, and what applications may do for it; return how many tokens."""
    with writing():
        bus.publish(TokensRevoked(user.pk))
        return Token.objects.filter(user=user, revoked_at__isnull=True).update(revoked_at=clock.now())


def opened(secret: str) -> Token:
    """Return the token of a secret, with its user and player, and note its use. One query, and a write now and then.

    Raises Refused (401): `token_unknown`, also for a login that is shut; `token_revoked`; `token_expired`.
    """
    token = Token.objects.select_related("user__player").filter(digest=digest(secret)).first()
    if token is None or not token.user.is_active:
        raise Refused("token_unknown", _("This token is not known here."), status=401)
    if token.revoked_at is not None:
        raise Refused("token_revoked", _("This token was revoked."), status=401)
    now = clock.now()
    if token.expires_at <= now:
        raise Refused("token_expired", _("This token has expired."), status=401)
    if token.used_at is None or token.used_at + USE_STEP <= now:
        with writing():
            Token.objects.filter(pk=token.pk).update(used_at=now)
    return token


def opened_for(secret: str, scope: str) -> Token:
    """Return the token of a secret as `opened` does, if it may do what needs `scope`. Raises Refused `token_scope` (403)."""
    token = opened(secret)
    require_scope(token, scope)
    return token


def require_scope(token: Token, scope: str) -> None:
    """Raise Refused `token_scope` (403) unless the token has the scope."""
    if scope not in token.scopes:
        text = _("This token may not do that: it needs the scope “%(scope)s”.") % {"scope": scope}
        raise Refused("token_scope", text, status=403, needed=str(scope))


def secret_in(header: str) -> str:
    """Return the secret of a header `Authorization: Bearer tock_…`. Raises Refused `token_malformed` (401)."""
    kind, _space, secret = header.partition(" ")
    if kind.lower() != "bearer" or not secret or len(header) > LONGEST_HEADER:
        text = _("Write the header as “Authorization: Bearer” and the token.")
        raise Refused("token_malformed", text, field="Authorization", status=401)
    return secret
