"""Games on paper: whole records written by the fold alone, without a database; with shares, penalties and rewinds."""

import random
from collections.abc import Collection, Mapping
from typing import Any

from games.engine import shuffle
from games.fold import (
    BY_SEATS,
    CLOCK,
    NONE,
    REFEREE,
    SHARE_MS,
    SYSTEM,
    Row,
    Setup,
    acts,
    apply_row,
    by_seat,
    first_link,
    link,
    opening,
    ranks_without,
    record_line,
    rewind_target,
    round_for,
)
from games.fold.phases import GIVE
from games.services import deals as deals_service
from games.services.deals import DRAW, SALT, SEED, Deals

from .drand import Drand

Shape = tuple[str, int, int, bool]  # rule set, seats, teams, full ranking
SHAPES: tuple[Shape, ...] = (
    ("shawinigan/1", 4, 2, False),
    ("tock-air/1", 4, 2, False),
    ("toc/1", 4, 4, True),
    ("toc/1", 4, 2, False),
    ("tock/1", 4, 2, False),
    ("tock/1", 6, 3, False),
    ("tock/1", 6, 6, True),
    ("tock/1", 8, 4, False),
    ("tractor/1", 4, 2, False),
)


class Paper:
    """One game. `shares`: what each seat commits to, by seat; `withheld`: those that then do not open. `beacon`: the source
    of the public beacon; `absent`: it does not answer.
    """

    def __init__(
        self,
        roll: random.Random,
        shape: Shape,
        *,
        shares: Mapping[int, bytes] = {},
        withheld: Collection[int] = (),
        seeds: bytes = b"",
        game: str = "",
        beacon: Drand | None = None,
        absent: bool = False,
    ) -> None:
        self.beacon, self.absent = beacon, absent
        rules, seats, teams, full = shape
        self.roll, self.given, self.withheld = roll, dict(shares), set(withheld)
        self.setup = Setup(
            game=game or f"p{roll.getrandbits(40):010x}",
            rules=rules,
            seats=seats,
            teams=teams,
            touch=False,
            full_ranking=full,
        )
        self.state = opening(self.setup)
        self.seeds = seeds or roll.randbytes(deals_service.DEALS * SEED)
        self.salts = roll.randbytes(deals_service.DEALS * SALT)
        self.rows: list[Row] = []
        self.at = 1_790_000_000_000

    # --- rows

    def add(self, kind: Any, code: str, body: Mapping[str, Any], actor: str, epoch: int = 0) -> None:
        self.at += self.roll.randrange(1000)
        epoch += self.state.epoch
        row = Row(seq=self.state.seq + 1, epoch=epoch, kind=kind, code=code, body=body, actor=actor, at=self.at)
        self.state = apply_row(self.state, row)
        self.rows.append(row)

    def act(self, act: acts.Act, actor: str = SYSTEM, epoch: int = 0) -> None:
        self.add("act", act.word, acts.body(act), actor, epoch)

    def chance(self, line: str, seat: int | None = None) -> None:
        self.add("play", "play", {"play": line, "chance": True} | ({} if seat is None else {"seat": seat}), SYSTEM)

    @property
    def deals(self) -> Deals:
        return Deals(
            game=self.setup.game,
            rules=self.setup.rules,
            seats=self.setup.seats,
            seeds=self.seeds,
            salts=self.salts,
            shares=self.state.shares,
        )

    # --- the game

    def begin(self) -> "Paper":
        """Commit, let all seats get ready and open their shares, and draw the first dealer."""
        chain = self.beacon.chain if self.beacon else None
        self.act(self.deals.commit(setup=self.setup.digest, chain=chain))
        seats = list(range(self.setup.seats))
        self.roll.shuffle(seats)
        for seat in seats:
            share = self.given.get(seat)
            promise = None if share is None else shuffle.share_commitment(share, self.setup.game, seat).hex()
            self.act(acts.Ready(seat=seat, share=promise), by_seat(seat))
        if self.given or self.beacon:
            self._open_shares()
        if self.beacon:
            self._light(self.beacon)
        dealer, drawn = self.deals.first_dealer()
        self.act(acts.Draw(dealer=dealer, cards=tuple(drawn)))
        return self

    def begin_at(self, other: "Paper") -> "Paper":
        """Begin at the position that another game has reached, as a practice table does."""
        self.act(self.deals.commit(shares=NONE))
        position = self.setup.engine.to_json(other.state.position)
        position["stock"] = self.deals.stock(position["stock"])
        of, pile, shown = other.setup.game, other.state.pile, other.state.shown
        self.act(acts.Begin(of=of, seq=other.state.seq, position=position, pile=pile, shown=shown))
        return self

    def _open_shares(self) -> None:
        now = self.at
        self.at = now + 500
        until = self.at + (SHARE_MS if self.given else 0)
        fixed = round_for(self.beacon.chain, until) if self.beacon else None
        body = acts.body(acts.Sharing(until=until, round=fixed))
        row = Row(self.state.seq + 1, "act", "sharing", body, SYSTEM, self.at)
        self.state = apply_row(self.state, row)
        self.rows.append(row)
        seats = [seat for seat in self.given if seat not in self.withheld]
        self.roll.shuffle(seats)
        for seat in seats:
            self.act(acts.Share(seat=seat, value=self.given[seat].hex()), by_seat(seat))
        missing = self.state.shares.missing
        if missing:
            self.at = self.state.shares.until + 1
        self.act(acts.Shared(withheld=missing), CLOCK if missing else SYSTEM)

    def _light(self, source: Drand) -> None:
        """The round of the beacon is known, or given up."""
        beacon = self.state.shares.beacon
        assert beacon is not None
        if self.absent:
            self.at = beacon.by + 1
            self.act(acts.Beacon(round=beacon.round, absent=True), CLOCK)
            return
        self.at = beacon.due
        found = source.body(beacon.round)
        self.act(acts.Beacon(round=beacon.round, signature=found["signature"], randomness=found["randomness"]))

    def play(self, plays: int, *, penalties: float = 0.0, rewinds: float = 0.0) -> "Paper":
        """Play at random for `plays` rows, or to the end; `penalties`, `rewinds`: how often a referee rules."""
        for _ in range(plays):
            if self.state.result is not None:
                break
            self._step()
            if self.state.result is None and self.state.setup.engine.burns and self.state.phase == "play":
                self._rule(penalties, rewinds)
        return self

    def _step(self) -> None:
        state = self.state
        if state.chance == "draw":
            self.chance(state.setup.family.draw_line)
        elif state.chance == "deck":
            d = state.decks + 1
            if d % deals_service.DEALS == 0:
                self.seeds = deals_service._extended(self.seeds, SEED)
                self.salts = deals_service._extended(self.salts, SALT)
                self.act(self.deals.commit(d, shares=BY_SEATS, chain=self.beacon.chain if self.beacon else None))
            self.chance(self.deals.deck_line(d))
        elif state.chance == "blind":
            seat = state.burning
            hand = state.setup.engine.view(state.position, seat)["hand"]
            self.chance(f"blind {self.deals.blind_card(state.decks, state.blinds, hand)}", seat)
        elif state.phase == GIVE and not state.to_act:
            for seat, card in sorted(state.sealed.items()):
                self.add("play", "play", {"seat": seat, "play": f"give {card}"}, SYSTEM)
        else:
            self._choose(min(state.to_act))

    def _choose(self, seat: int) -> None:
        lines = self.state.legal(seat)
        home = [line for line in lines if "-h" in line]
        line = self.roll.choice(home or lines)
        if self.state.phase == GIVE:
            self.act(acts.GiveSealed(seat=seat, card=line.removeprefix("give ")), by_seat(seat))
        else:
            self.add("play", "play", {"seat": seat, "play": line}, by_seat(seat))

    def _rule(self, penalties: float, rewinds: float) -> None:
        state = self.state
        if self.roll.random() < penalties:
            seat = self.roll.randrange(self.setup.seats)
            self.act(acts.Penalty(seat=seat, penalty="talk", at=1, by="referee"), REFEREE)
        targets = [table.decision for table in state.back if rewind_target(state, table.decision) is not None]
        if targets and self.roll.random() < rewinds:
            self.act(acts.Freeze(by="referee", until=self.at + 60_000), REFEREE)
            self.act(acts.Rewind(to=self.roll.choice(targets), by="referee"), REFEREE, epoch=1)
            self.act(acts.Resume(by="referee"), REFEREE)

    def lines(self) -> list[dict[str, Any]]:
        """End the game if it is not over, open the seeds, and return the exported record."""
        if self.state.result is None:
            ranks = tuple(ranks_without(self.state, {0}))
            self.act(acts.Resign(seat=0, reason="resigned", ranks=ranks), by_seat(0))
        self.act(self.deals.opened(range(DRAW, self.state.decks + 1)))
        return sealed(self.head(), [record_line(row) for row in self.rows])

    def head(self) -> dict[str, Any]:
        setup = self.setup
        found = {
            "record": "tock-record/1",
            "game": setup.game,
            "rules": setup.rules,
            "seats": setup.seats,
            "teams": setup.teams,
        }
        return found | ({"full_ranking": True} if setup.full_ranking else {}) | {"chain": first_link(setup.game)}


def sealed(head: Mapping[str, Any], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return head and rows with the chain computed anew: what a forger of the whole file would write."""
    chain, found = first_link(str(head["game"])), [dict(head)]
    for row in rows:
        bare = {key: value for key, value in row.items() if key != "chain"}
        chain = link(chain, Row(**bare))
        found.append(bare | {"chain": chain})
    return found


def played_on(roll: random.Random, shape: Shape, *, plays: int = 120) -> Paper:
    """Return a game of Tock that begins at a position of another one, with blind burns and rewinds."""
    first = Paper(roll, shape).begin().play(roll.randrange(5, 60))
    while first.state.position.phase == "over":
        first = Paper(roll, shape).begin().play(roll.randrange(5, 60))
    return Paper(roll, shape).begin_at(first).play(plays, penalties=0.1, rewinds=0.05)


def random_game(roll: random.Random, shape: Shape, *, plays: int = 400) -> Paper:
    """Return a game in which some seats commit and some of those withhold; its record ends after `plays` rows."""
    seats = shape[1]
    givers = [seat for seat in range(seats) if roll.random() < 0.7]
    shares = {seat: roll.randbytes(32) for seat in givers}
    withheld = [seat for seat in givers if roll.random() < 0.15]
    beacon = Drand() if roll.random() < 0.4 else None
    paper = Paper(roll, shape, shares=shares, withheld=withheld, beacon=beacon, absent=roll.random() < 0.3)
    return paper.begin().play(plays, penalties=0.05, rewinds=0.03)
