from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "tock_league.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import permissions  # noqa: F401  registers this app's rules
