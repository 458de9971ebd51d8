from django.apps import AppConfig


class CalendarsConfig(AppConfig):
    name = "tock_league.calendars"
    label = "calendars"
    default_auto_field = "django.db.models.BigAutoField"
