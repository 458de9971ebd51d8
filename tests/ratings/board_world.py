"""Clubs, named pairs and a season of games for the tests of boards."""

import random
from collections.abc import Sequence

from django.utils import translation

from ratings import services
from tock_league.accounts.models import Player
from tock_league.clubs.models import Club, Team, TeamPlayer
from tock_league.common import clock

from .announced import Finished, evening

LADDER = "shawinigan:2"

ADDRESS = "/leaderboards/shawinigan/2/"


def english(value: object) -> str:
    with translation.override("en"):
        return str(value)


def team(name: str, members: Sequence[Player], club: Club | None = None, *, drawn: bool = False) -> Team:
    made = Team.objects.create(name=name, club=club, drawn=drawn)
    for slot, player in enumerate(members, start=1):
        TeamPlayer.objects.create(team=made, player=player, slot=slot, joined=clock.now())
    return made


def pairs_of(people: list[Player]) -> list[list[Player]]:
    return [people[2 * i : 2 * i + 2] for i in range(8)]


def play_season(at: clock.Frozen, people: list[Player], finished: Finished, rounds: int, seed: int = 1) -> None:
    """Let the eight pairs meet in random pairings; stronger pairs (lower number) win more often."""
    dice = random.Random(seed)
    for _ in range(rounds):
        evening(at)
        order = list(range(8))
        dice.shuffle(order)
        for a, b in zip(order[::2], order[1::2], strict=True):
            first, second = (a, b) if dice.random() < 0.5 + 0.05 * (b - a) else (b, a)
            at.advance(minutes=1)
            finished(pairs_of(people)[first], pairs_of(people)[second])
    at.advance(seconds=2)
    while services.rate_waiting(ladder_key=LADDER).applied:
        pass
