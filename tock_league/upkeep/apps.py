from django.apps import AppConfig


class UpkeepConfig(AppConfig):
    name = "tock_league.upkeep"
    label = "upkeep"
