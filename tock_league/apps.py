from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    """Django's admin with our own site (accounts.staff)."""

    default_site = "tock_league.accounts.staff.StaffSite"


class TockLeagueConfig(AppConfig):
    name = "tock_league"
    label = "tock_league"

    def ready(self) -> None:
        # celery: so that `shared_task` binds to our app in every process; wiring: the subscriptions of announcements.
        from tock_league import celery, wiring  # noqa: F401
        from tock_league.common import bus

        bus.connect(wiring.WITHIN, wiring.AFTER)
