from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "tock_league.clubs"
    label = "clubs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import permissions  # noqa: F401  registers this app's rules
