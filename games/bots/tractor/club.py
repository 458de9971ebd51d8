"""The club bot: counts the cards that are gone, keeps what may win later, throws only what nobody can beat, and gives
points to a partner who is sure of the trick.
"""

from collections.abc import Sequence

from games.bots.tractor.sight import Roll, Sight, in_suit, side_suits
from games.engine.tractor.order import OUT, RED, TRUMP, TRUMPED
from games.engine.tractor.plays import Cards, Play, kinds, numbers, points, size
from games.engine.tractor.shapes import Shape, components, shape, windows
from games.engine.tractor.trick import lead_strength, strength

# The value of a card for its holder beyond this trick, in points: trumps, and side cards that win tricks.
TRUMP_KEPT = 2.4
PER_TRUMP_LEVEL = 0.32
BOSS_KEPT = 5.0
NEAR_BOSS_KEPT = 1.6
PER_LEVEL = 0.12
PAIR_KEPT = 1.8
# The points per card that the others are expected to add to a trick that a side is sure of.
FED = 5.0
# The value of leading again.
TEMPO = 1.5
LAST_CARDS = 5


def choose(at: Sight, plays: Sequence[Play], roll: Roll) -> Cards:
    """Return the cards to lead or to follow with."""
    worth = _lead if at.lead is None else _follow
    found = [(play.one, play.two) for play in plays]
    if at.lead is None:
        found += sure_throws(at)
    marks = [worth(at, cards) + roll(100) / 1000 for cards in found]
    return found[marks.index(max(marks))]


# --- the chances of a trick ------------------------------------------------------------------------------------------


def _share(at: Sight, seat: int) -> float:
    """Return the chance that a seat's hand has a given unseen card."""
    return min(1.0, at.counts[seat] / at.hidden())


def _is_void(at: Sight, seat: int, suit: int) -> float:
    """Return the chance that a seat holds no card of a suit."""
    return float((1 - _share(at, seat)) ** size(*at.unseen_of(suit)))


def overtaken(at: Sight, lead: Shape, best: int, seat: int) -> float:
    """Return the approximate chance that a seat can beat the winning play; `best`: its strength (engine's trick)."""
    held, share = at.held, _share(at, seat)
    in_trumps = best >= TRUMPED
    level = best - TRUMPED if in_trumps else best
    over = 0.0
    if not (lead.is_throw and (lead.suit == TRUMP or not in_trumps)):
        suit = TRUMP if in_trumps else lead.suit
        chance = _holds(at, suit, held.above[suit][level], lead, share)
        over = chance if suit == lead.suit else chance * _is_void(at, seat, lead.suit)
    if not in_trumps and lead.suit != TRUMP:
        ruffs = _holds(at, TRUMP, held.trumps, lead, share)
        over = 1 - (1 - over) * (1 - ruffs * _is_void(at, seat, lead.suit))
    return over


def _holds(at: Sight, suit: int, above: int, lead: Shape, share: float) -> float:
    """Return the chance that a hand with that share of the unseen cards has the lead's arrangement among the higher
    ones.
    """
    one, two = at.unseen_of(suit)
    if lead.runs:
        lows = windows(at.held.ladder(two), lead.runs[0]).bit_count() if two & above else 0
        return min(1.0, lows * share ** (2 * lead.runs[0]))
    if lead.pairs:
        return float(1 - (1 - share * share) ** (two & above).bit_count())
    if lead.is_throw:
        return min(1.0, (size(one & above, two & above) * share / (2 * lead.size)) ** lead.size)
    return float(1 - (1 - share) ** size(one & above, two & above))


def lost(at: Sight, lead: Shape, best: int) -> float:
    """Return the chance that an opponent who still plays takes a trick that the own side is winning with `best`."""
    keeps = 1.0
    for seat in at.later:
        if seat % 2 != at.seat % 2:
            keeps *= 1 - overtaken(at, lead, best, seat)
    return 1 - keeps


# --- the value of cards ----------------------------------------------------------------------------------------------


def kept(at: Sight, cards: Cards) -> float:
    """Return the value of cards in hand, a tenth more for an unbroken pair."""
    held, worth = at.held, 0.0
    for k in numbers(*cards):
        suit, level = held.suits[k], held.levels[k]
        if suit == TRUMP:
            worth += TRUMP_KEPT + PER_TRUMP_LEVEL * level + (2.0 if level == RED else 0.0)
            continue
        above = size(*(mask & held.above[suit][level] for mask in at.unseen))
        worth += PER_LEVEL * level + (BOSS_KEPT if not above else NEAR_BOSS_KEPT if above == 1 else 0.0)
    broken = at.hand[1] & cards[0] & ~cards[1]
    return worth + PAIR_KEPT * broken.bit_count()


def _cost(at: Sight, cards: Cards) -> float:
    """Return the value that the hand loses when the cards are laid; with few cards left it falls to 0."""
    left = size(*at.hand) - size(*cards)
    return kept(at, cards) * min(1.0, left / LAST_CARDS)


# --- leading ---------------------------------------------------------------------------------------------------------


def sure_throws(at: Sight) -> list[Cards]:
    """Return, for each suit, the union of all components that no hand can beat, if there are several."""
    found = []
    for suit in (*side_suits(at.held), TRUMP):
        mine = in_suit(at.hand, at.held, suit)
        if not mine[0]:
            continue
        one, two = at.unseen_of(suit)
        sure_one = sure_two = 0
        many = 0
        for part in components(at.held, *mine):
            above = at.held.above[suit][part.top]
            if part.pairs > 1:
                beatable = bool(windows(at.held.ladder(two), part.pairs) >> part.top - part.pairs + 2)
            else:
                beatable = bool((two if part.pairs else one) & above)
            if not beatable:
                sure_one, sure_two, many = sure_one | part.one, sure_two | part.two, many + 1
        if many > 1:
            found.append((sure_one, sure_two))
    return found


def _lead(at: Sight, cards: Cards) -> float:
    lead = shape(at.held, *cards)
    assert lead is not None
    wins = 1 - lost(at, lead, lead_strength(lead))
    enemies_win = 1 - wins
    partner = (at.seat + 2) % 4
    helped = enemies_win * 0.5 * overtaken(at, lead, lead_strength(lead), partner)
    wins, enemies_win = wins + helped, enemies_win - helped
    stake = points(*cards) + FED * lead.size
    worth = (wins - enemies_win) * stake + TEMPO * wins
    if lead.suit == TRUMP:
        # Only the declarers draw trumps, and only when they hold many.
        trumps = size(*in_suit(at.hand, at.held, TRUMP))
        others = size(*at.unseen_of(TRUMP)) / 3
        worth += 0.8 * (trumps - others) if at.declares else -2.0
    return worth - _cost(at, cards) * (1.0 if lead.suit == TRUMP else 0.6)


# --- following -------------------------------------------------------------------------------------------------------


def _follow(at: Sight, cards: Cards) -> float:
    lead = at.lead
    assert lead is not None
    won, best = at.standing
    reached = strength(at.held, lead, *cards)
    mine = reached > best
    if mine:
        won, best = at.seat, reached
    stake = at.on_table + points(*cards)
    if won % 2 == at.seat % 2:
        risk = lost(at, lead, best)
    else:
        partner = (at.seat + 2) % 4
        helps = overtaken(at, lead, best, partner) * 0.6 if partner in at.later else 0.0
        risk = 1 - helps
    later = 2.0 * lead.size * len(at.later)
    worth = (1 - 2 * risk) * (stake + later)
    if mine and reached != OUT:
        worth += TEMPO * (1 - risk)
    return worth + _bonus_of_the_last_trick(at, won, risk) - _cost(at, cards) - _void_spoilt(at, cards)


def _bonus_of_the_last_trick(at: Sight, won: int, risk: float) -> float:
    """Return the points that the talon may bring in the last trick."""
    assert at.lead is not None
    last = size(*at.hand) == at.lead.size
    return 20.0 * (1 - 2 * risk) if last and won >= 0 else 0.0


def _void_spoilt(at: Sight, cards: Cards) -> float:
    """Return the cost of a discard that misses the chance to empty a suit: singles of short suits go first."""
    assert at.lead is not None
    worth = 0.0
    for suit in side_suits(at.held):
        gone = size(*in_suit(cards, at.held, suit))
        if gone and suit != at.lead.suit:
            left = size(*in_suit(at.hand, at.held, suit)) - gone
            worth += 0.15 * left
    return worth


# --- before the first trick ------------------------------------------------------------------------------------------


def bury(at: Sight) -> list[int]:
    """Return the cards to lay face down: short side suits without aces go completely, points and pairs stay."""
    held = at.held
    worth: dict[int, float] = {}
    for suit in side_suits(held):
        mine = in_suit(at.hand, held, suit)
        length = size(*mine)
        for k in kinds(mine[0]):
            above = held.above[suit][held.levels[k]]
            unseen = size(at.unseen[0] & above, at.unseen[1] & above)
            worth[k] = 0.25 * held.levels[k] + (9.0 if not unseen else 3.0 if unseen == 1 else 0.0)
            worth[k] += 0.7 * points(1 << k, 0) + 0.55 * length + (3.5 if mine[1] >> k & 1 else 0.0)
    for k in kinds(at.hand[0] & held.trumps):
        worth[k] = 40.0 + held.levels[k]
    return sorted(numbers(*at.hand), key=lambda k: (worth[k], k))[: at.rules.talon]


def show(shows: Sequence[tuple[str, Cards, float]], drawn: int) -> str:
    """Return the show that makes the best trumps, nothing if none is good enough.

    `shows`: line, cards, and the number of trumps they would make; `drawn`: cards in hand.
    """
    line, _, trumps = max(shows, key=lambda one: one[2])
    return line if trumps >= 2.5 + 0.29 * drawn else ""
