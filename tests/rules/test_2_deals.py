"""Cards and deals: the deck, the draw of the dealer, the deals, the exchange, the turn."""

from collections import Counter
from itertools import count, pairwise

from games.engine import shuffle
from games.engine.tock.game import GAME
from games.engine.tock.position import Position
from tests.boards import after, at, deck_of, lines, new
from tests.rules.sheets import sentence
from tests.rules.words import hand


def dealt(rules: str, dealer: int = 0, *, seats: int = 4, teams: int = 2) -> Position:
    """Return a new game after its first deck, not shuffled, and after the exchange if there is one."""
    p = after(new(dealer, rules=rules, seats=seats, teams=teams), "deck " + " ".join(deck_of(rules, seats)))
    while p.phase == "give":
        p = after(p, lines(p)[0])
    return p


def play_out(p: Position) -> Position:
    """Make first plays until the next deal or the next deck."""
    deal = (p.deal, p.phase)
    while (p.deal, p.phase == "deck") == (deal[0], False):
        p = after(p, lines(p)[0])
    return p


def exchanged(p: Position) -> Position:
    """Return the position after everybody has given the first card."""
    while p.phase == "give":
        p = after(p, lines(p)[0])
    return p


@sentence
def test_deck_of_52_and_two_jokers(rules: str) -> None:
    cards = Counter(deck_of(rules))
    assert cards.pop("JK") == 2
    assert len(cards) == 52
    assert set(cards.values()) == {1}


@sentence
def test_deck_of_52(rules: str) -> None:
    cards = Counter(deck_of(rules))
    assert len(cards) == 52
    assert set(cards.values()) == {1}
    assert "JK" not in cards


@sentence
def test_one_pack_for_four_two_for_more(rules: str) -> None:
    four = Counter(deck_of(rules, 4))
    assert (len(four), set(four.values()), four["JK"]) == (52, {1}, 0)
    for seats in (6, 8):
        cards = Counter(deck_of(rules, seats))
        assert sum(cards.values()) == 108
        assert cards.pop("JK") == 4
        assert (len(cards), set(cards.values())) == (52, {2})


def _draws(cards: list[str]) -> int:
    return shuffle.first_dealer(cards, 4)[0]


def _highest_deals() -> None:
    assert _draws(["2S", "9C", "QH", "3D"]) == 2
    assert _draws(["AS", "2C", "2H", "3D"]) == 3


@sentence
def test_first_dealer_is_drawn(rules: str) -> None:
    _highest_deals()
    assert new(2, rules=rules).turn == 3


@sentence
def test_first_dealer_is_drawn_too(rules: str) -> None:
    _highest_deals()
    assert new(2, rules=rules).turn == 3


@sentence
def test_draw_order_with_jokers(rules: str) -> None:
    order = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    for low, high in pairwise(order):
        assert shuffle.first_dealer([f"{low}S", f"{high}C"], 2)[0] == 1
    assert shuffle.first_dealer(["KS", "JK"], 2)[0] == 1
    assert any("JK" in deck_of(rules, seats) for seats in (4, 6) if seats == 4 or rules.startswith("tock/"))


@sentence
def test_draw_order(rules: str) -> None:
    order = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    for low, high in pairwise(order):
        assert shuffle.first_dealer([f"{high}S", f"{low}C"], 2)[0] == 0
    assert "JK" not in deck_of(rules)


@sentence
def test_tied_draws_again(rules: str) -> None:
    dealer, drawn = shuffle.first_dealer(["KS", "2C", "KH", "3D", "4S", "9C"], 4)
    assert dealer == 2
    assert [seat for seat, _ in drawn] == [0, 1, 2, 3, 0, 2]


@sentence
def test_a_deck_serves_three_deals(rules: str) -> None:
    p, sizes = dealt(rules), []
    while p.phase != "deck":
        sizes.append([len(cards) for cards in p.hands])
        p = exchanged(play_out(p))
    assert sizes == [[5] * 4, [4] * 4, [4] * 4]


def dealers(rules: str) -> list[int]:
    """Return who deals in the deals of the first two decks, dealer 0 first."""
    p, found = dealt(rules), []
    for _ in range(6):
        found.append(p.dealer)
        p = play_out(p)
        if p.phase == "deck":
            p = after(p, "deck " + " ".join(deck_of(rules)))
        p = exchanged(p)
    return found


@sentence
def test_dealer_moves_after_the_third_deal(rules: str) -> None:
    assert dealers(rules) == [0, 0, 0, 1, 1, 1]


@sentence
def test_dealer_moves_after_every_deal(rules: str) -> None:
    assert dealers(rules) == [0, 1, 2, 3, 0, 1]


@sentence
def test_dealt_one_at_a_time(rules: str) -> None:
    cards = deck_of(rules)
    p = after(new(1, rules=rules), "deck " + " ".join(cards))
    for place, seat in enumerate((2, 3, 0, 1)):
        assert hand(p, seat) == sorted(cards[place:20:4])


@sentence
def test_left_of_the_dealer_plays_first(rules: str) -> None:
    p, order = dealt(rules, dealer=2), []
    for _ in range(4):
        order.append(p.turn)
        p = after(p, next((line for line in lines(p) if not line.endswith("skip")), lines(p)[0]))
    assert order == [3, 0, 1, 2]


def gives(rules: str) -> list[bool]:
    """Return for six deals whether they begin with an exchange."""
    p, found = after(new(0, rules=rules), "deck " + " ".join(deck_of(rules))), []
    for _ in range(6):
        found.append(p.phase == "give")
        p = play_out(exchanged(p))
        if p.phase == "deck":
            p = after(p, "deck " + " ".join(deck_of(rules)))
    return found


@sentence
def test_exchange_in_the_first_deal_only(rules: str) -> None:
    assert gives(rules) == [True, False, False, False, False, False]
    _goes_to(rules, 4, 2, 2)


@sentence
def test_exchange_in_every_deal(rules: str) -> None:
    assert gives(rules) == [True] * 6
    _goes_to(rules, 4, 2, 2)


def _goes_to(rules: str, seats: int, teams: int, further: int) -> None:
    """Every seat's card must arrive `further` seats on."""
    p = after(new(0, rules=rules, seats=seats, teams=teams), "deck " + " ".join(deck_of(rules, seats)))
    before = [hand(p, seat) for seat in range(seats)]
    given = [cards[0] for cards in before]
    p = exchanged(p)
    for seat in range(seats):
        kept = Counter(before[seat]) - Counter([given[seat]])
        assert Counter(hand(p, seat)) == kept + Counter([given[(seat - further) % seats]])


@sentence
def test_exchange_to_the_next_teammate(rules: str) -> None:
    _goes_to(rules, 6, 2, 2)
    _goes_to(rules, 8, 2, 2)
    _goes_to(rules, 6, 3, 3)
    _goes_to(rules, 8, 4, 4)


@sentence
def test_exchange_in_secret_and_at_once(rules: str) -> None:
    p = after(new(0, rules=rules), "deck " + " ".join(deck_of(rules)))
    given = [hand(p, seat)[0] for seat in range(4)]
    for seat in (3, 1, 0):
        p = GAME.apply(p, GAME.parse_play(p, f"give {given[seat]}", seat), seat)
        # Laid aside: nobody else can read it, and nobody has it yet.
        for other in range(4):
            seen = GAME.view(p, other)
            assert ("laid" in seen) == (other in (3, 1, 0) and p.given[other] >= 0)
            assert given[seat] not in hand(p, (seat + 2) % 4)
    p = GAME.apply(p, GAME.parse_play(p, f"give {given[2]}", 2), 2)
    assert all(given[seat] in hand(p, (seat + 2) % 4) for seat in range(4))


@sentence
def test_no_exchange_alone(rules: str) -> None:
    for seats in {"toc/1": (4,), "tock/1": (4, 6, 8)}[rules]:
        p = after(new(0, rules=rules, seats=seats, teams=seats), "deck " + " ".join(deck_of(rules, seats)))
        assert p.phase == "play"


@sentence
def test_one_card_a_turn(rules: str) -> None:
    p = at(rules=rules, marbles="0: t20", hands="0: 9C 8S")
    q = after(p, "9C t20-t29")
    assert hand(q, 0) == ["8S"]
    assert q.turn == 1


@sentence
def test_turn_passes_to_who_holds_cards(rules: str) -> None:
    p = at(rules=rules, marbles="0: t20", hands="0: 9C 8S / 1: / 2: / 3: 2C")
    assert after(p, "9C t20-t29").turn == 3
    alone = at(rules=rules, marbles="0: t20", hands="0: 9C 8S / 1: / 2: / 3:")
    assert after(alone, "9C t20-t29").turn == 0
    steps = count()
    while p.phase != "deck" and next(steps) < 9:
        p = after(p, lines(p)[0])
    assert p.phase == "deck"
