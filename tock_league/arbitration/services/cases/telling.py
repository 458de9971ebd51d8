"""Who is told of a case: the players of its match, by seat at its table or by roster. Referees have their desk."""

from datetime import datetime

from django.urls import reverse

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person
from tock_league.competitions.models import RosterSpot
from tock_league.competitions.permissions import is_public
from tock_league.notices.services import tell, tell_withdrawn

from ...models import Case


def opened(case: Case, by: Person, *, answer_until: datetime) -> None:
    """Tell the players of the match that the case is open, and ask those who may answer it for their answer.

    The opener has done it; a side is asked for one answer, by whichever of its players.
    """
    asked: list[int] = []
    told: list[int] = []
    for player, position in _positions(case).items():
        if isinstance(by, Player) and player == by.pk:
            continue
        (told if position == case.side else asked).append(player)
    if not is_public(case.competition):
        return
    address = reverse("arbitration:case", args=[case.number])
    number, match = case.number, case.match.slug
    tell(told, "case_opened", number, address=address, case=number, match=match)
    tell(
        asked,
        "answer_due",
        number,
        address=address,
        useless_at=answer_until,
        case=number,
        match=match,
        until=answer_until,
    )


def ruled(case: Case, *, appeal_until: datetime) -> None:
    """Tell the players of the match that the case is ruled, and until when they can appeal."""
    tell_withdrawn("answer_due", case.number)
    if is_public(case.competition):
        tell(
            list(_positions(case)),
            "ruling",
            f"{case.number}/{case.rulings.count()}",
            address=reverse("arbitration:case", args=[case.number]),
            case=case.number,
            match=case.match.slug,
            until=appeal_until,
        )


def _positions(case: Case) -> dict[int, int | None]:
    """Return the side of each player, by key, who is on a roster of the match now. One query."""
    spots = RosterSpot.objects.filter(entry__side_rows__match=case.match_id, left__isnull=True)
    rows = spots.values_list("player", "entry__side_rows__position", "entry__side_rows__match")
    return {player: position for player, position, match in rows if match == case.match_id}
