"""The demo's records as they ship, and as the importer wants them.

A line of `records.jsonl.gz` holds what people decided and when: `{"key", "ready", "plays"}`. Whatever follows from the
deal (commitment, first dealer, decks, cards handed over, opening) is computed when the record is unpacked, and judged
like any foreign record when it is imported. The seeds of these games are no secret: they are SHA-256 of a text that
anybody can write down, unlike those of a live table, which are drawn by `secrets`.
"""

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from games.fold import NONE, SYSTEM, Row, acts, by_seat
from games.services.deals import DEALS, DRAW, SALT, Deals
from games.services.records import GameRecord

from .programme import RULES, game_id

FILE = Path(__file__).with_name("records.jsonl.gz")
SEATS, TEAMS = 4, 2
TENTH = 100  # milliseconds: the grain of the times in the file
OPENED_BEFORE = 15 * 60 * 1000  # the table opens, and commits to its deals, a quarter of an hour before the match
DECK = "deck"


@dataclass(frozen=True, slots=True)
class Packed:
    """A game as it ships."""

    key: str  # of the match, see DemoMatch.key
    ready: tuple[int, ...]  # per seat, in tenths of a second from the match's time
    # (tenths since the row before, seat, line). The line `give X` lays a card aside; seat -1 with the line `deck` marks
    # where a new deck was due.
    plays: tuple[tuple[int, int, str], ...]

    @property
    def game(self) -> str:
        return game_id(self.key)

    def to_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "ready": list(self.ready),
            "plays": ";".join(f"{wait},{seat},{line}" for wait, seat, line in self.plays),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Packed":
        """Return the game of a line of the file. Raises ValueError or KeyError when it is not one."""
        plays = (play.split(",", 2) for play in data["plays"].split(";"))
        return cls(
            key=data["key"],
            ready=tuple(data["ready"]),
            plays=tuple((int(wait), int(seat), line) for wait, seat, line in plays),
        )


def deals_of(game: str) -> Deals:
    """Return the seeds of a demo game: SHA-256 of "tock-demo-v1|seed|<game>|<deal>", and likewise the salts."""
    seeds = b"".join(_digest("seed", game, d) for d in range(DEALS))
    salts = b"".join(_digest("salt", game, d)[:SALT] for d in range(DEALS))
    return Deals(game=game, rules=RULES, seats=SEATS, seeds=seeds, salts=salts)


def _digest(what: str, game: str, d: int) -> bytes:
    return hashlib.sha256(f"tock-demo-v1|{what}|{game}|{d}".encode("ascii")).digest()


def load(path: Path = FILE) -> dict[str, Packed]:
    """Return every game of the file by its key."""
    with gzip.open(path, "rt", encoding="ascii") as lines:
        games = [Packed.from_json(json.loads(line)) for line in lines]
    return {game.key: game for game in games}


def save(games: Iterable[Packed], path: Path = FILE) -> None:
    """Write the file; the same games give the same bytes."""
    text = "".join(json.dumps(game.to_json(), separators=(",", ":")) + "\n" for game in games)
    path.write_bytes(gzip.compress(text.encode("ascii"), compresslevel=9, mtime=0))


def unpack(packed: Packed, starts_at: int) -> GameRecord:
    """Return the whole record of a game whose match was set for `starts_at`, milliseconds since 1970."""
    rows = tuple(_Writer(deals_of(packed.game), starts_at).rows_of(packed))
    return GameRecord(game=packed.game, rules=RULES, seats=SEATS, teams=TEAMS, rows=rows)


@dataclass
class _Writer:
    """Writes the rows of one game in their order."""

    deals: Deals
    starts_at: int
    at: int = 0
    seq: int = 0
    decks: int = 0
    laid: dict[int, str] = field(default_factory=dict)  # cards laid aside in the exchange that is going on

    def rows_of(self, packed: Packed) -> Iterator[Row]:
        self.at = self.starts_at - OPENED_BEFORE
        # Nobody contributed: the seeds of these games are public anyway.
        yield self._act(self.deals.commit(shares=NONE), SYSTEM)
        for tenths, seat in sorted((tenths, seat) for seat, tenths in enumerate(packed.ready)):
            self.at = self.starts_at + tenths * TENTH
            yield self._act(acts.Ready(seat=seat), by_seat(seat))
        dealer, cards = self.deals.first_dealer()
        yield self._act(acts.Draw(dealer=dealer, cards=tuple(cards)), SYSTEM)
        for tenths, seat, line in packed.plays:
            self.at += tenths * TENTH
            yield from self._decided(seat, line)
        yield self._act(self.deals.opened(range(DRAW, self.decks + 1)), SYSTEM)

    def _decided(self, seat: int, line: str) -> Iterator[Row]:
        word, _, card = line.partition(" ")
        if word == DECK:
            self.decks += 1
            yield self._play({"play": self.deals.deck_line(self.decks), "chance": True}, SYSTEM)
        elif word == "give":
            self.laid[seat] = card
            yield self._act(acts.GiveSealed(seat=seat, card=card), by_seat(seat))
            if len(self.laid) == SEATS:
                for giver, given in sorted(self.laid.items()):
                    yield self._play({"seat": giver, "play": f"give {given}"}, SYSTEM)
                self.laid.clear()
        else:
            yield self._play({"seat": seat, "play": line}, by_seat(seat))

    def _act(self, act: acts.Act, actor: str) -> Row:
        self.seq += 1
        return Row(seq=self.seq, kind="act", code=act.word, body=acts.body(act), actor=actor, at=self.at)

    def _play(self, body: Mapping[str, Any], actor: str) -> Row:
        self.seq += 1
        return Row(seq=self.seq, kind="play", code="play", body=body, actor=actor, at=self.at)


def minutes(packed: Packed) -> float:
    """Return how long a game took, from the last `ready` to the end."""
    return sum(wait for wait, _seat, _line in packed.plays) * TENTH / 60_000


def longest(games: Sequence[Packed]) -> float:
    """Return the minutes of the longest of some games."""
    return max(minutes(game) for game in games)
