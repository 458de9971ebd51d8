"""The effective result of a match: a fold of its result versions, in order, and the effects of rulings in force.

Versions are never edited. A later version of a game replaces the earlier one. A version of the whole match (forfeit,
double forfeit, no-show, withdrawal, void) replaces the result of the games; completed games still count as games won. A
version `reopened` revokes an automatic version of the whole match, such as a walk-over that is no longer justified;
after `void` it restores the games.

The effect of a ruling is applied after the version that was the last one when it was signed:

| effect | what it does |
| --- | --- |
| `result` | `position` won the game, or the match when no game is named |
| `void` | the game or the match no longer counts; a version written later counts again |
| `replay` | the same, and a new game is ordered; that game counts only while the order is in force |
| `forfeit_game` | `position` loses that game |
| `forfeit_match` | `position` loses the match, completed games stand; without a position both lose |
| `paper` | the games are those of its sheet, a corrected paper; nothing else decides the match |
| `no_show` | nobody played: `position` did not come, the other side wins; without a position both lose |
| `points`, `rating` | nothing here: see `penalties` and core.rated |

`paper`, `no_show` and `replay` come from a ruling or from a correction by the desk, the others from a ruling.

See docs/tournaments.md, "While it runs".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .scoring import OUTCOMES, PLAYED

# The effects that change the result of a match.
RULED = ("result", "void", "replay", "forfeit_game", "forfeit_match", "paper", "no_show")
KINDS = (*RULED, "points", "rating")


@dataclass(frozen=True)
class Line:
    """The result of one position in a version."""

    position: int
    outcome: str  # win, tie or loss
    place: int  # 0 is best
    margin: int = 0  # in marbles, or in levels of Tractor; under a time cap between the scores
    # Under a time cap only (core.caps): what the side scored, for which count, and whether it finished the game.
    scored: int | None = None
    counted: int | None = None
    finished: bool = False


Sheet = tuple[tuple[Line, ...], ...]


@dataclass(frozen=True)
class Version:
    """One ResultVersion as plain data."""

    number: int  # rising in the match
    game: int | None  # the number of the game; None for the whole match
    fact: str  # see core.scoring; or "reopened"
    lines: tuple[Line, ...] = ()
    sheet: Sheet = ()  # the games of a paper in order, each with its lines
    counts: bool = True  # whether it is certified or signed as the rules require
    order: int | None = None  # the `seq` of the effect that ordered the replay of this game


@dataclass(frozen=True)
class PlainEffect:
    """One effect in force."""

    seq: int  # order of signing
    kind: str  # see the table above
    after: int = 0  # the number of the match's last version when it was signed
    game: int | None = None
    position: int | None = None
    entry: int | None = None
    amount: int = 0  # as in EffectPlan
    keeps_place: bool = False  # the entry that advanced in the bracket by the former result keeps its place
    sheet: Sheet = ()  # of `paper`: the games in order, each with its lines
    desk: bool = False  # whether a correction by the desk has written it, and not a ruling


@dataclass(frozen=True)
class EffectPlan:
    """An effect on a match before the referee or the desk signs it."""

    kind: str  # see the table above
    match_id: int
    game_number: int | None = None
    position: int | None = None
    entry_id: int | None = None
    amount: int = 0  # of `points`: match points (-1 deducts one from `entry_id`); of `rating`: 0 unrated, 1 rated again
    # whose error the ruling corrects, for a bracket: `own`, the entry that profited loses the place; `other` or
    # `referee`, later rounds stand
    fault: str = "own"
    # of `paper`: the games in order, each as core.sheets has it
    sheet: tuple[tuple[int | None, ...], ...] = ()


@dataclass(frozen=True)
class Slot:
    """The current result of one game, or of the whole match."""

    version: int  # the number of its version; 0 if a ruling decided it without one
    fact: str
    lines: tuple[Line, ...]
    ruled: str = ""  # the kind of the effect that changed it
    effect: int = 0  # the `seq` of the `paper` or `no_show` that it is on; 0 if it is on a version

    @property
    def winner(self) -> int | None:
        """The position that won, None for nobody."""
        return next((line.position for line in self.lines if line.outcome == "win"), None)


@dataclass(frozen=True)
class Ledger:
    """The state of the fold: the current results of a match."""

    games: Mapping[int, Slot]  # by number of the game
    whole: Slot | None  # a decision on the whole match, if any
    closed: bool = False  # whether a paper says that these games are the whole match: its time was up
    covered: Mapping[int, Slot] = field(default_factory=dict)  # the games before a version `void`, for `reopened`


@dataclass(frozen=True)
class Side:
    """The effective result of one position."""

    position: int
    outcome: str
    games: int
    margin: int
    scored: int | None = None  # the sum of its games, where a time cap counts


@dataclass(frozen=True)
class Effective:
    """The effective result of a match."""

    state: str  # open (not decided yet), decided or void
    fact: str  # the fact that is scored, see core.scoring
    sides: tuple[Side, ...]  # by position, with the games won so far in every state
    cause: str = field(default="", compare=False)  # the fact as written, such as a withdrawal in the middle of a match
    ruled: bool = field(default=False, compare=False)  # whether a ruling changed it
    one_game: bool = field(default=False, compare=False)  # whether one game was played

    @property
    def score(self) -> tuple[int, ...]:
        """Games won, by position."""
        return tuple(side.games for side in self.sides)

    @property
    def shown(self) -> tuple[int, ...]:
        """The score that pages show, by position, which never contradicts the outcome.

        Games won, or of one game under a time cap what was scored; where they do not give the outcome (a forfeit, a
        ruling), 1 for the winner and 0 for the others.
        """
        score, winner = self.score, self.winner
        if self.by_score:
            score = tuple(side.scored or 0 for side in self.sides)
        if self.state != "decided":
            return score
        if winner is None:
            tied = [score[side.position] for side in self.sides if side.outcome == "tie"]
            agrees = bool(tied) and min(tied) == max(score)
        else:
            agrees = all(score[winner] > games for position, games in enumerate(score) if position != winner)
        return score if agrees else tuple(int(position == winner) for position in range(len(score)))

    @property
    def by_score(self) -> bool:
        """Whether it was one game under a time cap, of which pages show what was scored."""
        return self.state == "decided" and self.one_game and all(side.scored is not None for side in self.sides)

    @property
    def winner(self) -> int | None:
        """The position that won a decided match; None for an open or void match, a tie or a double forfeit."""
        if self.state != "decided":
            return None
        return next((side.position for side in self.sides if side.outcome == "win"), None)


def resolve(
    versions: Sequence[Version],
    effects: Iterable[PlainEffect] = (),
    *,
    sides: int = 2,
    best_of: int = 1,
    play_all: bool = False,
) -> Effective:
    """Return the effective result of a match of `sides` entries.

    `effects`: those in force, in any order. `best_of`: odd number of games; with `play_all` every one of them is
    played, else the first to (best_of + 1) / 2 wins. Raises ValueError when versions are not numbered upwards, or a
    line is impossible: an unknown position or outcome, two winners of one game, a game beyond best_of.
    """
    ledger = ledger_of(versions, effects, sides=sides, best_of=best_of)
    games, whole = ledger.games, ledger.whole
    tally = _tally(games.values(), sides)
    won = [side.games for side in tally]
    ruled = any(game.ruled for game in games.values()) or (whole is not None and bool(whole.ruled))
    if whole is not None and whole.fact == "void":
        return Effective("void", "void", _sides(["loss"] * sides, tally), "void", ruled)
    if whole is not None:
        outcomes = ["loss"] * sides
        for line in whole.lines:
            outcomes[line.position] = line.outcome
        return Effective("decided", _whole_fact(whole, games), _sides(outcomes, tally), whole.fact, ruled)
    fact = _fact({game.fact for game in games.values()})
    decided = len(games) == best_of or (not play_all and max(won) >= (best_of + 1) // 2)
    decided = decided or ledger.closed
    reached = [(side.games, side.scored or 0) for side in tally]  # under a time cap the score decides between equals
    best = max(reached)
    tied = reached.count(best) > 1
    outcomes = ["loss" if count < best else "tie" if tied else "win" for count in reached]
    if fact == "double_forfeit":
        outcomes = ["loss"] * sides
    state = "decided" if decided else "open"
    return Effective(state, fact, _sides(outcomes, tally), fact, ruled, one_game=len(games) == 1)


def ledger_of(
    versions: Sequence[Version], effects: Iterable[PlainEffect] = (), *, sides: int = 2, best_of: int = 1
) -> Ledger:
    """Return the state of the fold after `versions` and the `effects` in force. Raises ValueError as `resolve` does."""
    waiting = sorted((effect for effect in effects if effect.kind in RULED), key=lambda effect: effect.seq)
    in_force = {effect.seq for effect in waiting}
    ledger = Ledger({}, None)
    last = 0
    for version in versions:
        if version.number <= last:
            raise ValueError("versions are folded in the order of their numbers")
        last = version.number
        _check(version, sides, best_of)
        while waiting and waiting[0].after < version.number:
            ledger = _rule(ledger, waiting.pop(0), sides)
        if version.counts and (version.order is None or version.order in in_force):
            ledger = _write(ledger, version)
    for effect in waiting:
        ledger = _rule(ledger, effect, sides)
    return ledger


def penalties(effects: Iterable[PlainEffect]) -> dict[int, int]:
    """Return the match points that the effects in force deduct, by entry; negative if they add points."""
    taken: dict[int, int] = {}
    for effect in effects:
        if effect.kind == "points" and effect.entry is not None:
            taken[effect.entry] = taken.get(effect.entry, 0) - effect.amount
    return {entry: points for entry, points in taken.items() if points}


def _write(ledger: Ledger, version: Version) -> Ledger:
    """Return the ledger with one more version."""
    slot = Slot(version.number, version.fact, version.lines)
    if version.game is None and version.sheet:
        sheet = {
            n: Slot(version.number, _fact_on_paper(lines), lines) for n, lines in enumerate(version.sheet, start=1)
        }
        return Ledger(sheet, None, closed=_is_timed(version.sheet))
    if version.fact == "reopened":
        return Ledger(ledger.games or ledger.covered, None, ledger.closed)
    if version.game is None:
        void = version.fact == "void"
        covered = ledger.games or ledger.covered
        return (
            replace(ledger, games={}, whole=slot, covered=covered) if void else replace(ledger, whole=slot, covered={})
        )
    games = {number: game for number, game in ledger.games.items() if number != version.game}
    if version.fact == "void":
        return Ledger(games, ledger.whole)
    again = ledger.whole is not None and ledger.whole.fact == "void"  # the match is played again
    return Ledger({**games, version.game: slot}, None if again else ledger.whole)


def _rule(ledger: Ledger, effect: PlainEffect, sides: int) -> Ledger:
    """Return the ledger after one effect."""
    if effect.kind == "paper":
        numbered, ruled = enumerate(effect.sheet, start=1), "" if effect.desk else effect.kind
        games = {number: Slot(0, _fact_on_paper(lines), lines, ruled, effect.seq) for number, lines in numbered}
        return Ledger(games, None, closed=_is_timed(effect.sheet))
    if effect.kind == "no_show":
        fact = "double_forfeit" if effect.position is None else "no_show"
        lines = _lines(_other(effect.position, sides), sides)
        return Ledger({}, Slot(0, fact, lines, "" if effect.desk else effect.kind, effect.seq))
    if effect.kind in ("result", "forfeit_game") and effect.game is not None:
        fact = "adjudicated" if effect.kind == "result" else "forfeit"
        winner = effect.position if effect.kind == "result" else _other(effect.position, sides)
        played = ledger.games.get(effect.game)
        if played is not None and effect.kind == "result" and played.winner == winner:
            made = replace(played, ruled=effect.kind)
        else:
            made = Slot(played.version if played else 0, fact, _lines(winner, sides), effect.kind)
        void = ledger.whole is not None and ledger.whole.fact == "void"
        return Ledger({**ledger.games, effect.game: made}, None if void else ledger.whole, ledger.closed)
    if effect.kind == "result":
        return replace(ledger, whole=Slot(0, "adjudicated", _lines(effect.position, sides), effect.kind), covered={})
    if effect.kind == "forfeit_match":
        if effect.position is None:
            return Ledger(ledger.games, Slot(0, "double_forfeit", _lines(None, sides), effect.kind))
        return Ledger(ledger.games, Slot(0, "forfeit", _lines(_other(effect.position, sides), sides), effect.kind))
    if effect.game is not None:
        left = {number: game for number, game in ledger.games.items() if number != effect.game}
        return Ledger(left, None if effect.kind == "replay" else ledger.whole)
    return Ledger({}, Slot(0, "void", (), effect.kind) if effect.kind == "void" else None)


def _other(position: int | None, sides: int) -> int | None:
    """Return the opponent's position; None with several opponents, because a forfeit makes none of them the winner."""
    return 1 - position if position is not None and sides == 2 else None


def _lines(winner: int | None, sides: int) -> tuple[Line, ...]:
    """Return the lines of a decision without margins, because no game was played."""
    return tuple(
        Line(position, "win" if position == winner else "loss", 0 if position == winner else 1)
        for position in range(sides)
    )


def _whole_fact(whole: Slot, games: Mapping[int, Slot]) -> str:
    """Return the fact that is scored: a forfeit before the first completed game counts as a walk-over."""
    if whole.fact in ("double_forfeit", "adjudicated", "played"):
        return whole.fact
    if any(game.fact in PLAYED for game in games.values()):
        return "forfeit"
    return "walkover" if whole.fact == "forfeit" else whole.fact


def _fact(facts: set[str]) -> str:
    """Return the fact of a match from those of its games; the match is unplayed only if all its games are."""
    if facts and facts <= {"no_show", "double_forfeit"}:
        return "double_forfeit" if "double_forfeit" in facts else "no_show"
    if facts & {"forfeit", "no_show", "double_forfeit"}:
        return "forfeit"
    return "adjudicated" if "adjudicated" in facts else "played"


def _tally(games: Iterable[Slot], sides: int) -> list[Side]:
    """Return the sums of the games by position, without an outcome."""
    lines = [line for game in games for line in game.lines]
    made = []
    for position in range(sides):
        own = [line for line in lines if line.position == position]
        scores = [line.scored for line in own if line.scored is not None]
        won, margin = sum(line.outcome == "win" for line in own), sum(line.margin for line in own)
        made.append(Side(position, "", won, margin, sum(scores) if scores else None))
    return made


def _sides(outcomes: Sequence[str], tally: Sequence[Side]) -> tuple[Side, ...]:
    return tuple(replace(side, outcome=outcome) for outcome, side in zip(outcomes, tally, strict=True))


def _is_timed(sheet: Sheet) -> bool:
    """Return whether the games were played under a time cap."""
    return any(line.scored is not None for lines in sheet for line in lines)


def _fact_on_paper(lines: Sequence[Line]) -> str:
    """Return the fact of a game on paper: adjudicated where the time was up before a side had finished."""
    timed = any(line.scored is not None for line in lines)
    return "adjudicated" if timed and not any(line.finished for line in lines) else "played"


def _check(version: Version, sides: int, best_of: int) -> None:
    if version.game is not None and not 1 <= version.game <= best_of:
        raise ValueError(f"game {version.game} of a match that is best of {best_of}")
    if len(version.sheet) > best_of:
        raise ValueError(f"{len(version.sheet)} games of a match that is best of {best_of}")
    for lines in (version.lines, *version.sheet):
        positions = [line.position for line in lines]
        if len(set(positions)) != len(positions) or any(not 0 <= position < sides for position in positions):
            raise ValueError(f"lines name positions {positions} of {sides}")
        if any(line.outcome not in OUTCOMES for line in lines):
            raise ValueError("an outcome is win, tie or loss")
        if sum(line.outcome == "win" for line in lines) > 1:
            raise ValueError("a game has one winner at most")
