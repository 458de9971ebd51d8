"""Records of finished games go into the archive, and come back. Only what verifies is touched, and verified again after."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import reduce

from games import store
from games.engine.errors import EngineError
from games.fold import BadRecord, ClockSettings, Setup, first_link, fold, link
from games.models import ArchivedRecord, Game, GameEvent
from tock_league.common import clock
from tock_league.common.differences import Difference
from tock_league.common.errors import Broken
from tock_league.common.transactions import unhurried, writing

from . import audit

# What lines from elsewhere can bring about; RecursionError is a RuntimeError.
UNREADABLE = (
    Broken,
    BadRecord,
    EngineError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
)
Verify = Callable[[Game], Iterable[Difference]]


class Unsound(Exception):
    """A record does not verify; nothing was changed. `args[0]` is the first difference."""


def archive(games: Sequence[Game], *, verify: Verify = audit.of_game) -> int:
    """Put the records of these finished games into the archive and delete their rows; return how many rows.

    One transaction: the games are verified from their rows before, and from the archive afterwards, and everything is as it
    was when something differs. What another process has archived meanwhile stays as it is. Raises Unsound; ValueError for a
    game that is not over.
    """
    _require(games, verify)
    with writing():
        unhurried()
        locked = _locked(games)
        done = set(ArchivedRecord.objects.filter(game__in=locked).values_list("game_id", flat=True))
        locked = [game for game in locked if game.pk not in done]
        if not locked:
            return 0
        if any(game.state != Game.State.OVER or not game.last_seq for game in locked):
            raise ValueError("only finished games go into the archive")
        for game in locked:
            record = store.pack(game, store.load(game.pk, month=game.month), game.chain)
            record.archived_at = clock.now()
            record.save(force_insert=True)
        rows = GameEvent.objects.filter(game__in=locked, month__in={game.month for game in locked})
        deleted = rows._raw_delete(rows.db)  # as delete(), which would read them first
        if deleted != sum(game.last_seq for game in locked):
            raise Unsound(f"{deleted} rows, {sum(game.last_seq for game in locked)} were expected")
        _require(locked, verify)
        return int(deleted)


def bring_back(games: Sequence[Game], *, verify: Verify = audit.of_game) -> int:
    """Write the records of these games out of the archive into rows again; return how many rows. One transaction.

    Raises Unsound, with nothing changed.
    """
    _require(games, verify)
    with writing():
        unhurried()
        count = 0
        for record in ArchivedRecord.objects.select_related("game__table").filter(game__in=_locked(games)):
            count += store.insert(record.game, store.unpack(store.text_of(record)).rows)
            record.delete()
        _require(games, verify)
        return count


def text_of(game: Game) -> bytes:
    """Return the lines of a finished game's record as they lie, or will lie, in the archive."""
    record = ArchivedRecord.objects.filter(game=game).first()
    if record is None:
        record = store.pack(game, store.rows_of(game), game.chain)
    return store.text_of(record)


def faults(text: bytes) -> list[str]:
    """Return, as sentences, what is wrong with archived lines, by themselves: chain, plays by the rules, result."""
    try:
        packed = store.unpack(text)
        head = json.loads(text.split(b"\n", 1)[0])
        setup = Setup(
            game=packed.game,
            rules=head["rules"],
            seats=head["seats"],
            teams=head["teams"],
            touch=head["touch"],
            clocks=ClockSettings.from_json(head["clocks"]) if head["clocks"] else None,
            number=head["number"],
            full_ranking=head.get("full_ranking", False),
            rounds=head.get("rounds", 0),
            takes_back=not head["clocks"],  # the head does not say whether it was practice; the rows are sealed
        )
        chain = reduce(link, packed.rows, first_link(packed.game))
        state = fold(setup, packed.rows)
    except UNREADABLE as error:
        return [f"the record cannot be replayed: {type(error).__name__}: {error}"]
    found = [] if chain == packed.chain else ["the chain does not seal these rows"]
    ranks = list(state.result.ranks) if state.result else None
    return found + ([] if ranks == head["ranks"] else [f"the plays end with {ranks}, the head says {head['ranks']}"])


def _locked(games: Sequence[Game]) -> list[Game]:
    """Lock the games, in one order, and return them with their tables."""
    found = Game.objects.select_related("table").select_for_update(of=("self",)).order_by("pk")
    return list(found.filter(pk__in=[game.pk for game in games]))


def _require(games: Sequence[Game], verify: Verify) -> None:
    for game in games:
        for found in verify(game):
            raise Unsound(str(found))
