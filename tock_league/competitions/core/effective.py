"""resolve(): what a match's result is, from the versions in the order they were written and the rulings in force.

Nothing is edited: a later version of the same game replaces the earlier one, and a version of the whole match (forfeit,
double forfeit, no-show, withdrawal, void) replaces what the games said. Completed games stay in the count of games. A
version `reopened` takes back what followed by the rules alone, such as a walk-over whose reason has fallen; after `void` it
brings the games back.

An effect of a ruling takes its place behind the version that was the last one when it was signed:

| effect | what it does |
| --- | --- |
| `result` | `position` won the game, or the match when no game is named |
| `void` | the game, or the match, counts no longer; a version written later counts again |
| `replay` | the same, and another game is ordered; that game falls when the order does |
| `forfeit_game` | `position` loses that game |
| `forfeit_match` | `position` loses the match, completed games stand; without a position both lose |
| `points`, `rating` | nothing here: see `penalties` and core.rated |

See docs/tournaments.md, "While it runs".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .scoring import OUTCOMES, PLAYED

RULED = ("result", "void", "replay", "forfeit_game", "forfeit_match")  # effects that change the result of a match
KINDS = (*RULED, "points", "rating")


@dataclass(frozen=True)
class Line:
    """One position's line of a version: `outcome` win, tie or loss; `place` 0 best; `margin` in marbles or levels."""

    position: int
    outcome: str
    place: int
    margin: int = 0


@dataclass(frozen=True)
class Version:
    """One ResultVersion as plain data; `game` is None when it speaks of the whole match.

    `sheet`: a paper's games, first to last, each with its lines. `counts`: whether it is certified or signed as the rules
    ask. `order`: the number of the effect that ordered this game played again.
    """

    number: int
    game: int | None
    fact: str
    lines: tuple[Line, ...] = ()
    sheet: tuple[tuple[Line, ...], ...] = ()
    counts: bool = True
    order: int | None = None


@dataclass(frozen=True)
class PlainEffect:
    """One effect in force. `seq`: order of signing; `after`: the match's last version then; `amount`: points, or in and out.

    `keeps_place`: whoever went forward in a bracket by the result as it was stays there.
    """

    seq: int
    kind: str
    after: int = 0
    game: int | None = None
    position: int | None = None
    entry: int | None = None
    amount: int = 0
    keeps_place: bool = False


@dataclass(frozen=True)
class EffectPlan:
    """What a referee is about to sign: an effect on a match. `fault`: whose error the ruling mends, for a bracket place.

    `own`: the one who profited erred, and loses the place; `other`, `referee`: later rounds stand.
    `amount`: match points for `points` (-1 takes one off `entry_id`); for `rating` 0 is out, 1 is in again.
    """

    kind: str
    match_id: int
    game_number: int | None = None
    position: int | None = None
    entry_id: int | None = None
    amount: int = 0
    fault: str = "own"


@dataclass(frozen=True)
class Slot:
    """One game that stands: from version `version` (0: nobody played it), its lines, `ruled`: the effect that changed it."""

    version: int
    fact: str
    lines: tuple[Line, ...]
    ruled: str = ""

    @property
    def winner(self) -> int | None:
        """The position that won, None for nobody."""
        return next((line.position for line in self.lines if line.outcome == "win"), None)


@dataclass(frozen=True)
class Ledger:
    """What stands of a match: its games by number, and what was decided on the whole of it, if anything.

    `covered`: the games that a version `void` took away, for the one that takes it back.
    """

    games: Mapping[int, Slot]
    whole: Slot | None
    covered: Mapping[int, Slot] = field(default_factory=dict)


@dataclass(frozen=True)
class Side:
    """The effective result of one position."""

    position: int
    outcome: str
    games: int
    margin: int


@dataclass(frozen=True)
class Effective:
    """`state`: open (not decided yet), decided or void; `sides` by position, with the games won so far in every state.

    `fact` is what is scored, see core.scoring; `cause` what was written, such as a withdrawal in the middle of a match.
    """

    state: str
    fact: str
    sides: tuple[Side, ...]
    cause: str = field(default="", compare=False)
    ruled: bool = field(default=False, compare=False)

    @property
    def score(self) -> tuple[int, ...]:
        """Games won, by position."""
        return tuple(side.games for side in self.sides)

    @property
    def winner(self) -> int | None:
        """The position that won a decided match, None while it is open, and for a tie, a double forfeit or a void one."""
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

    `effects`: those in force, in any order. `best_of`: odd number of games; with `play_all` every one of them is played,
    else the first to (best_of + 1) / 2 wins. Raises ValueError when versions are not numbered upwards, or a line is
    impossible: an unknown position or outcome, two winners of one game, a game beyond best_of.
    """
    ledger = ledger_of(versions, effects, sides=sides, best_of=best_of)
    games, whole = ledger.games, ledger.whole
    won = [0] * sides
    margin = [0] * sides
    for game in games.values():
        for line in game.lines:
            won[line.position] += line.outcome == "win"
            margin[line.position] += line.margin
    ruled = any(game.ruled for game in games.values()) or (whole is not None and bool(whole.ruled))
    if whole is not None and whole.fact == "void":
        return Effective("void", "void", _sides(["loss"] * sides, won, margin), "void", ruled)
    if whole is not None:
        outcomes = ["loss"] * sides
        for line in whole.lines:
            outcomes[line.position] = line.outcome
        return Effective("decided", _whole_fact(whole, games), _sides(outcomes, won, margin), whole.fact, ruled)
    fact = _fact({game.fact for game in games.values()})
    decided = len(games) == best_of or (not play_all and max(won) >= (best_of + 1) // 2)
    best = max(won)
    tied = won.count(best) > 1
    outcomes = ["loss" if count < best else "tie" if tied else "win" for count in won]
    if fact == "double_forfeit":
        outcomes = ["loss"] * sides
    return Effective("decided" if decided else "open", fact, _sides(outcomes, won, margin), fact, ruled)


def ledger_of(
    versions: Sequence[Version], effects: Iterable[PlainEffect] = (), *, sides: int = 2, best_of: int = 1
) -> Ledger:
    """Return what stands of a match after `versions` and the `effects` in force. Raises ValueError as `resolve` does."""
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
    """Return the match points that the effects in force take off, by entry; negative where they give."""
    taken: dict[int, int] = {}
    for effect in effects:
        if effect.kind == "points" and effect.entry is not None:
            taken[effect.entry] = taken.get(effect.entry, 0) - effect.amount
    return {entry: points for entry, points in taken.items() if points}


def _write(ledger: Ledger, version: Version) -> Ledger:
    """Return the ledger with one more version."""
    slot = Slot(version.number, version.fact, version.lines)
    if version.game is None and version.sheet:
        sheet = {n: Slot(version.number, version.fact, lines) for n, lines in enumerate(version.sheet, start=1)}
        return Ledger(sheet, None)
    if version.fact == "reopened":
        return Ledger(ledger.games or ledger.covered, None)
    if version.game is None:
        void = version.fact == "void"
        return Ledger({}, slot, ledger.games or ledger.covered) if void else Ledger(ledger.games, slot)
    games = {number: game for number, game in ledger.games.items() if number != version.game}
    if version.fact == "void":
        return Ledger(games, ledger.whole)
    again = ledger.whole is not None and ledger.whole.fact == "void"  # the match is played again
    return Ledger({**games, version.game: slot}, None if again else ledger.whole)


def _rule(ledger: Ledger, effect: PlainEffect, sides: int) -> Ledger:
    """Return the ledger after one effect."""
    if effect.kind in ("result", "forfeit_game") and effect.game is not None:
        fact = "adjudicated" if effect.kind == "result" else "forfeit"
        winner = effect.position if effect.kind == "result" else _other(effect.position, sides)
        played = ledger.games.get(effect.game)
        if played is not None and effect.kind == "result" and played.winner == winner:
            made = replace(played, ruled=effect.kind)
        else:
            made = Slot(played.version if played else 0, fact, _lines(winner, sides), effect.kind)
        void = ledger.whole is not None and ledger.whole.fact == "void"
        return Ledger({**ledger.games, effect.game: made}, None if void else ledger.whole)
    if effect.kind == "result":
        return Ledger(ledger.games, Slot(0, "adjudicated", _lines(effect.position, sides), effect.kind))
    if effect.kind == "forfeit_match":
        if effect.position is None:
            return Ledger(ledger.games, Slot(0, "double_forfeit", _lines(None, sides), effect.kind))
        return Ledger(ledger.games, Slot(0, "forfeit", _lines(_other(effect.position, sides), sides), effect.kind))
    if effect.game is not None:
        games = {number: game for number, game in ledger.games.items() if number != effect.game}
        return Ledger(games, None if effect.kind == "replay" else ledger.whole)
    return Ledger({}, Slot(0, "void", (), effect.kind) if effect.kind == "void" else None)


def _other(position: int | None, sides: int) -> int | None:
    """Return the opponent's position, None with several opponents: none of them wins by a forfeit alone."""
    return 1 - position if position is not None and sides == 2 else None


def _lines(winner: int | None, sides: int) -> tuple[Line, ...]:
    """Return the lines of a decision without margins, because no game was played."""
    return tuple(
        Line(position, "win" if position == winner else "loss", 0 if position == winner else 1)
        for position in range(sides)
    )


def _whole_fact(whole: Slot, games: Mapping[int, Slot]) -> str:
    """What is scored: a forfeit after a completed game counts as played, one before it as a walk-over."""
    if whole.fact in ("double_forfeit", "adjudicated", "played"):
        return whole.fact
    if any(game.fact in PLAYED for game in games.values()):
        return "forfeit"
    return "walkover" if whole.fact == "forfeit" else whole.fact


def _fact(facts: set[str]) -> str:
    """Return the fact of a match from those of its games: unplayed only when every game was."""
    if facts and facts <= {"no_show", "double_forfeit"}:
        return "double_forfeit" if "double_forfeit" in facts else "no_show"
    if facts & {"forfeit", "no_show", "double_forfeit"}:
        return "forfeit"
    return "adjudicated" if "adjudicated" in facts else "played"


def _sides(outcomes: Sequence[str], won: Sequence[int], margin: Sequence[int]) -> tuple[Side, ...]:
    return tuple(Side(position, outcomes[position], won[position], margin[position]) for position in range(len(won)))


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
