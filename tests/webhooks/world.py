"""A club with a tournament, its staff, and what a worker does for their webhooks."""

import json
from dataclasses import dataclass
from typing import Any

from tests.common.receiver import Receiver
from tests.competitions.world import a_club, a_plan, a_tournament, under_way
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club
from tock_league.common import outbox
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services.results import paper
from tock_league.competitions.services.results.paper import Game
from tock_league.webhooks import services, tasks
from tock_league.webhooks.models import Webhook
from tock_league.webhooks.services.delivering import SPREAD_TASK
from tock_league.webhooks.services.keeping import DELIVER_TASK


@dataclass
class Place:
    """A running Swiss tournament on paper, of four teams."""

    club: Club
    officer: Player
    cup: Competition
    match: Match


def a_person(name: str, email: str) -> Player:
    return create_player(display_name=name, user=create_user(email=email), language="en", birth_year=1984)


def a_place() -> Place:
    officer = a_person("Odile Caron", "odile@example.org")
    club = a_club(by=officer)
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2), club=club)
    return Place(club, officer, cup, under_way(cup)[0])


def listening(place: Place, receiver: Receiver, *kinds: str, host: str = "127.0.0.1") -> Webhook:
    """Return a webhook of the tournament; by default it hears of results."""
    chosen = kinds or ["result.confirmed"]
    return services.add(by=place.officer, place=place.cup, address=receiver.address(host), kinds=chosen).webhook


def certify(match: Match) -> None:
    """Let the desk write a result, which counts at once."""
    paper.certify(by=SITE, match=match, games=[Game(0, 3)])


def spread() -> int:
    """Make the deliveries that wait; return how many."""
    return sum(tasks.spread(outbox_id=row.pk, **row.body) for row in outbox.waiting(SPREAD_TASK))


def work() -> list[str]:
    """Do what waits for a worker, whether due or not; return what became of each attempt."""
    spread()
    return [tasks.deliver(outbox_id=row.pk, **row.body) for row in outbox.waiting(DELIVER_TASK)]


def member(club: Club, name: str, email: str) -> Player:
    player = a_person(name, email)
    clubs.join(by=player, club=club)
    return player


def kinds_of(got: list[tuple[str, dict[str, str], bytes]]) -> list[Any]:
    return [json.loads(body)["type"] for _path, _headers, body in got]
