"""The effects of a play as facts, found by comparing the position before and after."""

from games.engine.cards import TEXTS
from games.engine.tractor import facts
from games.engine.tractor.plays import Kind, Play, texts
from games.engine.tractor.round.state import BURY, DECK, OVER, PLAY, Position
from games.engine.tractor.round.turns import apply_in_place, ranks
from games.engine.tractor.rules import RANKS, SUITS
from games.engine.tractor.score import rank_text


def tell(p: Position, play: Play) -> tuple[facts.Fact, ...]:
    """Return the effects of the play, in order; `p` is not changed. Only facts that every viewer may know."""
    after = p.copy()
    apply_in_place(after, play)
    kind = play.kind
    if kind is Kind.DECK:
        return (facts.DeckShuffled(after.drawer),)
    if kind is Kind.BURY:
        return (facts.CardsBuried(p.turn, p.rules.talon),)
    if kind is Kind.PLAY:
        return tuple(_of_trick(p, after))
    told: list[facts.Fact] = []
    if kind is Kind.DRAW:
        told.append(facts.CardsDrawn(len(after.stock)))
    elif kind is Kind.PASS:
        told.append(facts.Passed(play.seat))
    else:
        if p.show:
            told.append(facts.Overridden(p.show.seat, tuple(texts(p.show.one, p.show.two))))
        told.append(facts.Shown(play.seat, tuple(texts(play.one, play.two))))
    return (*told, *_of_window(after))


def _of_window(after: Position) -> list[facts.Fact]:
    """Return the effects of closing the window for shows; none while it is open."""
    if after.phase == DECK:
        return [facts.NobodyShowed()]
    if after.phase != BURY:
        return []
    told: list[facts.Fact] = []
    if after.turned:
        told.append(facts.TalonTurned(tuple(TEXTS[k] for k in after.turned)))
    suit = SUITS[after.suit] if after.suit >= 0 else ""
    return [*told, facts.TrumpsNamed(RANKS[after.rank], suit), facts.TalonTaken(after.starter)]


def _of_trick(p: Position, after: Position) -> list[facts.Fact]:
    told: list[facts.Fact] = []
    if not p.trick and after.failed:
        led = after.trick[0]
        failed = after.failed
        told.append(facts.ThrowFailed(failed.seat, tuple(texts(*led)), tuple(texts(*failed.back)), failed.paid))
    if len(p.trick) + 1 < p.seats:
        return told
    assert after.last is not None
    told.append(facts.TrickWon(after.last.winner, after.last.points))
    if after.phase == PLAY:
        return told
    ended = after.previous
    assert ended is not None
    told.append(facts.TalonShown(tuple(texts(*ended.buried)), ended.talon))
    told.append(facts.RoundEnded(ended.total, ended.gains, tuple(rank_text(rank) for rank in ended.ranks)))
    if after.phase == OVER:
        result = ranks(after)
        assert result is not None
        return [*told, facts.GameOver(result)]
    return [*told, facts.StarterFollows(after.starter)]
