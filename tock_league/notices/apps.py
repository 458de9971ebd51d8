from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "tock_league.notices"
    label = "notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tock_league.accounts import selectors

        from . import names

        names.offer("player", selectors.names_of)
