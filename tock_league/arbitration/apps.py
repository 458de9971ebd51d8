from django.apps import AppConfig


class ArbitrationConfig(AppConfig):
    name = "tock_league.arbitration"
    label = "arbitration"
