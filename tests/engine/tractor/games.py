"""Whole games, checked from outside: `python -m tests.engine.tractor.games [games] [first]`.

A ledger follows the lines alone, with the slow reference's throws, tricks and points, and never uses the engine: 108
cards are conserved, each round has 200 points, every result is counted again. Every play offered is accepted by the
validator and keeps the duties as the reference reads them. Replaying the record, line by line, leads to the same end;
every tenth game is also written to JSON and read again at each play.
"""

import random
import sys
import time
from collections import Counter
from typing import Any

from games.engine import replay
from games.engine.tractor.game import GAME
from games.engine.tractor.plays import Play
from games.engine.tractor.round import Position

from . import reference
from .records import random_game, strange


class Ledger:
    """A second account of a game in texts: hands, talon, tricks, points and ranks from the lines and the rulebook.

    `closely`: also check every play as JSON, and every candidate by the reference.
    """

    def __init__(self, drawer: int, *, closely: bool) -> None:
        self.closely = closely
        self.ranks = ["2", "2"]
        self.drawer, self.starter = drawer, -1
        self.rounds = self.tricks = self.failed = self.redeals = 0
        self.over = False
        self.hands: list[Counter[str]] = []
        self.deck: list[str] = []

    # --- following the lines -------------------------------------------------------------------------------------

    def note(self, line: str) -> None:
        """Follow one line."""
        word, *cards = line.split(" ")
        if word == "deck":
            assert Counter(cards) == Counter(reference.DECK)
            self.deck, self.hands = cards, [Counter() for _ in range(4)]
            self.shows: list[dict[str, Any]] = []
            self.passed: set[int] = set()
        elif word == "draw":
            for i in range(4):
                self.hands[(self.drawer + i) % 4][self.deck.pop(0)] += 1
        elif word == "show":
            self.shows.append({"seat": int(cards[0][0]), "cards": cards[1:]})
            self.passed = set()
        elif word == "pass":
            self.passed.add(int(cards[0]))
        elif word == "bury":
            self.buried = cards
            self.take(self.starter, cards)
            self.leader, self.trick, self.gone = self.starter, [], Counter[str]()
            self.captured, self.paid = [0, 0], [0, 0]
        else:
            self.lay(cards)
        if word in ("draw", "show", "pass") and len(self.deck) == 8:
            final = bool(self.shows) and self.shows[-1]["cards"][0] in ("RJ", "BJ")
            if final or len(self.passed) == 4:
                self.close_window()

    def close_window(self) -> None:
        first = self.starter < 0
        rank = "2" if first else self.ranks[self.starter % 2]
        known = None if first else self.starter
        answer = reference.declare(first, rank, known, self.shows, self.deck)
        assert all(answer["accepted"])
        if answer["outcome"] == "redeal":
            self.redeals += 1
            self.hands = []
            return
        self.starter = answer["starter"]
        self.trump = (rank, answer["trump_suit"])
        self.hands[self.starter].update(self.deck)
        self.deck = []

    def take(self, seat: int, cards: list[str]) -> None:
        assert not Counter(cards) - self.hands[seat]
        self.hands[seat] -= Counter(cards)

    def lay(self, cards: list[str]) -> None:
        seat = (self.leader + len(self.trick)) % 4
        if self.trick:
            hand = list(self.hands[seat].elements())
            assert reference.follow(self.trump, self.trick[0], hand, cards) == "OK"
        else:
            others = [list(self.hands[other].elements()) for other in range(4) if other != seat]
            answer = reference.throw(self.trump, cards, others)
            if not answer["valid"]:
                self.failed += 1
                self.paid[seat % 2] += answer["penalty"]
                cards = answer["must_lead"]
        self.take(seat, cards)
        self.trick.append(cards)
        if len(self.trick) == 4:
            self.end_trick()

    def end_trick(self) -> None:
        won = (self.leader + reference.trick(self.trump, self.trick)) % 4
        cards = [card for play in self.trick for card in play]
        self.captured[won % 2] += reference.points(cards)
        self.gone.update(cards)
        self.tricks += 1
        size, self.leader, self.trick = len(self.trick[0]), won, []
        if not any(self.hands):
            self.end_round(size)

    def end_round(self, size: int) -> None:
        assert self.gone + Counter(self.buried) == Counter(reference.DECK)
        talon = reference.points(self.buried)
        assert sum(self.captured) + talon == 200
        ours, theirs = self.starter % 2, 1 - self.starter % 2
        captured = self.captured[theirs] + self.paid[ours] - self.paid[theirs]
        answer = reference.score(
            captured, self.leader % 2 == theirs, size, talon, self.ranks[ours], self.ranks[theirs], self.starter
        )
        self.ranks[ours], self.ranks[theirs] = answer["declarers_rank"], answer["attackers_rank"]
        self.total, self.rounds, self.over = answer["total"], self.rounds + 1, answer["game_over"]
        if not self.over:
            self.starter = self.drawer = answer["next_starter"]

    # --- comparing with the engine -------------------------------------------------------------------------------

    def look(self, p: Position, play: Play) -> None:
        """Compare with the position, check the plays that it offers, then follow the play."""
        if p.phase == "play":
            if not p.trick:
                self.compare(p)
            offered = list(GAME.legal_plays(p))
            assert offered
            assert all(GAME.is_legal(p, one) for one in offered)
        if self.closely:
            self.look_closely(p)
        assert GAME.is_legal(p, play)
        self.note(play.text)

    def compare(self, p: Position) -> None:
        """At a lead: all cards are conserved, and every value agrees with the lines."""
        data = GAME.to_json(p)
        assert [Counter(hand) for hand in data["hands"]] == self.hands
        assert Counter(data["gone"]) == self.gone
        assert sorted(data["buried"]) == sorted(self.buried)
        everywhere = self.gone + Counter(self.buried)
        for hand in self.hands:
            everywhere = everywhere + hand
        assert everywhere == Counter(reference.DECK)
        assert (data["leader"], data["turn"]) == (self.leader, self.leader)
        assert (data["captured"], data["paid"], data["ranks"]) == (self.captured, self.paid, self.ranks)
        held = sum(reference.points(list(hand.elements())) for hand in self.hands)
        assert sum(self.captured) + held + reference.points(self.buried) == 200
        trump = data["trump"]
        assert (trump["rank"], trump.get("suit")) == self.trump
        if "previous" in data:
            assert data["previous"]["total"] == self.total

    def look_closely(self, p: Position) -> None:
        """Write and read the position; check its candidates, and some other sets, with the reference."""
        again = GAME.from_json(GAME.to_json(p))
        assert again == p
        if p.phase != "play":
            return
        assert (again.strength, again.best) == (p.strength, p.best) or not p.trick
        assert [one.text for one in GAME.legal_plays(again)] == [one.text for one in GAME.legal_plays(p)]
        if not p.trick:
            return
        hand = list(self.hands[p.turn].elements())
        roll = random.Random(len(hand))
        for one in (*GAME.legal_plays(p), *(strange(p, roll) for _ in range(3))):
            duty = reference.follow(self.trump, self.trick[0], hand, one.text.split(" ")[1:])
            assert GAME.is_legal(p, one) == (duty == "OK")


def whole(seed: int, *, closely: bool = False, rounds: int = 0) -> Ledger:
    """Play one game, check all of it, return its ledger."""
    ledger = Ledger(seed % 4, closely=closely)
    start, record, end = random_game(seed, look=ledger.look, rounds=rounds)
    outcome = GAME.outcome(end)
    assert outcome is not None
    assert GAME.to_json(end)["ranks"] == ledger.ranks
    if rounds:
        assert ledger.rounds == rounds or ledger.over
    else:
        assert ledger.over
        assert ledger.ranks[outcome.ranks.index(0)] == "won"
    assert replay.final(GAME, start, record) == end
    assert Counter(line.split(" ")[0] for line in record)["deck"] == ledger.rounds + ledger.redeals
    return ledger


def main(words: list[str]) -> int:
    games, first = (int(word) for word in (words + ["100", "0"][len(words) :]))
    began = time.process_time()
    told: Counter[str] = Counter()
    for seed in range(first, first + games):
        ledger = whole(seed, closely=seed % 10 == 0)
        told += Counter(rounds=ledger.rounds, tricks=ledger.tricks, failed=ledger.failed, redeals=ledger.redeals)
        if (seed - first + 1) % 100 == 0:
            print(f"{seed - first + 1} games, {time.process_time() - began:.0f} s", flush=True)
    print(
        f"{games} games ended, conserved, counted and replayed: {told['rounds']} rounds of 200 points, {told['tricks']} tricks, "
        f"{told['failed']} failed throws, {told['redeals']} deals without a show; {time.process_time() - began:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
