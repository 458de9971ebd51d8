"""The matches of those whom a person follows, for the person alone. Reads only."""

from dataclasses import dataclass

from games.selectors.lobby import ToWatch, watchable_of
from tock_league.accounts.models import Player
from tock_league.clubs import following
from tock_league.clubs.following import Followed
from tock_league.competitions.selectors.seasons import calendars
from tock_league.competitions.selectors.seasons.calendars import OfOthers

SHOWN = 4  # matches to come, and results, on a page that shows more than these


@dataclass(frozen=True)
class Others:
    """Whom somebody follows, and their matches."""

    followed: Followed
    matches: OfOthers
    casual: tuple[ToWatch, ...]  # running casual games of theirs that everybody may watch


def others(person: Player, *, limit: int = SHOWN) -> Others:
    """Return whom `person` follows, with their matches. One query where that is nobody, about twenty else."""
    found = following.followed(person)
    return Others(
        followed=found,
        matches=calendars.of_others(found.players, found.teams, viewer=person, limit=limit),
        casual=tuple(watchable_of([player.pk for player in found.players], limit=SHOWN)),
    )
