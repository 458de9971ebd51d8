"""How a play ends and what follows: cards, phases, turns, deals, the end of the game (rulebook sections 2, 6, 7, 9,
14).
"""

from bisect import insort

from games.engine.cards import TEXTS
from games.engine.tock import facts
from games.engine.tock.board import FULL, RESERVE
from games.engine.tock.legal import listed, next_to_burn
from games.engine.tock.moves import come_out, cross, step, swap, told
from games.engine.tock.plays import After, Kind, Play
from games.engine.tock.position import BLIND, DECK, FORCED, GIVE, JOKER, OVER, PLAY, Position
from games.engine.tock.rules import Every

_MOVE, _OUT, _SPLIT, _SWAP, _SKIP = Kind.MOVE, Kind.OUT, Kind.SPLIT, Kind.SWAP, Kind.SKIP
_BURN, _BLIND, _GIVE, _DECK = Kind.BURN, Kind.BLIND, Kind.GIVE, Kind.DECK
_THROW, _CENTRE = Kind.THROW, Kind.CENTRE
_NOTHING, _NEXT_BURNS, _REPLAY = After.NOTHING, After.NEXT_BURNS, After.REPLAY


def apply_in_place(p: Position, play: Play) -> None:
    """Apply the play of the seat to act, which must be legal: the card, its effects, and everything that follows
    automatically.
    """
    _, card, kind, what, then = play
    turn = p.turn
    p.kept = None
    if kind is _MOVE and then is _NOTHING:
        # Fast path for most plays: one marble moves, then it is the next seat's turn.
        p.hands[turn] = hand = p.hands[turn].copy()
        hand.remove(card)
        ((owner, path),) = what
        p.joker = RESERVE
        if step(p, owner, path):
            _finish(p, owner)
            if p.phase == OVER:
                return
        _pass_turn(p)
        return
    if kind is _DECK:
        p.stock = list(reversed(what))
        _deal(p)
        return
    if kind is _GIVE:
        _give(p, turn, card)
        return
    if kind is _THROW:
        p.hands[turn] = []
        p.thrown += (turn,)
        p.joker = RESERVE
        _pass_turn(p)
        return
    p.hands[turn] = hand = p.hands[turn].copy()
    hand.remove(card)
    p.joker = followed = RESERVE
    # Determined before the board changes: a ten that finishes its player still makes the next seat burn.
    hit = next_to_burn(p) if then is _NEXT_BURNS else -1
    if kind is _MOVE or kind is _SPLIT:
        for owner, path in what:
            followed = path.end
            if step(p, owner, path):
                _finish(p, owner)
                if p.phase == OVER:
                    return
    elif kind is _OUT:
        come_out(p, what)
        followed = p.board.starts[what]
    elif kind is _SWAP:
        swap(p, *what)
    elif kind is _CENTRE:
        cross(p, *what[0])
    elif kind is _BLIND:
        p.penalties = [owed - (seat == turn) for seat, owed in enumerate(p.penalties)]
    if then is _REPLAY and turn not in p.finished:
        insort(hand, p.stock[-1])
        p.stock = p.stock[:-1]
        p.joker = followed
        p.phase = JOKER
    elif hit >= 0 and p.hands[hit]:
        p.turn = hit
        p.phase = FORCED
    else:
        _pass_turn(p)


def _pass_turn(p: Position) -> None:
    """Give the turn to the next seat with a card, or deal (section 14, points 1 and 2)."""
    hands, following = p.hands, p.board.following
    seat = following[p.turn]
    if not hands[seat]:
        while not hands[seat]:
            if seat == p.turn:
                _next_deal(p)
                return
            seat = following[seat]
    p.turn = seat
    p.phase = BLIND if p.penalties[seat] else PLAY


def _next_deal(p: Position) -> None:
    """Deal from the stock, or wait for a new deck after the last deal of this one."""
    p.thrown = ()
    p.deal += 1
    used_up = p.deal == len(p.rules.hands)
    if p.rules.dealer_moves is Every.DEAL or used_up or p.dealer in p.finished:
        p.dealer = _next_playing(p, p.dealer)
    if not used_up:
        _deal(p)
        return
    p.deal = 0
    p.stock = []
    p.turn = _next_playing(p, p.dealer)
    p.phase = DECK


def _next_playing(p: Position, seat: int) -> int:
    """Return the next seat clockwise that has not finished; in team play a finished seat plays on."""
    for _ in range(p.seats):
        seat = (seat + 1) % p.seats
        if seat not in p.finished:
            break
    return seat


def _deal(p: Position) -> None:
    """Deal one hand to each seat, one card at a time from the dealer's left, and begin (section 2)."""
    order = [(p.dealer + i) % p.seats for i in range(1, p.seats + 1)]
    if p.finished:
        order = [seat for seat in order if seat not in p.finished]
    many = p.rules.hands[p.deal] * len(order)
    cards = p.stock[-many:][::-1]
    p.stock = p.stock[:-many]
    for i, seat in enumerate(order):
        p.hands[seat] = sorted(cards[i :: len(order)])
    exchange = p.rules.exchange
    if p.teams < p.seats and (exchange is Every.DEAL or (exchange is Every.GAME and p.first)):
        p.given = [-1] * p.seats
        p.turn = 0
        p.phase = GIVE
        return
    _begin(p)


def _begin(p: Position) -> None:
    """Begin the first turn of a deal: the seat to the dealer's left, or the next one with a card."""
    p.turn = p.dealer
    _pass_turn(p)


def _give(p: Position, seat: int, card: int) -> None:
    """Lay a card aside; after the last seat, hand all cards to the next teammates and begin (section 2, Exchange)."""
    p.hands[seat] = hand = p.hands[seat].copy()
    hand.remove(card)
    p.given[seat] = card
    p.joker = RESERVE
    if -1 in p.given:
        p.turn = p.given.index(-1)
        return
    for giver, laid in enumerate(p.given):
        mate = (giver + p.teams) % p.seats
        p.hands[mate] = sorted((*p.hands[mate], laid))
    p.given = [-1] * p.seats
    p.first = False
    _begin(p)


def _finish(p: Position, owner: int) -> None:
    """Record that all marbles of a seat are in heaven, and end the game if that decides it (section 9)."""
    if p.teams < p.seats:
        if all(p.heaven[seat] == FULL for seat in range(owner % p.teams, p.seats, p.teams)):
            p.phase = OVER
        return
    p.finished += (owner,)
    if p.full_ranking:
        p.hands[owner] = []
        if p.seats - len(p.finished) > 1:
            return
    p.phase = OVER


def ranks(p: Position) -> tuple[int, ...] | None:
    """Return a rank per team, 0 best, ties share a rank; None while the game goes on. Source: section 9, section 14
    point 10.
    """
    if p.phase != OVER:
        return None
    if p.full_ranking and p.teams == p.seats:
        order = [*p.finished, *(seat for seat in range(p.seats) if seat not in p.finished)]
        return tuple(order.index(seat) for seat in range(p.seats))
    inside = [sum(p.heaven[seat].bit_count() for seat in range(team, p.seats, p.teams)) for team in range(p.teams)]
    return tuple(sum(other > own for other in inside) for own in inside)


def tell(p: Position, play: Play) -> tuple[facts.Fact, ...]:
    """Return the effects of the play, in order; `p` is not changed. Only facts that every viewer may know."""
    names, turn = p.board.names, p.turn
    happened: list[facts.Fact] = []
    kind, what = play.kind, play.what
    if kind is _MOVE or kind is _SPLIT:
        q = p
        for done, (owner, path) in enumerate(what, start=1):
            happened += told(q, owner, path)
            if done < len(what):
                q = p.copy() if q is p else q
                step(q, owner, path)
    elif kind is _CENTRE:
        happened += told(p, *what[0])
    elif kind is _OUT:
        start = p.board.starts[what]
        happened.append(facts.CameOut(what, names[start]))
        if p.at[start] >= 0:
            happened.append(facts.MarbleEaten(p.at[start], names[start]))
    elif kind is _SWAP:
        a, b = what
        happened.append(facts.Swapped(p.at[a], names[a], p.at[b], names[b]))
    elif kind is _BURN:
        happened.append(facts.CardBurned(turn, TEXTS[play.card]))
    elif kind is _THROW:
        happened.append(facts.ThrewIn(turn, tuple(TEXTS[card] for card in p.hands[turn])))
    elif kind is _BLIND:
        happened.append(facts.CardBurnedBlind(turn, TEXTS[play.card]))
    after = p.copy()
    apply_in_place(after, play)
    return (*happened, *_consequences(p, after, kind))


def _consequences(p: Position, after: Position, kind: Kind) -> list[facts.Fact]:
    """Return the automatic effects, found by comparing the position before and after."""
    seen: list[facts.Fact] = []
    seen += [facts.SeatHome(s) for s in range(p.seats) if after.heaven[s] == FULL != p.heaven[s]]
    result = ranks(after)
    if result is not None and p.phase != OVER:
        seen.append(facts.GameOver(result))
    elif after.phase == JOKER:
        seen.append(facts.CardDrawn(after.turn))
    elif after.phase == FORCED:
        seen.append(facts.BurnForced(after.turn))
    if kind is Kind.DECK:
        seen.append(facts.DeckShuffled(p.dealer))
    if kind is _GIVE and after.phase != GIVE:
        seen.append(facts.HandsExchanged())
    if kind is Kind.DECK or after.deal > p.deal:
        seen.append(facts.HandsDealt(p.rules.hands[after.deal]))
    return seen


def perft(p: Position, depth: int) -> int:
    """Return the number of sequences of `depth` listed plays; a line that reaches `over` or `deck` earlier counts as
    one.
    """
    if depth == 0 or p.phase in (OVER, DECK):
        return 1
    plays = listed(p)
    nodes = 0
    for play in plays:
        q = p.copy()
        apply_in_place(q, play)
        nodes += perft(q, depth - 1)
    return nodes
