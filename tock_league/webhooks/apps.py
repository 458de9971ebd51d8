from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "tock_league.webhooks"
    label = "webhooks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tock_league.notices import names

        from . import permissions, selectors  # noqa: F401  permissions registers this app's rule

        names.offer("webhook", selectors.names_of)
