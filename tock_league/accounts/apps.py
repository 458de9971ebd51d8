from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import Error, register


class AccountsConfig(AppConfig):
    name = "tock_league.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.account.signals import password_changed, password_reset, password_set
        from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset

        from tock_league.common import passwords
        from tock_league.journal.selectors import entries

        from . import permissions, selectors  # noqa: F401  registers this app's rules

        entries.named_by("player", selectors.names_of)
        passwords.names_of_the_person(selectors.own_names)
        register(known_roles)
        for changed in (authenticator_added, authenticator_removed, authenticator_reset):
            changed.connect(factor_changed, dispatch_uid="sessions after a changed factor")
        password_reset.connect(reset_by_mail, dispatch_uid="device of a reset")
        for renewed in (password_changed, password_reset, password_set):
            renewed.connect(password_renewed, dispatch_uid="tokens after a new password")


def factor_changed(request: Any, user: Any, **_more: Any) -> None:
    """End the other sessions of a person whose second factor has changed; a new password ends all of them."""
    from . import sessions

    sessions.end_others(user, but=request.session.session_key)


def password_renewed(request: Any, user: Any, **_more: Any) -> None:
    """Revoke the access tokens of a person with a new password, and those of the person's bot accounts: whoever knew the old
    one may have made them.
    """
    from . import bot_accounts, tokens

    tokens.revoke_all(user)
    bot_accounts.stop(user)


def reset_by_mail(request: Any, user: Any, **_more: Any) -> None:
    """Note on the request who has set a password by the link in a mail, for ResetDeviceMiddleware."""
    request.reset_by_mail = user


def known_roles(**_options: Any) -> list[Error]:
    """Return an error for each name in MFA_REQUIRED_ROLES that no role has: nobody would notice the missing protection."""
    from .permissions import ROLES

    unknown = sorted(set(settings.MFA_REQUIRED_ROLES) - set(ROLES))
    hint = f"Known roles: {', '.join(ROLES)}."
    return [
        Error(f"MFA_REQUIRED_ROLES names the unknown role {name!r}.", hint=hint, id="accounts.E001") for name in unknown
    ]
