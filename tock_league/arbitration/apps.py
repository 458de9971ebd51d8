from django.apps import AppConfig


class ArbitrationConfig(AppConfig):
    name = "tock_league.arbitration"
    label = "arbitration"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tock_league.journal.selectors import entries

        from . import permissions  # noqa: F401  registers this app's rules
        from .selectors.cases.sealed import sealed

        entries.sealed_by(sealed)
