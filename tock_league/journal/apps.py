from django.apps import AppConfig


class JournalConfig(AppConfig):
    name = "tock_league.journal"
    label = "journal"
