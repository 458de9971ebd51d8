from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "tock_league.common"
    label = "common"

    def ready(self) -> None:
        from . import signins

        signins.connect()
