from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "tock_league.pages"
    label = "pages"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tock_league.notices import names

        from . import checks, digest  # noqa: F401  registers them

        names.offer_digest(digest.parts)
