"""The coach's reasons are so: each is compared with what the play does in the engine, at every kind of table."""

import random
from dataclasses import replace
from typing import Any

import pytest

from games.bots import choose, coach
from games.bots.club import WON
from games.bots.default import card_of
from games.bots.reasons import Reason
from games.bots.terrain import terrain
from games.engine.tock.game import GAME
from games.engine.tock.position import Position
from tests.bots.test_every_table import decisions

# The facts without which a reason would be a lie.
FACT = {
    "eats": "eaten",
    "eats_own": "eaten",
    "out": "out",
    "home": "move",
    "burns": "forced",
    "replays": "drawn",
    "wins": "over",
    "finishes": "home",
}
TABLES = [("shawinigan/1", 4, 2), ("toc/1", 4, 4), ("tock/1", 6, 3), ("tock/1", 8, 4)]


@pytest.mark.parametrize(("rules", "seats", "teams"), TABLES)
def test_the_coach_plays_like_the_club_and_tells_what_happens(rules: str, seats: int, teams: int) -> None:
    game: Any = decisions(rules, seats, teams, 5)
    sent, told = None, set[str]()
    while True:
        try:
            p, legal, _laid, _roll = game.send(sent)
        except StopIteration:
            break
        view = GAME.view(p, p.turn)
        advice = coach.advise(view, legal, seat=p.turn)
        sent = choose(view, legal, level="club", roll=random.randrange)
        assert advice.line == sent
        assert 1 <= len(advice.reasons) <= coach.MOST
        assert advice.other is not None
        assert advice.other[0] in legal
        assert advice.other[0] != advice.line
        assert advice.other[1] <= advice.chance
        for reason in (*advice.reasons, *([advice.cost] if advice.cost else [])):
            told.add(reason.code)
            avoided = reason.code.startswith("avoids_")
            is_so(
                p,
                advice.other[0] if avoided else advice.line,
                replace(reason, code=reason.code.removeprefix("avoids_")),
            )
    assert len(told) >= 10, told


def is_so(p: Position, line: str, reason: Reason) -> None:
    """Check a reason against the facts of the play and the position after it."""
    play, me = GAME.parse_play(p, line), p.turn
    facts = [fact for fact in GAME.fx(p, play)]
    after, code = GAME.apply(p, play), reason.code
    if code in FACT:
        assert any(fact[0] == FACT[code] for fact in facts), (line, reason, facts)
    if code in ("eats", "eats_own"):
        assert sum(fact[:2] == ["eaten", reason.seat] for fact in facts) == reason.count
        assert (reason.seat % p.teams == me % p.teams) == (code == "eats_own")
    if code == "home":
        assert any(fact[:2] == ["move", reason.seat] and str(fact[3])[0] == "h" for fact in facts)
    if code in (
        "forward",
        "shortcut",
        "swap",
        "long_way",
        "back",
        "near_start",
        "leaves_start",
        "hinders",
        "helps_foe",
    ):
        assert reason.place in after.marbles(reason.seat)
        the_way_is_so(p, facts, reason)
    if code == "burns":
        assert ["forced", reason.seat] in facts
    if code in ("keeps", "spends"):
        assert (reason.card == card_of(line)) == (code == "spends")
    if code in ("danger", "at_exit") and p.phase != "joker":
        space = p.board.place(reason.place, 0)
        assert space is not None
        exits = [seat for seat in range(p.seats) if p.board.starts[seat] == space and after.reserve[seat]]
        hit = terrain(p.rules, p.seats).hit[space]
        reach = [o for o in range(p.seats) if o % p.teams != me % p.teams and any(hit[s] for s in after.tracks[o])]
        assert reach or any(seat % p.teams != me % p.teams for seat in exits), (line, reason)
    if code == "wins":
        assert reason.points > WON


def the_way_is_so(p: Position, facts: list[list[Any]], reason: Reason) -> None:
    """Count the spaces to the pieu before and after, from the facts alone."""
    length, code = 18 * p.seats, reason.code
    left = lambda place: (18 * reason.seat - 2 - int(place[1:])) % length  # noqa: E731
    ends = {}  # by the place from which the marble went
    for fact in facts:
        if fact[0] == "move" and fact[1] == reason.seat and fact[2][0] == "t":
            ends[fact[2]] = fact[3]
        if fact[0] == "jump" and fact[1] == reason.seat:
            ends = {src: fact[3] if end == fact[2] else end for src, end in ends.items()}
        if fact[0] == "swap":
            ends |= {
                mine: other
                for seat, mine, other in ((fact[1], fact[2], fact[4]), (fact[3], fact[4], fact[2]))
                if seat == reason.seat
            }
    src = next(src for src, end in ends.items() if end == reason.place)
    nearer = left(src) - left(reason.place)
    if code in ("forward", "shortcut", "swap"):
        assert nearer == reason.count > 0
    if code in ("back", "long_way"):
        assert -nearer == reason.count > 0
    if code == "long_way":  # forward along the track, over its pieu
        ahead = (int(reason.place[1:]) - int(src[1:])) % length
        assert left(src) < ahead <= 18
    if code in ("hinders", "helps_foe"):
        assert (nearer < 0) == (code == "hinders")
    if code in ("near_start", "leaves_start"):  # on its start, one or two spaces after it, or one before
        gone = (int((reason.place if code == "near_start" else src)[1:]) - 18 * reason.seat) % length
        assert gone in (0, 1, 2, length - 1)


def test_no_play_no_advice() -> None:
    with pytest.raises(ValueError, match="no play"):
        coach.advise({}, [], seat=0)
