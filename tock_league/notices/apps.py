from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "tock_league.notices"
    label = "notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_out

        from tock_league.accounts import selectors

        from . import names, services

        names.offer("player", selectors.names_of)
        user_logged_out.connect(services.signed_out, dispatch_uid="notices.devices")
