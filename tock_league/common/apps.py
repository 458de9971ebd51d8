from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "tock_league.common"
    label = "common"

    def ready(self) -> None:
        from . import gauges, metrics, regional, signins

        regional.take_the_languages_too()
        signins.connect()
        metrics.LOOKED_UP.append(gauges.look)
