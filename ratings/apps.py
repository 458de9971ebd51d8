from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "ratings"
    label = "ratings"

    def ready(self) -> None:
        from . import permissions  # noqa: F401  registers this app's rule
