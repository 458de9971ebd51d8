"""Refuse positions that no game can reach: each check names the wrong key and the rule that it breaks
(docs/tractor.md).
"""

from games.engine.cards import TEXTS
from games.engine.errors import BadPosition
from games.engine.tractor import follow, shows, trick
from games.engine.tractor.plays import NONE, Cards, masks, numbers, points, size, together, within
from games.engine.tractor.plays import TOTAL as ALL_POINTS
from games.engine.tractor.round.fields import require
from games.engine.tractor.round.state import BURY, DECK, DRAW, OVER, PLAY, SHOW, Ended, Position
from games.engine.tractor.round.turns import ALL_PASSED
from games.engine.tractor.rules import SEATS, WON
from games.engine.tractor.score import settle
from games.engine.tractor.shapes import shape


def check_game(p: Position) -> None:
    """Refuse teams, ranks and results that contradict each other."""
    first = p.round == 1
    open_ = first and p.phase in (DECK, DRAW, SHOW)
    require((p.starter < 0) == open_, "starter", "known from the end of round one's shows on")
    require(p.starter < 0 or p.starter % 2 == p.declarers, "starter", "a seat of the declarers")
    require(first or p.drawer == p.starter, "drawer", "the starter draws first from round two on")
    before = p.previous
    require(
        (before is None) == (first and p.phase != OVER), "previous", "the result of the round before, if there was one"
    )
    if before is None:
        require(p.ranks == [0, 0], "ranks", "both teams begin at rank 2")
        require(p.points == [0, 0], "points", "no round is counted yet")
        require(p.last is None or p.phase == PLAY, "last", "no trick is played yet")
    else:
        _check_ended(p, before)
    require((WON in p.ranks) <= (p.phase == OVER), "ranks", "the game is over when a team has climbed past the ace")
    if p.phase == OVER:
        require(WON in p.ranks or p.round == p.rounds, "phase", "the game goes on")


def _check_ended(p: Position, before: Ended) -> None:
    """Refuse an impossible result, or one that does not lead to this position."""
    over = p.phase == OVER
    require(before.round == p.round - (not over), "previous", "the round before this one")
    require(list(before.ranks) == p.ranks, "ranks", "those that the round before led to")
    require(before.starter % 2 == before.declarers, "previous", "starter: a seat of the declarers")
    opponents = 1 - before.declarers
    buried = points(*before.buried)
    require(size(*before.buried) == p.rules.talon, "previous", f"buried: {p.rules.talon} cards")
    require(sum(before.captured) + buried == ALL_POINTS, "previous", f"captured, buried: {ALL_POINTS} points in all")
    factor = p.rules.talon_factor * buried
    fine = before.talon == 0 or (factor and before.talon % factor == 0 and before.talon // factor <= p.rules.hand)
    require(bool(fine), "previous", "talon: the points buried, multiplied by twice the cards of the last trick")
    total = before.captured[opponents] + before.talon + before.paid[before.declarers] - before.paid[opponents]
    require(before.total == total, "previous", "total: what the opponents captured, the talon and the penalties")
    after = {before.declarers: before.ranks[before.declarers], opponents: before.ranks[opponents]}
    gained = settle(p.rules, total, before.trump[0], 0, before.starter)
    wanted = [0, 0]
    wanted[before.declarers], wanted[opponents] = gained.declarers_gain, gained.opponents_gain
    require(list(before.gains) == wanted, "previous", "gains: as the total says")
    require(
        after[before.declarers] == min(before.trump[0] + gained.declarers_gain, WON)
        and after[opponents] >= min(gained.opponents_gain, WON),
        "previous",
        "ranks: as the gains say",
    )
    if not over:
        swap = settle(p.rules, total, 0, 0, before.starter)
        require(p.phase == OVER or p.starter == swap.starter, "starter", "as the round before says")


def check_trumps(p: Position) -> None:
    """Refuse shows, passes and trumps that contradict each other (T3)."""
    rank = p.rank if WON not in p.ranks else 0
    if p.show:
        require(p.phase not in (DECK, OVER), "show", "none before cards are drawn")
        worth = shows.worth(rank, p.show.one, p.show.two)
        require(worth > 0, "show", "one card of the rank, two equal ones, or two equal jokers")
        if p.phase in (DRAW, SHOW, BURY):
            hand = p.one[p.show.seat], p.two[p.show.seat]
            require(within(p.show.one, p.show.two, *hand), "show", "not in the hand of the seat")
        if worth == shows.JOKERS:
            require((p.passed == ALL_PASSED) == (p.phase == DRAW), "passed", "a pair of jokers is final")
    require(not p.passed or p.phase in (DRAW, SHOW), "passed", "only while trumps are chosen")
    if p.phase == SHOW:
        require(p.passed != ALL_PASSED, "passed", "the window closes when all have passed")
        require(p.turn == p.waiting()[0], "turn", "the lowest seat that has not passed")
    if p.order is None:
        require(not p.turned, "turned", "only when nobody has shown")
        return
    require((p.show is None) == bool(p.turned), "turned", "the talon is turned when nobody has shown, and only then")
    if p.show:
        suit = shows.suit_of(p.show)
        require(p.suit == (-1 if suit is None else suit), "trump", "the suit shown")
        require(p.round > 1 or p.starter == p.show.seat, "starter", "in round one who made the last show")
        return
    require(p.round > 1, "show", "round one is dealt again when nobody shows")
    require(shows.turned(rank, p.turned) == (p.suit, len(p.turned)), "turned", "up to the card that names the suit")
    found = any(card in numbers(shows.OF_RANK[rank], 0) for card in p.turned)
    require(found or len(p.turned) == p.rules.talon, "turned", "all eight where no card of the rank is among them")


def check_cards(p: Position) -> None:
    """Refuse anything but 108 cards, each twice, and hands of a wrong size for the phase."""
    hands = [size(one, two) for one, two in zip(p.one, p.two, strict=True)]
    talon, hand = p.rules.talon, p.rules.hand
    if p.phase in (DECK, OVER):
        require(not any(hands), "hands", f"no cards in phase {p.phase}")
        require(not p.stock, "stock", f"no cards in phase {p.phase}")
        require(not p.talon, "talon", f"no cards in phase {p.phase}")
        return
    drawing = p.phase in (DRAW, SHOW)
    require(bool(p.stock) == (p.phase == DRAW), "stock", "cards to draw in phase draw, and only then")
    require(len(p.talon) == (0 if p.phase == PLAY else talon), "talon", f"{talon} cards until they are buried")
    held = [p.stock, *([p.talon] if drawing else []), *(numbers(*cards) for cards in zip(p.one, p.two, strict=True))]
    held += [numbers(*cards) for cards in (p.buried, p.gone, *p.trick)]
    _check_deck(p, sorted(card for cards in held for card in cards))
    if drawing:
        require(len(set(hands)) == 1, "hands", "all seats have drawn as many cards")
        require(p.phase == SHOW or p.turn == p.drawer, "turn", "who draws next")
        return
    if p.phase == BURY:
        require(p.turn == p.starter, "turn", "the starter buries")
        wanted = [hand + talon * (seat == p.starter) for seat in range(SEATS)]
        require(hands == wanted, "hands", f"{hand} cards a seat, and the talon with the starter")
        taken = masks(p.talon)
        require(within(*taken, p.one[p.starter], p.two[p.starter]), "talon", "not in the hand of the starter")
        require(p.turned == p.talon[: len(p.turned)], "turned", "the first cards of the talon")
        return
    require(size(*p.buried) == talon, "buried", f"exactly {talon} cards")
    require(p.turn == (p.leader + len(p.trick)) % SEATS, "turn", "the seat after the last one that has played")
    played = {(p.leader + i) % SEATS: size(*cards) for i, cards in enumerate(p.trick)}
    level = {hands[seat] + played.get(seat, 0) for seat in range(SEATS)}
    require(len(level) == 1 and 0 not in level, "hands", "every seat has played as many cards")


def _check_deck(p: Position, found: list[int]) -> None:
    wanted = sorted(p.rules.deck())
    if found == wanted:
        return
    for card in sorted(set(wanted) | set(found)):
        have = found.count(card)
        if have != 2:
            raise BadPosition("bad_position", f"hands: {TEXTS[card]} is there {have} times, not twice")


def check_play(p: Position) -> None:
    """Refuse tricks, points and a failed throw that the rules could not produce."""
    held = p.order
    assert held is not None
    require(sum(p.captured) == points(*p.gone), "captured", "the points of the cards gone")
    require(
        not any(paid % p.rules.withdrawn if p.rules.withdrawn else paid for paid in p.paid), "paid", "points a card"
    )
    require((p.last is None) == (p.gone == NONE), "last", "the trick before, if there was one")
    if p.last is None:
        require(p.leader == p.starter, "leader", "the starter leads first")
    else:
        last = p.last
        require(p.leader == last.winner, "leader", "who won the trick before")
        require(held.suit_of(last.plays[0][0]) >= 0, "last", "the cards of a lead are of one effective suit")
        won = (last.leader + trick.winner(held, last.plays)) % SEATS
        require(won == last.winner, "last", "winner: another seat")
        require(last.points == sum(points(*cards) for cards in last.plays), "last", "points: another number")
        cards = sorted(card for play in last.plays for card in numbers(*play))
        gone = numbers(*p.gone)
        require(all(cards.count(card) <= gone.count(card) for card in set(cards)), "last", "cards that are not gone")
    if not p.trick:
        require(p.failed is None, "failed", "a throw fails in the running trick")
        return
    assert p.lead is not None
    before = [
        together(p.one[seat], p.two[seat], *p.trick[i]) if (i := (seat - p.leader) % SEATS) < len(p.trick)
        else (p.one[seat], p.two[seat]) for seat in range(SEATS)
    ]  # fmt: skip
    for i, cards_ in enumerate(p.trick[1:], 1):
        seat = (p.leader + i) % SEATS
        why = follow.judge(held, p.lead, before[seat], cards_, tractor_duty=p.rules.tractor_duty)
        require(why == follow.OK, "trick", f"seat {seat} breaks {why}")
    _check_throw(p, before)


def _check_throw(p: Position, before: list[Cards]) -> None:
    """Refuse a throw that stands though it is beaten, and a failed throw that should have stood."""
    held, failed = p.order, p.failed
    assert held is not None
    others = [before[seat] for seat in range(SEATS) if seat != p.leader]
    thrown = shape(held, *(failed.thrown if failed else p.trick[0]))
    require(thrown is not None, "failed", "the cards thrown are of one effective suit")
    assert thrown is not None
    part = trick.beaten(held, thrown, others)
    if failed is None:
        require(part is None, "trick", "a throw that is beaten cannot be led")
        return
    require(failed.seat == p.leader, "failed", "seat: who leads")
    require(part is not None and (part.one, part.two) == p.trick[0], "failed", "what must be led instead")
    require(
        together(*p.trick[0], *failed.back) == failed.thrown, "failed", "what is led and what goes back are the throw"
    )
    require(within(*failed.back, p.one[p.leader], p.two[p.leader]), "failed", "the cards that go back are in the hand")
    require(failed.paid == p.rules.withdrawn * size(*failed.back), "failed", "paid: so much a card that goes back")
    require(failed.paid <= p.paid[p.leader % 2], "paid", "less than the failed throw cost")
