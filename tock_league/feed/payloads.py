"""A public fact as programs get it: an envelope, and what it is about in the shapes of /api/v1/.

The data are those of the moment of sending, as visitors see them. So a fact that is told late never shows less than what has
come after it, and nothing that is not public leaves.
"""

from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import override

from games.models import Game
from tock_league.api.serializers import events as told
from tock_league.api.serializers import records
from tock_league.arbitration.selectors.rulings import book
from tock_league.common.errors import NotThere
from tock_league.competitions.models import Competition, Entry
from tock_league.competitions.selectors.rankings.kept.shown import named_tables
from tock_league.competitions.selectors.rounds import matches
from tock_league.competitions.selectors.seasons import calendars, competitions

from .models import FeedEvent

Data = dict[str, Any]


def event_id(event: FeedEvent) -> str:
    """Return the public id of a fact; the same one in webhooks and in the feed."""
    return str(event.pk)


def envelope(event: FeedEvent) -> Data:
    """Return the fact without its data: who wants these reads them at `href`. `event` comes with its competition."""
    return {
        "id": event_id(event),
        "type": event.kind,
        "at": event.at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "competition": dict(told.CompetitionRef(event.competition).data),
        "match": event.match or None,
        "subject": event.subject or None,
        "href": href(event),
    }


def href(event: FeedEvent) -> str:
    """Return the address in the API of what the fact is about, without the site's."""
    competition = event.competition.slug
    match event.kind:
        case "standings.changed":
            return reverse("api:competitions-standings", args=[competition])
        case "round.published":
            return reverse("api:competitions-rounds", args=[competition])
        case "ruling.published":
            return reverse("api:rulings-detail", args=[event.subject])
        case "entry.accepted":
            return reverse("api:entries-detail", args=[event.subject])
        case "clock.changed" | "announcement.changed":
            return reverse("api:halls-clock", args=[competition])
        case "event.cancelled" | "screen.changed":
            return reverse("api:competitions-detail", args=[competition])
        case _:
            return reverse("api:matches-detail", args=[event.match])


def data_of(event: FeedEvent) -> Data | None:
    """Return what the fact is about in the shapes of the API, texts in the site's first language.

    None where visitors cannot see it: the match is gone, the competition is a draft again, the ruling is not in the book yet.
    """
    with override(settings.LANGUAGE_CODE):
        competition = competitions.public().filter(pk=event.competition_id).first()
        if competition is None:
            return None
        try:
            return _DATA.get(event.kind, _match)(event, competition)
        except NotThere:
            return None


def _match(event: FeedEvent, _competition: Competition) -> Data:
    return {"match": dict(told.MatchRow(matches.match_view(event.match, None)).data)}


def _game(event: FeedEvent, competition: Competition) -> Data:
    game = Game.objects.filter(slug=event.subject).select_related("table", "match_game__match").first()
    if game is None or game.state != Game.State.OVER:
        raise NotThere
    return {**_match(event, competition), "game": dict(records.GameRow(game).data)}


def _table(event: FeedEvent, competition: Competition) -> Data:
    return {**_match(event, competition), "table": reverse("games:table", args=[event.subject])}


def _standings(_event: FeedEvent, competition: Competition) -> Data:
    return {"standings": list(told.StandingsTable(named_tables(competition), many=True).data)}


def _rounds(_event: FeedEvent, competition: Competition) -> Data:
    return {"rounds": list(told.RoundRow(calendars.rounds(competition), many=True).data)}


def _ruling(event: FeedEvent, _competition: Competition) -> Data:
    found = book.published(event.subject)
    if found is None:
        raise NotThere
    return {"ruling": dict(records.Ruling(found).data)}


def _entry(event: FeedEvent, _competition: Competition) -> Data:
    rows = Entry.objects.select_related("competition", "team__club", "player").prefetch_related("roster__player")
    found = rows.filter(slug=event.subject).first()
    if found is None:
        raise NotThere
    return {"entry": dict(told.EntryRow(found).data)}


def _event(_event: FeedEvent, competition: Competition) -> Data:
    return {"competition": dict(told.CompetitionRow(competition).data)}


_DATA: Mapping[str, Callable[[FeedEvent, Competition], Data]] = {
    "standings.changed": _standings,
    "round.published": _rounds,
    "game.finished": _game,
    "table.open": _table,
    "ruling.published": _ruling,
    "entry.accepted": _entry,
    "event.cancelled": _event,
}
