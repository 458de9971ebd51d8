from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "tock_league.pages"
    label = "pages"
    default_auto_field = "django.db.models.BigAutoField"
