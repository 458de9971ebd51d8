from django.apps import AppConfig


class NewcomersConfig(AppConfig):
    name = "tock_league.newcomers"
    label = "newcomers"
    default_auto_field = "django.db.models.BigAutoField"
