from django.apps import AppConfig


class CompetitionsConfig(AppConfig):
    name = "tock_league.competitions"
    label = "competitions"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tock_league.journal.selectors import entries
        from tock_league.notices import names

        from . import permissions  # noqa: F401  registers this app's rules
        from .selectors.seasons import competitions

        entries.named_by("competition", competitions.public_names)
        entries.named_by("entry", competitions.entry_names)
        entries.named_by("match", competitions.match_names)
        names.offer("competition", competitions.public_names)
        names.offer("entry", competitions.entry_names)
        names.offer("match", competitions.match_names)
