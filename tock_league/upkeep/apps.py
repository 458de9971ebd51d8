from django.apps import AppConfig


class UpkeepConfig(AppConfig):
    name = "tock_league.upkeep"
    label = "upkeep"

    def ready(self) -> None:
        from tock_league.common import metrics

        from . import gauges

        metrics.LOOKED_UP.append(gauges.look)
