"""The digest of the week: what a player's first page says, as a mail. Offered to notices, which send it."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tock_league.accounts.models import Player
from tock_league.accounts.templatetags.people import day_in_text, hour
from tock_league.common import clock
from tock_league.competitions.selectors.rankings.own_places import OwnPlace, own_places
from tock_league.competitions.selectors.rounds.matches import MatchView
from tock_league.competitions.selectors.seasons import calendars
from tock_league.notices.names import Line, Part

from .waiting import waiting_for

WEEK = timedelta(days=7)
MATCHES = 20


def parts(player: Player) -> list[Part]:
    """Return what there is to say, in the active language: what waits, the matches of the week, the own places."""
    found = [_waiting(player), _matches(player), _places(player)]
    return [part for part in found if part.lines]


def _waiting(player: Player) -> Part:
    waiting = waiting_for(player)
    answers = len(waiting.confirmations) + len(waiting.invitations) + len(waiting.partners) + len(waiting.check_ins)
    counts = (
        (len(waiting.cases), ngettext("%(count)s case", "%(count)s cases", len(waiting.cases))),
        (len(waiting.papers), ngettext("%(count)s result", "%(count)s results", len(waiting.papers))),
        (answers, ngettext("%(count)s invitation or question", "%(count)s invitations or questions", answers)),
    )
    home = reverse("pages:home")
    lines = tuple(Line(text % {"count": count}, home) for count, text in counts if count)
    return Part(_("Waiting for you"), lines)


def _matches(player: Player) -> Part:
    until = clock.now() + WEEK
    coming = calendars.next_matches(player, viewer=player, limit=MATCHES)
    with timezone.override(ZoneInfo(player.time_zone)):
        lines = tuple(_match(view) for view in coming if view.starts_at is not None and view.starts_at <= until)
    return Part(_("Your matches of the week"), lines)


def _match(view: MatchView) -> Line:
    assert view.starts_at is not None
    names = " – ".join(side.name for side in view.sides)
    when = f"{day_in_text(view.starts_at)}, {hour(view.starts_at)}"
    return Line(f"{when} : {names}", reverse("competitions:match", args=[view.match.slug]))


def _places(player: Player) -> Part:
    lines = tuple(_place(place) for place in own_places(player) if place.rank is not None)
    return Part(_("Your places"), lines)


def _place(place: OwnPlace) -> Line:
    text = _("%(team)s, %(competition)s: place %(rank)s of %(of)s, points: %(points)s") % {
        "team": place.name,
        "competition": place.competition.name,
        "rank": place.rank,
        "of": place.of,
        "points": place.points,
    }
    return Line(text, reverse("competitions:competition", args=[place.competition.slug]))
