from django.apps import AppConfig


class ImportsConfig(AppConfig):
    name = "tock_league.imports"
    label = "imports"
