"""Random whole games with checks: `python -m tests.engine.whole_games [games of each table] [first seed]`.

They end; no marble and no card is lost; what the engine updates at each play equals what it reads from the written
position; and replaying the record, line by line, leads to the same end.
"""

import sys
import time
from collections import Counter

from games.engine import replay
from games.engine.tock.game import GAME
from games.engine.tock.position import Position

from .configurations import ALL, Configuration
from .records import random_game
from .reference import sheets


class Watch:
    """Follow one game: its marbles, and the cards of each deck, which leave hands and stock and never return.

    `closely`: at each of its first 400 plays; otherwise at every new deal.
    """

    def __init__(self, table: Configuration, *, closely: bool) -> None:
        self.closely = 400 if closely else 0
        self.deck = sheets.deck(table.rules, table.seats)
        self.left = Counter[str]()
        self.deal = -1
        self.exchanging = False
        self.home = 0

    def look(self, p: Position) -> None:
        if self.closely or p.deal != self.deal or p.phase == "over":
            self.check(p)
            self.closely = max(0, self.closely - 1)
        # The check after a deck is the check of a new deal.
        self.deal = -1 if p.phase == "deck" else p.deal

    def check(self, p: Position) -> None:
        position = GAME.to_json(p)
        board_is_whole(position)
        again = GAME.from_json(position)
        assert again == p
        assert [play.text for play in GAME.legal_plays(again)] == [play.text for play in GAME.legal_plays(p)]
        held = cards_of(position)
        home = len(p.finished)
        if p.phase == "deck":
            assert not held
        elif not self.left or (p.deal == 0 and not held <= self.left):
            assert held == self.deck
        else:
            assert held <= self.left
            if self.closely and home == self.home and not len(p.thrown):
                gone = (self.left - held).total()
                # One card per play; an exchange plays none; throwing in lays down all.
                assert gone == (0 if self.exchanging else 1) or p.rules.throws_in
        self.left, self.exchanging, self.home = held, p.phase == "give", home


def board_is_whole(position: dict[str, object]) -> None:
    """Check: four marbles per seat, one marble per space, fresh ones only on their own start."""
    track: Counter[str] = Counter()
    for places in position["marbles"]:  # type: ignore[attr-defined]
        assert len(places) == 4
        inside = [place for place in places if place[0] == "h"]
        assert len(set(inside)) == len(inside)
        track.update(place for place in places if place[0] == "t")
    assert all(count == 1 for count in track.values())
    for seat in position["fresh"]:  # type: ignore[attr-defined]
        assert f"t{18 * seat}" in position["marbles"][seat]  # type: ignore[index]


def cards_of(position: dict[str, object]) -> Counter[str]:
    """Return the cards of hands, stock and those laid aside."""
    given = [card for card in position.get("given") or [] if card]  # type: ignore[attr-defined]
    return Counter([card for hand in position["hands"] for card in hand] + position["stock"] + given)  # type: ignore[attr-defined,operator]


def whole(table: Configuration, seed: int, *, closely: bool) -> int:
    """Play one game, check all of it, return its number of plays."""
    start, record, end = random_game(seed, look=Watch(table, closely=closely).look, penalties=True, table=table)
    outcome = GAME.outcome(end)
    assert outcome is not None
    ranks = sorted(outcome.ranks)
    assert len(ranks) == table.teams
    if table.full:
        assert ranks == list(range(table.seats))
        assert len(end.finished) == table.seats - 1
    else:
        assert ranks[0] == 0 < ranks[1]
        first = outcome.ranks.index(0)
        team = range(first, table.seats, table.teams)
        assert [sorted(end.marbles(seat)) for seat in team] == [["h1", "h2", "h3", "h4"]] * len(team)
    # Line by line through `check`, which refuses illegal plays.
    assert replay.final(GAME, start, record) == end
    return len(record)


def main(words: list[str]) -> int:
    games, first = (int(word) for word in (words + ["100", "0"][len(words) :]))
    for table in ALL:
        began = time.process_time()
        plays = sum(whole(table, seed, closely=seed % 10 == 0) for seed in range(first, first + games))
        print(f"{table!s:16}{games:>8} games{plays:>10} plays{time.process_time() - began:>8.1f} s", flush=True)
    print(f"{games * len(ALL)} games ended, conserved and replayed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
