from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "tock_league.common"
    label = "common"

    def ready(self) -> None:
        from . import gauges, metrics, signins

        signins.connect()
        metrics.LOOKED_UP.append(gauges.look)
