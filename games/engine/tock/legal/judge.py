"""Which play a line means, whether it is allowed, and why not. Authoritative."""

from games.engine.cards import TEXTS
from games.engine.errors import IllegalPlay, shown
from games.engine.tock.board import RESERVE
from games.engine.tock.legal.legs import SharedLeg, sharing
from games.engine.tock.legal.listing import known, side
from games.engine.tock.legal.sevens import beginning
from games.engine.tock.legal.sheet import Card, sheet
from games.engine.tock.notation import Line, deck_line
from games.engine.tock.plays import Kind, Play
from games.engine.tock.position import BLIND, DECK, FORCED, GIVE, JOKER, OVER, PLAY, Position
from games.engine.tock.rules import Split


def resolve(p: Position, line: Line, seat: int) -> Play:
    """Return the play that a line means in this position, legal or not; raises IllegalPlay when there is no such play."""
    held = sheet(p)
    if line.kind is Kind.DECK:
        return Play(deck_line(line.cards), -1, Kind.DECK, line.cards)
    if line.kind is Kind.THROW:
        return held.throw
    number = line.card
    card = held.cards[number]
    if card is None:
        raise IllegalPlay("no_such_card", f"{TEXTS[number]} is not in the deck of {p.rules.id}")
    if line.kind in (Kind.BURN, Kind.BLIND, Kind.GIVE):
        return {Kind.BURN: held.burns, Kind.BLIND: held.blinds, Kind.GIVE: held.gives}[line.kind][number]
    me = side(p, seat)
    if line.kind is Kind.OUT and card.outs:
        return card.outs[me]
    if line.kind is Kind.SKIP and card.skip:
        return card.skip
    if line.kind is Kind.SWAP and card.swap:
        a, b = (p.board.place(name, me) for name in line.legs[0])
        if a is not None and b is not None:
            return held.swaps[number][a][b]
    if line.kind is Kind.MOVE:
        return _resolve_move(p, line, card, me)
    if line.kind is Kind.SPLIT and card.split:
        legs = tuple(_resolve_leg(p, names, card.split, me).legs[0] for names in line.legs)
        return Play(line.text, number, Kind.SPLIT, legs)
    raise IllegalPlay("card_cannot", f"{shown(line.text)}: the card does not do that")


def _resolve_move(p: Position, line: Line, card: Card, me: int) -> Play:
    src = p.board.place(line.legs[0][0], me)
    owner = me
    if src is not None and RESERVE < src < p.board.length and p.at[src] >= 0 and card.any_marble:
        owner = p.at[src]
    for table in (card.ways, card.whole):
        if table is not None and src is not None and src != RESERVE:
            for _, play in table[owner][src]:
                if play.text == line.text:
                    return play
    raise IllegalPlay("card_cannot", f"{shown(line.text)}: the card does not lead there")


def _resolve_leg(p: Position, names: tuple[str, str], split: Split, me: int) -> SharedLeg:
    """Return the leg between two named places."""
    src = p.board.place(names[0], me)
    if src is not None and src != RESERVE:
        for legs in sharing(p.board, split, me).movers[src].upto[split.steps :]:
            for leg in legs:
                if leg.tail == "-".join(names):
                    return leg
    raise IllegalPlay("card_cannot", f"no leg leads from {names[0]} to {names[1]}")


def split_allowed(p: Position, play: Play) -> bool:
    """Return whether the legs of a shared card, in the order given, are a valid play of the seat to act. Phase `play`."""
    card = sheet(p).cards[play.card]
    if card is None or card.split is None or play.card not in p.hands[p.turn] or len(play.what) > card.split.legs:
        return False
    me, names = side(p, p.turn), p.board.names
    held = sharing(p.board, card.split, me)
    (state, idle), left = beginning(p, me, held), held.steps
    for owner, path in play.what:
        leg = _resolve_leg(p, (names[path.src], names[path.end]), card.split, me)
        bit = held.movers[path.src].bit
        if owner != me or not idle & bit or state & leg.block:
            return False
        state, idle, left = state & leg.keep | leg.put, (idle ^ bit) & leg.keep, left - leg.steps
    return not left


def check(p: Position, play: Play) -> None:
    """Raise IllegalPlay with a code unless the seat to act may make this play: `over`, `deck_due`, `not_now`,
    `no_such_card`, `must_play`, `not_possible`, `wrong_deck`."""
    phase, kind = p.phase, play.kind
    if kind is Kind.DECK:
        if phase != DECK:
            raise IllegalPlay("not_now", "no deck is due")
        if sorted(play.what) != sorted(p.rules.deck(p.seats)):
            raise IllegalPlay("wrong_deck", "these are not the cards of one deck, each as often as it is there")
        return
    if phase == OVER:
        raise IllegalPlay("over", "the game is over")
    if phase == DECK:
        raise IllegalPlay("deck_due", "a deck must be shuffled first")
    if kind is not Kind.THROW and play.card not in p.hands[p.turn]:
        raise IllegalPlay("no_such_card", f"{TEXTS[play.card]} is not in the hand")
    possible = known(p)
    if play in possible:
        return
    # A shared card is accepted in every notation, also as one leg, when a listed play reaches the same position.
    if phase == PLAY and kind in (Kind.SPLIT, Kind.MOVE) and split_allowed(p, play):
        return
    if possible and possible[0].kind is Kind.THROW:
        raise IllegalPlay("must_throw", "a seat with all its marbles in reserve lays down its whole hand")
    if kind is Kind.BURN and phase in (PLAY, JOKER):
        raise IllegalPlay("must_play", "a seat that can play a card must play one")
    if (kind is Kind.BURN) != (phase == FORCED) and (phase == FORCED or kind in (Kind.BURN, Kind.BLIND, Kind.GIVE)):
        raise IllegalPlay("not_now", f"{shown(play.text)} does not belong to phase {phase}")
    if phase in (GIVE, BLIND) and kind is not {GIVE: Kind.GIVE, BLIND: Kind.BLIND}[phase]:
        raise IllegalPlay("not_now", f"{shown(play.text)} does not belong to phase {phase}")
    raise IllegalPlay("not_possible", f"{shown(play.text)} is not possible here")
