"""Bots under every rule set, at every size, with every number of teams: legal plays from the seat's own knowledge."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from games import bots
from games.bots import coach
from games.engine import registry
from games.engine.cards import TEXTS
from games.engine.tock.game import GAME
from games.engine.tock.plays import Kind, Play
from games.engine.tock.position import Position
from tests.bots.players import EVERY_TABLE, player

PLAYS = 260
PLAYOUTS = 3


def decisions(
    rules_id: str, seats: int, teams: int, seed: int
) -> Iterator[tuple[Position, list[str], list[str], random.Random]]:
    """Yield the decisions of one game: position, lines, cards laid, random source. The line sent back is played."""
    roll, rules = random.Random(seed), registry.rules(rules_id)
    p = GAME.new(rules, seats=seats, teams=teams, dealer=seed % seats)  # type: ignore[arg-type]
    p.full_ranking = teams == seats
    cards, laid = list(rules.deck(seats)), []  # type: ignore[attr-defined]
    for _ in range(PLAYS):
        if p.phase == "deck":
            roll.shuffle(cards)
            laid = []
            GAME.apply_in_place(p, Play("deck", -1, Kind.DECK, tuple(cards)))
        if p.phase == "over":
            return
        plays = {play.text: play for play in GAME.legal_plays(p)}
        chosen = roll.choice(list(plays))
        if len(plays) > 1 and p.phase != "blind":
            chosen = yield p, list(plays), laid, roll  # type: ignore[misc]
        play = plays[chosen]
        if play.kind is Kind.THROW:
            laid += [TEXTS[card] for card in p.hands[p.turn]]
        elif play.kind is not Kind.GIVE:
            laid.append(TEXTS[play.card])
        GAME.apply_in_place(p, play)


@pytest.mark.parametrize(("rules", "seats", "teams"), EVERY_TABLE)
def test_every_level_plays_what_is_offered_and_its_chances_are_chances(rules: str, seats: int, teams: int) -> None:
    game = decisions(rules, seats, teams, 7)
    levels, phases = set(), set()
    sent = None
    while True:
        try:
            p, legal, laid, roll = game.send(sent)  # type: ignore[attr-defined]
        except StopIteration:
            break
        level = roll.choice(bots.LEVELS)
        view = GAME.view(p, p.turn)
        sent = bots.choose(view, legal, level=level, roll=roll.randrange, seen=laid, playouts=PLAYOUTS)
        assert sent in legal
        levels.add(level)
        phases.add(p.phase)
        odds = bots.assess(view, legal)
        assert [line for line, _ in odds] == legal
        assert all(0.0 <= chance <= 1.0 for _, chance in odds)
        if level == "club":
            assert dict(odds)[sent] == pytest.approx(max(chance for _, chance in odds), abs=1e-12)
    assert levels == set(bots.LEVELS)
    assert "play" in phases


def otherwise(p: Position, roll: random.Random) -> Position:
    """Return a position with the same view for the seat to act; the cards that it cannot see are dealt again."""
    q = p.copy()
    others = [seat for seat in range(p.seats) if seat != p.turn]
    hidden = [card for seat in others for card in p.hands[seat]] + p.stock + [c for c in p.given if c >= 0]
    roll.shuffle(hidden)
    for seat in others:
        q.hands[seat] = sorted(hidden.pop() for _ in p.hands[seat])
    q.given = [hidden.pop() if card >= 0 else -1 for card in p.given]
    q.stock = hidden
    return q


@pytest.mark.parametrize(("rules", "seats", "teams"), EVERY_TABLE)
def test_hidden_cards_change_no_choice_no_chance_and_no_advice(rules: str, seats: int, teams: int) -> None:
    game = decisions(rules, seats, teams, 11)
    sent, looked = None, 0
    while True:
        try:
            p, legal, laid, roll = game.send(sent)  # type: ignore[attr-defined]
        except StopIteration:
            break
        sent = roll.choice(legal)
        if roll.random() > 0.15:
            continue
        looked += 1
        answers: list[Any] = []
        for q in (p, otherwise(p, roll)):
            view = GAME.view(q, q.turn)
            assert view["legal"] == legal
            more = {"seen": laid, "playouts": PLAYOUTS}
            chosen = [
                bots.choose(view, legal, level=level, roll=random.Random(5).randrange, **more) for level in bots.LEVELS
            ]
            answers.append((chosen, bots.assess(view, legal), coach.advise(view, legal, seat=q.turn)))
        assert answers[0] == answers[1]
    assert looked >= 8


def test_the_players_of_a_tournament_are_the_levels() -> None:
    p = GAME.new(registry.rules("toc/1"), seats=4, teams=2, dealer=0)  # type: ignore[arg-type]
    GAME.apply_in_place(p, Play("deck", -1, Kind.DECK, tuple(p.rules.deck(4))))
    view = GAME.view(p, 2)
    assert player("club")(2, view, view["legal"], (), lambda n: 0) in view["legal"]
