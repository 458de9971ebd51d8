from django.apps import AppConfig


class CompetitionsConfig(AppConfig):
    name = "tock_league.competitions"
    label = "competitions"
    default_auto_field = "django.db.models.BigAutoField"
