from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "tock_league.clubs"
    label = "clubs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tock_league.common import passwords
        from tock_league.notices import names

        from . import permissions, selectors  # noqa: F401  registers this app's rules

        names.offer("team", selectors.team_names)
        names.offer("club", selectors.club_names)
        names.offer("news", selectors.news_texts)
        passwords.names_known_to_all(selectors.all_names)
