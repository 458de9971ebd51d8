"""Games as rows, made in memory by the code that writes them for people: every rule set and size, with exchange,
touches, burns, penalties, shows while cards are drawn, throws that fail.
"""

import random
from dataclasses import dataclass

from games import store
from games.fold import REFEREE, Row, TableState, acts, by_seat
from games.fold.phases import GIVE, TOUCHING
from games.models import Game, Table
from games.selectors import rule_sets
from games.services import tables
from games.services.record import Draft, follow, step_due
from games.services.tables import ClockSettings, SeatPlan

from .stage import Stage
from .tracker import words

FREEZE_MS = 300_000
CLOCKS = ClockSettings()
DECKS = 4  # that a game uses at most


@dataclass(frozen=True)
class Kind:
    """A rule set at a size."""

    rules: str
    seats: int
    teams: int
    full_ranking: bool = False

    @property
    def tricks(self) -> bool:
        return self.rules.startswith("tractor")


def kinds() -> list[Kind]:
    """Return every table that is offered."""
    return [
        Kind(one.id, seats, teams, full)
        for one in rule_sets.offered()
        for seats, many in one.shapes.items()
        for teams in many
        for full in ((False, True) if teams == seats else (False,))
    ]


def open_table(stage: Stage, kind: Kind, *, touch: bool) -> Table:
    """Open a match table of that kind with a referee on duty; a seat for each of the stage's people."""
    from games.services import referee

    plan = [SeatPlan(seat, player_id=stage.seated[seat].player.pk) for seat in range(kind.seats)]
    table = tables.open_match_table(
        rules=kind.rules,
        name="Table",
        seat_plan=plan,
        teams=kind.teams,
        full_ranking=kind.full_ranking,
        rounds=3 if kind.tricks else 0,
        clocks=CLOCKS,
        touch=touch,
        rated=False,
    )
    referee.appoint(table_id=table.pk, roles=[(stage.referee.player.pk, "referee")])
    return table


def rows_of(game: Game, roll: random.Random, decks: int) -> list[Row]:
    """Return the rows of a game until it needs one deck more than `decks`, or is over; nothing is written."""
    begin = store.load(game.pk)
    draft = Draft.of(game, store.current(game))
    tame = roll.random() < 0.5
    while draft.state.result is None:
        _act(draft, roll, tame=tame)
        rows = len(draft.rows)
        follow(draft)
        if any(words(row)[:1] == ["deck"] for row in draft.rows[rows:]) and draft.state.decks > decks:
            break
    return [*begin, *draft.rows]


def _act(draft: Draft, roll: random.Random, *, tame: bool) -> None:
    """Let the first seat that is to act do something, or the table take its next step."""
    state = draft.state
    draft.at += roll.randrange(1, 3000)
    if state.clocks is not None:
        draft.at = max(draft.at, state.clocks.opened)
    if not state.to_act:
        if state.may_act and roll.random() < 0.1 and (lines := state.legal(seat := roll.choice(sorted(state.may_act)))):
            draft.play(roll.choice(lines), seat, by_seat(seat))
        else:
            draft.at = max(draft.at, step_due(state))
        return
    seat = min(state.to_act) if roll.random() < 0.7 else roll.choice(sorted(state.to_act))
    if state.position is None:
        _before_the_deal(draft, seat)
    elif state.setup.engine.burns and state.phase == "play" and roll.random() < 0.02:
        _penalise(draft, roll.randrange(state.setup.seats))
    elif state.phase == GIVE:
        line = roll.choice(state.legal(seat))
        draft.act(acts.GiveSealed(seat=seat, card=line.removeprefix("give ")), by_seat(seat))
    elif state.setup.touches and state.phase in TOUCHING and roll.random() < 0.2:
        _touch(draft, seat, roll)
    else:
        draft.play(_line(state, seat, roll, tame=tame), seat, by_seat(seat))


def _before_the_deal(draft: Draft, seat: int) -> None:
    draft.act(acts.Ready(seat=seat), by_seat(seat))


def _touch(draft: Draft, seat: int, roll: random.Random) -> None:
    """Touch a playable card, or a marble for the touched card; nothing if there is none."""
    state = draft.state
    line = roll.choice(state.legal(seat))
    card, _, rest = line.partition(" ")
    if card in ("burn", "throw"):
        return
    if state.may_touch_card(seat, card):
        draft.act(acts.Touched(seat=seat, card=card), by_seat(seat))
        return
    marble = rest.split("-")[0].split("x")[0]
    if state.touch.card and marble and state.may_touch_marble(seat, marble):
        draft.act(acts.Touched(seat=seat, marble=marble), by_seat(seat))


def _penalise(draft: Draft, seat: int) -> None:
    """Stop the table, impose a blind burn, and go on, as a ruling does."""
    draft.act(acts.Freeze(by=REFEREE, until=draft.at + FREEZE_MS), REFEREE)
    draft.at += 1000
    draft.act(acts.Penalty(seat=seat, penalty="talk", at=1, by=REFEREE), REFEREE)
    draft.at += 1000
    draft.act(acts.Resume(by=REFEREE), REFEREE)


def _line(state: TableState, seat: int, roll: random.Random, *, tame: bool) -> str:
    """Return a legal line: any, or one that brings marbles on; in Tractor sometimes a throw that is likely to fail."""
    lines = state.legal(seat)
    if state.phase == "play" and not state.setup.engine.burns and roll.random() < 0.3:
        return _bold(state, seat, roll) or roll.choice(lines)
    if tame:
        lines = [line for line in lines if "-h" in line or line.endswith(" out")] or lines
    return roll.choice(lines)


def _bold(state: TableState, seat: int, roll: random.Random) -> str:
    """Return a legal lead or follow of random cards, or nothing."""
    engine, position = state.setup.engine, state.position
    hand = position.hand(seat)
    many = len(position.trick) and sum(bits.bit_count() for bits in position.trick[0])
    for _ in range(6):
        count = many or roll.randint(2, 4)
        if count > len(hand):
            return ""
        line = "play " + " ".join(sorted(roll.sample(hand, count)))
        if engine.is_legal(position, engine.parse_play(position, line, seat), seat):
            return line
    return ""
