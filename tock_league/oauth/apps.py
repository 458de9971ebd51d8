from django.apps import AppConfig


class OauthConfig(AppConfig):
    name = "tock_league.oauth"
    label = "oauth"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tock_league.notices import names

        from . import permissions, selectors  # noqa: F401  permissions registers this app's rule

        names.offer("application", selectors.names_of)
