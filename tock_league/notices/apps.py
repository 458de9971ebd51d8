from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "tock_league.notices"
    label = "notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.account.signals import password_changed, password_reset, password_set
        from django.contrib.auth.signals import user_logged_out

        from tock_league.accounts import selectors, sessions

        from . import names, services

        names.offer("player", selectors.names_of)
        user_logged_out.connect(services.signed_out, dispatch_uid="notices.devices")
        sessions.ended.connect(services.sessions_ended, dispatch_uid="notices.devices")
        for renewed in (password_changed, password_reset, password_set):
            renewed.connect(services.password_renewed, dispatch_uid="notices.devices")
