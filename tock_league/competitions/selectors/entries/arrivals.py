"""The check-in of an event as the desk does it: its list with a filter, and the codes of badges."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, can
from tock_league.common.errors import NotThere
from tock_league.common.names import by_alphabet, folded

from ...models import Competition, Entry, RosterSpot
from .registration import GONE, HERE, EntryView, check_in_open, entry_view, entry_views

S = Entry.State
# The path of a badge, and that of a player's page, which older badges have. A phone reads the whole address.
BADGE = re.compile(r"/competitions/(?P<event>[\w-]+)/here/(?P<player>[\w-]+)/?(?:[?#].*)?$")
PAGE = re.compile(r"/players/(?P<player>[\w-]+)/?(?:[?#].*)?$")


@dataclass(frozen=True)
class Scanned:
    """What a code says: the player, and the event of the badge; "" for the code of a player's page."""

    player: str
    event: str = ""


def scanned(text: str) -> Scanned | None:
    """Return what a scanned address says, None for names that somebody typed."""
    text = text.strip()
    if found := BADGE.search(text):
        return Scanned(found["player"], found["event"])
    found = PAGE.search(text)
    return Scanned(found["player"]) if found else None


def arrivals(competition: Competition, words: str = "", *, missing: bool = False) -> list[EntryView]:
    """Return the entries that may check in by the alphabet, so that a press moves none of them.

    `words`: each stands in the name of the team, of its club or of a player, in any case and without accents; or the code
    of a badge. `missing`: only entries of which somebody is not here. Three queries.
    """
    code = scanned(words)
    asked = [] if code is not None else folded(words).split()
    found = [
        view
        for view in entry_views(competition)
        if view.entry.state in (*HERE, S.DROPPED)
        and (code is None or any(spot.player.slug == code.player for spot in view.spots))
        and _matches(view, asked)
        and not (missing and _is_complete(view))
    ]
    return sorted(found, key=lambda view: by_alphabet(view.name))


def _matches(view: EntryView, asked: Sequence[str]) -> bool:
    team = view.entry.team
    names = [view.name, *(spot.player.display_name for spot in view.spots)]
    names += [team.club.name] if team is not None and team.club is not None else []
    inside = folded(" ".join(names))
    return all(word in inside for word in asked)


def _is_complete(view: EntryView) -> bool:
    return view.entry.state == S.CHECKED_IN


def spot_in(competition: Competition, player: Player) -> EntryView | None:
    """Return the entry of the event on whose roster the player is, None for none. Four queries."""
    spots = RosterSpot.objects.filter(competition=competition, player=player, left__isnull=True)
    slug = spots.exclude(entry__state__in=(S.WITHDRAWN, S.REFUSED, S.DISQUALIFIED)).values_list(
        "entry__slug", flat=True
    )
    found = slug.first()
    return entry_view(found) if found is not None else None


def elsewhere(player: Player, person: Person, *, but: Competition) -> list[Entry]:
    """Return the player's entries in other events whose check-in is open and at whose desk `person` works, or is the player.

    For a badge of the wrong event. A few queries.
    """
    spots = RosterSpot.objects.filter(player=player, left__isnull=True).exclude(competition=but)
    spots = spots.filter(competition__check_in_until__isnull=False, competition__is_rehearsal=False)
    spots = spots.exclude(entry__state__in=GONE).select_related("entry__team", "entry__competition__club")
    return [
        spot.entry
        for spot in spots
        if check_in_open(spot.entry.competition) and can(person, "entry.check_in", (spot.entry, player))
    ]


def event_of(code: Scanned, person: Person) -> Competition | None:
    """Return the event that a badge names, None for one that is not there or that the person may not see."""
    found = Competition.objects.select_related("club").filter(slug=code.event).first()
    if found is None or not (found.state != Competition.State.DRAFT or can(person, "competition.see_private", found)):
        return None
    return found


def by_code(slug: str) -> Player:
    """Return the player of a badge. Raises NotThere."""
    found = Player.objects.filter(slug=slug).first()
    if found is None:
        raise NotThere
    return found
