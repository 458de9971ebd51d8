"""Draft rows and write them: the part that all commands share."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction

from games import store
from games.announcements import PlaysRecorded
from games.bots import at_table
from games.fold import (
    BY_SEATS,
    CLOCK,
    NONE,
    SHARE_MS,
    SYSTEM,
    Row,
    Step,
    TableState,
    Viewer,
    acts,
    apply_row,
    caps,
    release,
    round_for,
    view,
)
from games.fold.phases import GIVE
from games.models import Game, Seating
from tock_league.common import bus, clock
from tock_league.common.metrics import BEACON_OUTCOMES, play_counter

from .alarm import alarm
from .deals import DRAW, Deals, draw_more

BEGINS = (acts.Draw.word, acts.Begin.word)  # the acts with which play begins


@dataclass
class Draft:
    """Rows to be appended to `game`. All rows of a draft have the same time."""

    game: Game
    begin: TableState  # before the rows
    state: TableState  # after the rows so far
    at: int  # their time (ms)
    steps: list[Step] = field(default_factory=list)
    # the game's columns as they were read, so that only changed ones are written; None writes all
    before: Mapping[str, Any] | None = None
    bots: Sequence[int] | None = None  # the seats that bots play; None: not read yet

    @classmethod
    def of(
        cls,
        game: Game,
        state: TableState,
        *,
        before: Mapping[str, Any] | None = None,
        bots: Sequence[int] | None = None,
    ) -> "Draft":
        """Begin at `state`, at the game clock's present, which never runs backwards within a game."""
        return cls(game=game, begin=state, state=state, at=max(clock.now_ms(), state.at), before=before, bots=bots)

    @property
    def rows(self) -> list[Row]:
        """The rows so far, in order."""
        return [step.row for step in self.steps]

    @property
    def ends(self) -> bool:
        """Whether these rows end the game."""
        return self.begin.result is None and self.state.result is not None

    def act(self, act: acts.Act, actor: str, *, command: tuple[str, str] = ("", ""), epoch: int = 0) -> None:
        """Add an act; `command`: id and body hash of the request that caused it, `epoch`: how many epochs begin with
        it.
        """
        self._add(kind="act", code=act.word, body=acts.body(act), actor=actor, command=command, epoch=epoch)

    def play(self, text: str, seat: int, actor: str, *, command: tuple[str, str] = ("", "")) -> None:
        """Add a play of `seat`. Raises the engine's errors."""
        self._add(kind="play", code="play", body={"seat": seat, "play": text}, actor=actor, command=command)

    def chance(self, text: str, seat: int | None = None) -> None:
        """Add a chance play; `seat`: whose card a blind burn takes."""
        body: dict[str, Any] = {"play": text, "chance": True}
        if seat is not None:
            body["seat"] = seat
        self._add(kind="play", code="play", body=body, actor=SYSTEM, command=("", ""))

    def _add(
        self, *, kind: Any, code: str, body: Mapping[str, Any], actor: str, command: tuple[str, str], epoch: int = 0
    ) -> None:
        row = Row(
            seq=self.state.seq + 1,
            epoch=self.state.epoch + epoch,
            kind=kind,
            code=code,
            body=body,
            actor=actor,
            at=self.at,
            command_id=command[0],
            body_hash=command[1],
        )
        after = apply_row(self.state, row)
        self.steps.append(Step(row=row, before=self.state, after=after))
        self.state = after


def follow(draft: Draft) -> None:
    """Add what follows automatically: the first dealer, exchanged cards, decks, blind burns, plays of seats whose team
    is out, and the reveal of the seeds.
    """
    state = draft.state
    if state.result is None and state.position is None and state.all_there and _shuffled(draft):
        dealer, drawn = Deals.of(draft.game, draft.state.shares).first_dealer()
        draft.act(acts.Draw(dealer=dealer, cards=tuple(drawn)), SYSTEM)
    while _follows(draft):
        pass
    if draft.ends and draft.state.position is not None and draft.steps[-1].row.code != acts.Open.word:
        draft.act(Deals.of(draft.game).opened(range(DRAW, draft.state.decks + 1)), SYSTEM)


def _shuffled(draft: Draft) -> bool:
    """Ask the seats that have committed to open their shares, or stop waiting for them; then wait for the beacon. Return
    whether the deal may begin.
    """
    shares = draft.state.shares
    if shares.settled:
        return True
    if not shares.until:
        until = draft.at + SHARE_MS if shares.any else draft.at
        fixed = round_for(shares.beacon.chain, until) if shares.beacon is not None else None
        draft.act(acts.Sharing(until=until, round=fixed), SYSTEM)
        if shares.any:
            return False
    if not shares.closed:
        if shares.missing and draft.at <= shares.until:
            return False
        draft.act(acts.Shared(withheld=shares.missing), CLOCK if shares.missing else SYSTEM)
    beacon = draft.state.shares.beacon
    if beacon is not None and draft.at > beacon.by:
        draft.act(acts.Beacon(round=beacon.round, absent=True), CLOCK)
    return draft.state.shares.settled


def _follows(draft: Draft) -> bool:
    """Add the next automatic row and return whether there was one. A deal ends the series at the latest, because then a
    seat that still plays holds cards.
    """
    state = draft.state
    if state.result is not None or state.position is None:
        return False
    if caps.is_over(state):
        end_by_time(draft)
    elif state.chance:
        due = step_due(state)
        if due > draft.at or (due and state.frozen is not None):
            return False
        play_chance(draft)
    elif state.phase == GIVE and not state.to_act:
        for seat, card in sorted(state.sealed.items()):
            draft.play(f"give {card}", seat, SYSTEM)
    elif state.deserted and state.frozen is None:
        play_default(draft, state.deserted[0])
    else:
        return False
    return True


def end_by_time(draft: Draft) -> None:
    """End the game by what the sides have reached, or go on where they are equal and something else decides."""
    state, cap = draft.state, draft.state.setup.cap
    assert cap is not None
    counts = caps.reached(state)
    if caps.goes_on(state):
        draft.act(acts.Extra(tie=cap.tie, counts=counts), SYSTEM)
    else:
        draft.act(acts.Time(counts=counts, ranks=tuple(caps.ranks_by(counts, state.out))), SYSTEM)


def step_due(state: TableState) -> int:
    """Return when the due chance play is made (ms): 0 at once; cards are drawn one after another, so that all can
    watch.
    """
    steps = state.setup.family.pause(state)
    return state.stepped + steps * settings.TOCK_DRAW_MS if steps and settings.TOCK_DRAW_MS else 0


def default_line(state: TableState, seat: int) -> str:
    """Return the default play of the seat among those that its touches leave."""
    return at_table.default_line(view(state, Viewer(seat)), state.legal(seat))


def play_default(draft: Draft, seat: int) -> None:
    """Make the default play for the seat."""
    line = default_line(draft.state, seat)
    if draft.state.phase == GIVE:
        draft.act(acts.GiveSealed(seat=seat, card=line.removeprefix("give ")), CLOCK)
    else:
        draft.play(line, seat, CLOCK)


def play_chance(draft: Draft) -> None:
    """Make the due chance play."""
    state = draft.state
    if state.chance == "draw":
        draft.chance(state.setup.family.draw_line)
        return
    deals = Deals.of(draft.game, state.shares)
    if state.chance == "deck":
        d = state.decks + 1
        if d >= deals.committed():
            draw_more(draft.game)
            deals = Deals.of(draft.game, state.shares)
            beacon = state.shares.beacon
            by = BY_SEATS if state.shares.root else NONE
            draft.act(deals.commit(d, shares=by, chain=beacon.chain if beacon is not None else None), SYSTEM)
        draft.chance(deals.deck_line(d))
        return
    seat = state.burning
    hand = state.setup.engine.view(state.position, seat)["hand"]
    draft.chance(f"blind {deals.blind_card(state.decks, state.blinds, hand)}", seat)


def write(draft: Draft) -> None:
    """Append the draft's rows, update the game's index and announce it; inside `writing()`.

    Raises `store.LostRace` when another transaction appended meanwhile.
    """
    game, state = draft.game, draft.state
    store.append(game, draft.rows, expected_seq=draft.begin.seq)
    index(game, state, draft.bots)
    if draft.before is None:
        game.save()
    else:
        store.save(game, draft.before)
    store.remember(game, state)
    transaction.on_commit(partial(_committed, game, draft.steps))
    bus.publish(PlaysRecorded(table_id=game.table_id, game_id=game.pk, seq=game.last_seq, steps=tuple(draft.steps)))


def _committed(game: Game, steps: Sequence[Step]) -> None:
    """Count the rows, and set this process's alarm for the game's next deadline or its bot's turn."""
    for step in steps:
        play_counter(step.row.code).inc()
        if step.row.code == acts.Beacon.word:
            BEACON_OUTCOMES["absent" if step.row.body.get("absent") else "present"].inc()
    for at in (game.due_at, game.bot_at):
        if at is not None:
            alarm.set(clock.ms(at))


def index(game: Game, state: TableState, bots: Sequence[int] | None = None) -> None:
    """Set the columns that are an index of the fold; the caller saves. `bots`: the seats that bots play, if known."""
    game.epoch = state.epoch
    game.released_seq = release.bound(state, game.table.release)
    game.phase = "over" if state.result else state.phase
    game.decision = state.decision_id
    seats = sorted(state.to_act)
    game.turn = seats[0] if len(seats) == 1 and state.position is not None else None
    game.frozen = state.frozen is not None
    _index_state(game, state)
    _index_deadline(game, state)
    _index_bots(game, state, bots)


def _index_bots(game: Game, state: TableState, bots: Sequence[int] | None) -> None:
    """Set when a bot has thought long enough. Where nobody must act a bot acts at intervals, which rows that come
    meanwhile do not extend.
    """
    waiting: Collection[int] = ()
    if state.asked and state.frozen is None:
        waiting = state.asked & set(bot_seats(game.table_id) if bots is None else bots)
    if waiting and not state.to_act and game.bot_at is not None:
        return
    pace = timedelta(milliseconds=settings.TOCK_BOT_PACE_MS)
    # After a freeze bots wait for the end of the countdown, like people.
    begin = max(state.at, state.stepped, state.clocks.opened if state.clocks is not None else 0)
    game.bot_at = clock.from_ms(begin) + pace if waiting else None


def _index_state(game: Game, state: TableState) -> None:
    if state.result is not None:
        game.state = Game.State.OVER
        game.ranks, game.reason = list(state.result.ranks), state.result.reason
        game.finished_at = game.finished_at or clock.from_ms(state.at)
    elif state.position is not None:
        game.state = Game.State.PLAYING
        game.started_at = game.started_at or clock.from_ms(state.at)


def _index_deadline(game: Game, state: TableState) -> None:
    if state.frozen is not None:
        game.due_at, game.due_kind = clock.from_ms(state.frozen.until), "referee"
    elif state.result is None and state.chance:
        game.due_at, game.due_kind = clock.from_ms(step_due(state)), "draw"
    elif state.result is None and state.shares.open:
        game.due_at, game.due_kind = clock.from_ms(state.shares.until + 1), "shares"
    elif state.result is None and state.shares.pending and state.shares.beacon is not None:
        game.due_at, game.due_kind = clock.from_ms(state.shares.beacon.due), "beacon"
    elif state.result is not None or (state.clocks is None and state.cap is None):
        game.due_at, game.due_kind = None, ""
    elif state.position is not None:
        due = state.clocks.due if state.clocks is not None else 0
        cap = state.cap.due if state.cap is not None and not state.cap.called else 0
        if cap and (not due or cap <= due):
            game.due_at, game.due_kind = clock.from_ms(cap), "cap"
        else:
            game.due_at, game.due_kind = (clock.from_ms(due), "decision") if due else (None, "")


def bot_seats(table_id: int) -> Sequence[int]:
    """Return the seats of the table that a built-in bot plays."""
    return list(Seating.objects.filter(table_id=table_id).exclude(bot="").values_list("seat", flat=True))
