"""The value of a board and a hand for a team, and the resulting chance to come first.

A team's score is in points (weights.py) times the scale that makes it a logarithm of odds: a team's chance to come
first is the softmax of the scores. With two teams that is the logistic function of the difference; with more, the best
of the others counts most.
"""

from collections.abc import Sequence
from functools import cache
from math import exp, log

from games.bots.terrain import terrain
from games.bots.weights import KEEP, MORE_TEAMS, STARTER, TWO_TEAMS, WEIGHTS, Weights
from games.engine.cards import RANK
from games.engine.tock.board import FULL, MARBLES
from games.engine.tock.plays import After
from games.engine.tock.position import Position
from games.engine.tock.rules import TockRules

# The cards that a seat with an empty hand is assumed to hold: it may get new ones before its turn.
NEXT_HAND = 3
# The score of a team whose marbles are all home, far above any other score.
HOME = 1000.0


class Worth:
    """The evaluation of one rule set at one table, with weights and scale combined in tables."""

    def __init__(self, rules: TockRules, seats: int, teams: int, *, w: Weights, scale: float, shift: float) -> None:
        self.terrain = terrain(rules, seats)
        board = self.terrain.board
        length = board.length
        self.scale, self.shift = scale, shift
        self.heaven = [scale * _heaven(mask, w) for mask in range(FULL + 1)]
        gone = [[(space - start) % length for space in range(length)] for start in board.starts]
        self.value = [[scale * _marble(g, length, w) for g in row] for row in gone]
        # The approximate loss of a marble on the track that goes back to its reserve.
        self.stake = [[scale * (0.4 + g / length) for g in row] for row in gone]
        self.danger, self.danger_next = w.danger, w.danger_next
        self.protected, self.centre, self.stuck = scale * w.protected, scale * w.centre, -scale * w.stuck
        self.way_out, self.spare_out = scale * w.way_out, scale * w.spare_out
        self.home_next, self.eats_next = scale * w.home_next, w.eats_next
        self.after = {After.NOTHING: 0.0, After.NEXT_BURNS: scale * w.next_burns, After.REPLAY: scale * w.replays}
        # foes[mover][team]: the seats that may eat a team's marbles before its next turn.
        self.foes = [
            [[foe for foe in range(seats) if foe % teams != team and foe != mover] for team in range(teams)]
            for mover in range(seats)
        ]
        self.keep = [scale * KEEP[rank] if rank in KEEP else 0.0 for rank in RANK]
        outs = self.terrain.outs
        self.keep_stuck = [
            worth + scale * STARTER if outs[card] else worth * w.idle for card, worth in enumerate(self.keep)
        ]

    def scores(self, p: Position, seat: int, counts: Sequence[int]) -> list[float]:
        """Return each team's score by the board alone when `seat` has just played; `counts`: cards in each hand."""
        teams, guard, tracks, reserve = p.teams, p.guard, p.tracks, p.reserve
        starts, shield, hits, out = p.board.starts, p.board.shield, self.terrain.hit, self.terrain.out
        mine, all_foes = seat % teams, self.foes[seat]
        scores = [0.0] * teams
        for owner, track in enumerate(tracks):
            team, inside = owner % teams, p.heaven[owner]
            score = self.heaven[inside]
            if not track and inside != FULL:
                score += self.stuck
            if track:
                value, stakes, foes = self.value[owner], self.stake[owner], all_foes[team]
                weight = self.danger if team == mine else self.danger_next
                for space in track:
                    score += value[space]
                    if guard & shield[space]:
                        score += self.protected
                        continue
                    row, safe = hits[space], 1.0
                    for foe in foes:
                        chance = 0.0
                        for other in tracks[foe]:
                            chance += row[other]
                        if space == starts[foe] and reserve[foe]:
                            chance += out
                        if chance:
                            safe *= (1.0 - (chance if chance < 0.95 else 0.95)) ** (counts[foe] or NEXT_HAND)
                    if safe < 1.0:
                        score -= weight * (1.0 - safe) * stakes[space]
            scores[team] += score
        for owner, _ in p.centre:
            scores[owner % teams] += self.centre
        return scores

    def hand(self, p: Position, me: int, cards: Sequence[int]) -> float:
        """Return the value of the cards still held; `me` is the side that they move."""
        outs, stuck = self.terrain.outs, not p.tracks[me]
        keep = self.keep_stuck if stuck else self.keep
        worth, out = 0.0, False
        for card in cards:
            worth += keep[card]
            out = out or outs[card]
        if out and p.reserve[me]:
            worth += self.way_out if stuck else self.spare_out
        return worth if stuck else worth + self.follow_up(p, me, cards)

    def follow_up(self, p: Position, me: int, cards: Sequence[int]) -> float:
        """Return what the next play of the same hand promises if nothing changes before: a marble brought home, and the
        most valuable marble of another team eaten.
        """
        ways, guard = self.terrain.ways, p.guard | p.heaven[me] << 2 * p.seats
        at, teams, stake = p.at, p.teams, self.stake
        team, home, best, last = me % teams, False, 0.0, -1
        for card in cards:
            able = ways[card]
            if able is None or card == last:
                continue
            last = card
            for place in p.tracks[me]:
                for block, spaces, inside in able[me][place]:
                    if guard & block:
                        continue
                    if inside:
                        home = True
                    gain = 0.0
                    for space in spaces:
                        eaten = at[space]
                        if eaten >= 0:
                            gain += stake[eaten][space] if eaten % teams != team else -stake[eaten][space]
                    if gain > best:
                        best = gain
        return self.eats_next * best + (self.home_next if home else 0.0)


@cache
def worth_of(rules: TockRules, seats: int, teams: int) -> Worth:
    """Return the evaluation of a rule set at a table."""
    scale, shift = TWO_TEAMS if teams == 2 else MORE_TEAMS
    return Worth(rules, seats, teams, w=WEIGHTS, scale=scale, shift=shift)


def lead(scores: Sequence[float], team: int) -> float:
    """Return how far a team is ahead: its score minus the combined score of the others, the logarithm of the sum of
    their exponentials. A team whose marbles are all home is ahead of all.
    """
    if len(scores) == 2:
        return scores[team] - scores[1 - team]
    others = [score for other, score in enumerate(scores) if other != team]
    top = max(others)
    return scores[team] - top - log(sum(exp(score - top) for score in others))


def chance(odds: float) -> float:
    """Return the chance, 0 to 1, for a logarithm of odds."""
    return 1.0 / (1.0 + exp(-odds)) if odds > -700 else 0.0


def _heaven(mask: int, w: Weights) -> float:
    """Return the value of a heaven: marbles at home; a marble before an empty place blocks the others."""
    inside = sum(w.heaven + w.depth * k for k in range(MARBLES) if mask >> k & 1)
    return inside - w.hole * sum(1 for k in range(MARBLES) if not mask >> k & 1 and mask & ((1 << k) - 1))


def _marble(gone: int, length: int, w: Weights) -> float:
    """Return the value of a marble `gone` spaces after its start."""
    left = length - 2 - gone
    # A marble past its pieu has a whole lap to go again.
    worth = w.out + (w.lap * gone / length if left >= 0 else 0.0)
    if 0 <= left <= w.reach:
        worth += w.near
    if gone in (0, 1, 2, length - 1):
        worth += w.beside
    return worth
