"""Who is told of a case: the players of its match, by seat at its table or by roster. Referees have their desk."""

from collections.abc import Collection
from datetime import datetime

from django.urls import reverse

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person
from tock_league.common import clock
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


def announced(case: Case) -> None:
    """Notify the players of the match that a head referee has opened the case, which no side has done."""
    _about(case, "case_opened", list(_positions(case)), case.number)


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


def appealed(case: Case, side: int, *, reply_until: datetime) -> None:
    """Ask the players of the other sides for a reply to the appeal of `side`."""
    tell_withdrawn("appeal_ends", _key(case))
    asked = [player for player, position in _positions(case).items() if position != side]
    _about(case, "appeal_filed", asked, f"{case.number}/{side}", until=reply_until)


def appeal_ruled(case: Case, by: Person) -> None:
    """Tell the players of the match that the panel has decided; whoever wrote the ruling knows it."""
    _about(
        case, "appeal_ruled", [player for player in _positions(case) if player != getattr(by, "pk", None)], case.number
    )


def answer_soon(case: Case, heard: Collection[int], *, until: datetime) -> int:
    """Remind the players of the sides that have not answered; return how many."""
    asked = [player for player, position in _positions(case).items() if position not in heard]
    return _about(case, "answer_soon", asked, key_until(case, until), until=until)


def appeal_ends(case: Case, *, until: datetime) -> int:
    """Remind the players of the match that the time to appeal ends; return how many."""
    return _about(case, "appeal_ends", list(_positions(case)), _key(case), until=until)


def key_until(case: Case, until: datetime) -> str:
    """Return the key of a reminder of an answer that is due then."""
    return f"{case.number}:{clock.ms(until)}"


def _key(case: Case) -> str:
    return str(case.number)


def _about(case: Case, kind: str, players: Collection[int], key: str, *, until: datetime | None = None) -> int:
    if not is_public(case.competition):
        return 0
    return tell(
        players,
        kind,
        key,
        address=reverse("arbitration:case", args=[case.number]),
        useless_at=until,
        case=case.number,
        match=case.match.slug,
        **({} if until is None else {"until": until}),
    )


def _positions(case: Case) -> dict[int, int | None]:
    """Return the side of each player, by key, who is on a roster of the match now. One query."""
    spots = RosterSpot.objects.filter(entry__side_rows__match=case.match_id, left__isnull=True)
    rows = spots.values_list("player", "entry__side_rows__position", "entry__side_rows__match")
    return {player: position for player, position, match in rows if match == case.match_id}
