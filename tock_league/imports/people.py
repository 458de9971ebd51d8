"""What imports hold about a person: which events they imported. Rosters of other sites are not kept."""

from tock_league.common.persons import Section, of_player

from .models import ImportedEvent

SECTIONS = (
    Section(
        "imported_events",
        ImportedEvent._meta.label,
        of_player(ImportedEvent, "slug", "name", "imported_at", column="imported_by"),
    ),
)
