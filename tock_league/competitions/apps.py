from django.apps import AppConfig


class CompetitionsConfig(AppConfig):
    name = "tock_league.competitions"
    label = "competitions"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import permissions  # noqa: F401  registers this app's rules
