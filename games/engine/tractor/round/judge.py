"""Whether a play is allowed, and if not, which rule it breaks. Authoritative."""

from collections.abc import Sequence

from games.engine.cards import TEXTS
from games.engine.errors import IllegalPlay
from games.engine.tractor import follow, shows
from games.engine.tractor.order import TRUMP
from games.engine.tractor.plays import Kind, Play, kinds, size, texts, within
from games.engine.tractor.round.state import BURY, DECK, DRAW, OVER, PLAY, SHOW, Position
from games.engine.tractor.rules import DECK as ALL_CARDS
from games.engine.tractor.rules import RANKS, SEATS, SUITS

MIXED_SUITS = "MIXED_SUITS"
_CARDS = sorted(ALL_CARDS)
_PLAY, _DRAW, _SHOW, _PASS, _DECK = Kind.PLAY, Kind.DRAW, Kind.SHOW, Kind.PASS, Kind.DECK
_NAMES = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
_WANTED = {
    DECK: ("deck_due", "a deck must be shuffled first"),
    DRAW: ("not_now", "cards are still being drawn"),
    SHOW: ("not_now", "trumps are still being chosen"),
    BURY: ("not_now", "the starter lays eight cards face down first"),
    PLAY: ("not_now", "a trick is being played"),
    OVER: ("over", "the game is over"),
}
_IN_PHASE = {Kind.PLAY: PLAY, Kind.BURY: BURY, Kind.DRAW: DRAW, Kind.DECK: DECK}


def check(
    p: Position, play: Play, seat: int | None = None, *, card: str | None = None, marbles: Sequence[str] = ()
) -> None:
    """Raise IllegalPlay unless the seat to act, or `seat`, may make this play. Touches (`card`, `marbles`) do not bind.

    Codes of the rulebook: WRONG_COUNT, NOT_IN_HAND, MIXED_SUITS, MUST_FOLLOW_SUIT, MUST_PLAY_PAIRS, MUST_PLAY_TRACTOR,
    NOT_A_SHOW, SHOW_TOO_WEAK, OWN_SHOW. Others: `over`, `deck_due`, `not_now`, `wrong_deck`, `already_passed`,
    `not_your_turn`.
    """
    _, kind, one, two, _, _ = play
    if kind is _PLAY and p.phase == PLAY and (seat is None or seat == p.turn):
        # Fast path for most plays: a lead from the hand, or one card to one card.
        lead, turn = p.lead, p.turn
        hand = p.one[turn]
        if lead is None:
            held = one and not (one & ~hand or two & ~p.two[turn])
            if held and (not one & one - 1 or p.order.suit_of(one) >= 0):  # type: ignore[union-attr]  # trumps are known
                return
        elif lead.size == 1 and one & hand and not (two or one & one - 1):
            mask = p.order.masks[lead.suit]  # type: ignore[union-attr]
            if one & mask or not hand & mask:
                return
        _check_cards(p, play)
        return
    if kind is _DRAW and p.phase == DRAW:
        return
    if kind is _SHOW or kind is _PASS:
        _check_show(p, play, seat)
        return
    if p.phase != _IN_PHASE[kind]:
        raise IllegalPlay(*_WANTED[p.phase])
    if kind is _DECK:
        if sorted(play.cards) != _CARDS:
            raise IllegalPlay("wrong_deck", "deck: these are not the 108 cards, each of them twice")
        return
    if seat is not None and seat != p.turn:
        raise IllegalPlay("not_your_turn", f"seat {p.turn} is to act, not seat {seat}")
    if size(play.one, play.two) != p.rules.talon:
        raise IllegalPlay(
            follow.WRONG_COUNT, f"bury: exactly {p.rules.talon} cards are buried, not {size(play.one, play.two)}"
        )
    _check_held(p, play, p.turn)


def _check_held(p: Position, play: Play, seat: int) -> None:
    hand = p.one[seat], p.two[seat]
    if not within(play.one, play.two, *hand):
        card = kinds(play.one & ~hand[0] or play.two & ~hand[1])[0]
        many = "twice " if play.one & hand[0] & 1 << card else ""
        raise IllegalPlay(follow.NOT_IN_HAND, f"{play.kind.name.lower()}: {TEXTS[card]} is not {many}in the hand")


def _check_show(p: Position, play: Play, seat: int | None) -> None:
    """Refuse a show or a pass outside the window, of another seat, or a show that the rules do not accept (T3)."""
    if seat is not None and seat != play.seat:
        raise IllegalPlay("not_your_turn", f"seat {seat} cannot speak for seat {play.seat}")
    if p.phase not in (DRAW, SHOW):
        raise IllegalPlay(*_WANTED[p.phase])
    if not any(p.one):
        raise IllegalPlay("not_now", "no card is drawn yet")
    if play.kind is Kind.PASS:
        if p.passed >> play.seat & 1:
            raise IllegalPlay("already_passed", f"seat {play.seat} has passed")
        return
    _check_held(p, play, play.seat)
    why = shows.refusal(p.rank, p.show, play.seat, play.one, play.two)
    if why:
        standing = " ".join(texts(p.show.one, p.show.two)) if p.show else ""
        raise IllegalPlay(
            why,
            {
                shows.NOT_A_SHOW: f"show: one card of rank {RANKS[p.rank]}, two equal ones, or two equal jokers",
                shows.SHOW_TOO_WEAK: f"show: not stronger than the standing {standing}",
                shows.OWN_SHOW: "show: the own show is only strengthened to a pair of the same card",
            }[why],
        )


def _check_cards(p: Position, play: Play) -> None:
    """Refuse a lead or a follow that breaks T4 or T5."""
    seat, held = p.turn, p.order
    assert held is not None
    if not p.trick:
        if not play.one:
            raise IllegalPlay(follow.WRONG_COUNT, "play: a lead is at least one card")
        _check_held(p, play, seat)
        if held.suit_of(play.one) < 0:
            raise IllegalPlay(MIXED_SUITS, "play: the cards of a lead are of one effective suit")
        return
    lead = p.lead
    assert lead is not None
    hand = p.one[seat], p.two[seat]
    why = follow.judge(held, lead, hand, (play.one, play.two), tractor_duty=p.rules.tractor_duty)
    if why == follow.OK:
        return
    if why == follow.NOT_IN_HAND:
        _check_held(p, play, seat)
    suit = "trumps" if lead.suit == TRUMP else _NAMES[SUITS[lead.suit]]
    mask = held.masks[lead.suit]
    owed = min(lead.size, size(hand[0] & mask, hand[1] & mask))
    pairs = follow.owed_pairs(held, lead, hand)
    raise IllegalPlay(
        why,
        {
            follow.WRONG_COUNT: f"play: {lead.size} led, {size(play.one, play.two)} played",
            follow.MUST_FOLLOW_SUIT: f"play: {owed} of {suit} owed",
            follow.MUST_PLAY_PAIRS: f"play: {pairs} pair{'s' * (pairs > 1)} of {suit} owed",
            follow.MUST_PLAY_TRACTOR: f"play: a tractor of {follow.owed_run(held, lead, hand)} pairs of {suit} owed",
        }[why],
    )


def acting(p: Position, seat: int) -> bool:
    """Return whether the seat may choose something now."""
    if not 0 <= seat < SEATS:
        return False
    if p.phase in (DRAW, SHOW):
        return any(p.one)
    return p.phase in (BURY, PLAY) and seat == p.turn
