from django.apps import AppConfig


class ArbitrationConfig(AppConfig):
    name = "tock_league.arbitration"
    label = "arbitration"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import permissions  # noqa: F401  registers this app's rules
