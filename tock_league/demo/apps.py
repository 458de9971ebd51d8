from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "tock_league.demo"
    label = "demo"
