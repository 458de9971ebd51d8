from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class GamesConfig(AppConfig):
    name = "games"
    label = "games"

    def ready(self) -> None:
        from tock_league.notices import names

        from .selectors import own

        names.offer("table", own.table_names)
        post_migrate.connect(keep_months_ready, sender=self)


def keep_months_ready(using: str, **_: Any) -> None:
    """Make the partitions of the coming months, after each `migrate`."""
    from .services.months import keep_ready

    if using == "default":
        keep_ready()
