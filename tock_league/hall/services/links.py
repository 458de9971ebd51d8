"""The private links of teams: who knows one reads the team's table on the phone, and may do nothing."""

import secrets
from collections.abc import Iterable

from tock_league.accounts.permissions import Person, require
from tock_league.accounts.seals import seal
from tock_league.common import clock
from tock_league.common.transactions import writing
from tock_league.competitions.models import Competition, Entry
from tock_league.competitions.selectors.entries.registration import GONE
from tock_league.competitions.services.shared.journal import note
from tock_league.competitions.services.shared.locking import lock_competition

from ..models import TeamLink
from ..selectors.secret import digest_of
from .shared import refuse_without_hall

SECRET_BYTES = 15  # 120 bits: twenty letters, so that the code stays coarse enough for a badge


def make(*, by: Person, competition: Competition) -> int:
    """Make a link for each team of the event that has none; return how many. Idempotent."""
    with writing():
        held = lock_competition(competition.pk, changes=False)
        require(by, "hall.set_up", held, needed="organiser")
        refuse_without_hall(held)
        missing = held.entries.exclude(state__in=GONE).filter(team_link__isnull=True)
        made = TeamLink.objects.bulk_create(_new(missing))
        if made:
            note(held, "links.made", by, count=len(made))
        return len(made)


def renew(*, by: Person, entry: Entry) -> None:
    """Replace the link of a team: the former one is unknown from now on."""
    with writing():
        held = lock_competition(entry.competition_id, changes=False)
        require(by, "hall.set_up", held, needed="organiser")
        refuse_without_hall(held)
        TeamLink.objects.filter(entry=entry).delete()
        TeamLink.objects.bulk_create(_new([entry]))
        note(held, "link.renewed", by, entry=entry.slug)


def stop(*, by: Person, competition: Competition) -> int:
    """Delete the links of all teams of the event; return how many. Idempotent."""
    with writing():
        held = lock_competition(competition.pk, changes=False)
        require(by, "hall.set_up", held, needed="organiser")
        count, _rows = TeamLink.objects.filter(entry__competition=held).delete()
        if count:
            note(held, "links.ended", by, count=count)
        return count


def _new(entries: Iterable[Entry]) -> list[TeamLink]:
    made = []
    for entry in entries:
        secret = secrets.token_urlsafe(SECRET_BYTES)
        made.append(TeamLink(entry=entry, digest=digest_of(secret), sealed=seal(secret), made_at=clock.now()))
    return made
