from django.apps import AppConfig


class ExportsConfig(AppConfig):
    name = "tock_league.exports"
    label = "exports"
