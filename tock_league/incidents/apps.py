from django.apps import AppConfig


class IncidentsConfig(AppConfig):
    name = "tock_league.incidents"
    label = "incidents"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import permissions  # noqa: F401  registers this app's rule
