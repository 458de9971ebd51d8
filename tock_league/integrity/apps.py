from django.apps import AppConfig


class IntegrityConfig(AppConfig):
    name = "tock_league.integrity"
    label = "integrity"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tock_league.journal.selectors import entries

        from . import permissions  # noqa: F401  registers this app's rule

        entries.named_by("integrity", lambda _slugs: {})  # a stream without a name is private
