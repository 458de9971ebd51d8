"""Referees from outside, whom the organiser names when all referees of the event are in conflict."""

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing
from tock_league.competitions.models import CompetitionRole
from tock_league.competitions.services.seasons import roles
from tock_league.competitions.services.shared.locking import lock_competition

from ...models import Case
from ...selectors.referees import available, conflicts
from ..cases import events
from ..cases.texts import clean_published
from . import leases

REASON_LENGTH = 200


def name_outsider(*, by: Person, case: Case, player: Player, reason: str) -> CompetitionRole:
    """Give `player` a referee's role in the event because too few are left without a conflict in this case.

    One is enough for a ruling, three for an appeal. Raises NotAllowed; Conflict `not_open`; Refused: `referee_left` (who
    could take it, in the details), `conflict` (the outsider has one too), and those of `reason`.
    """
    words = clean_published(reason, field="reason", most=REASON_LENGTH)
    with writing():
        lock_competition(case.competition_id)
        case = events.lock(case)
        require(by, "case.name_outsider", case, needed="organiser")
        events.expect(case, "outsider_named")
        if available.missing(case) <= 0:
            raise Refused(
                "referee_left",
                _("Enough referees of the event are free of a conflict in this case."),
                field="player",
                referees=[person.display_name for person in available.candidates(case)],
            )
        found = conflicts.grounds(player, case)
        if found:
            raise leases.conflict(found)
        case.outsider = True
        case.save(update_fields=["outsider"])
        body = {"player": player.slug}
        role = roles.give(
            by=by,
            competition=case.competition,
            player=player,
            name=CompetitionRole.Name.REFEREE,
            outsider=True,
            reason=words,
        )
        events.append(case, "outsider_named", by=by, role="organiser", body=body, private={"text": words})
        return role
