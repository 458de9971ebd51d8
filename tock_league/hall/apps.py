from django.apps import AppConfig


class HallConfig(AppConfig):
    name = "tock_league.hall"
    label = "hall"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import permissions  # noqa: F401  registers this app's rules
