from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "tock_league.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tock_league.common import passwords
        from tock_league.journal.selectors import entries

        from . import permissions, selectors  # noqa: F401  registers this app's rules

        entries.named_by("player", selectors.names_of)
        passwords.names_of_the_person(selectors.own_names)
