from django.apps import AppConfig


class JournalConfig(AppConfig):
    name = "tock_league.journal"
    label = "journal"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from .store import checks  # noqa: F401  registers the check
