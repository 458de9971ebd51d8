from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "tock_league.pages"
    label = "pages"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import checks  # noqa: F401  registers them
