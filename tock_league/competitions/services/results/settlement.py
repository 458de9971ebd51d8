"""Writes results as versions: certified by the engine, or awarded by organiser or referee where nobody played.

Locking: `promise_settlement` runs inside the game's transaction, which holds the game, so it takes no lock and only
inserts rows. `settle` runs later, in a transaction of its own, and locks the competition and the match first; of two
concurrent calls, the second one finds the first one's row. Games that wait together share a transaction where they can
(batches).
"""

import logging

from django.db import InterfaceError, OperationalError
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.announcements import GameFinished
from games.models import Table
from games.selectors.games import certificate
from tock_league.accounts.permissions import Person, can, require
from tock_league.common import outbox
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing

from ...core.effective import ledger_of
from ...models import Match, MatchGame, ResultVersion
from ...selectors.results.effective import effects_in_force, effects_of, versions_of
from ...selectors.rounds.progress import is_bracket
from ..seasons.lifecycle import DECIDED
from ..shared import telling
from ..shared.locking import give_version, lock_match
from .batches import SETTLE_TASK, company, settle_together
from .certified import fact_of, is_tied, lines_of
from .propagation import close_table, propagate
from .versions import append, decision

log = logging.getLogger(__name__)


def promise_settlement(finished: GameFinished) -> None:
    """Enqueue the settlement of a match table's game, ignore practice; WITHIN subscriber of GameFinished."""
    if Table.objects.filter(pk=finished.table_id, kind=Table.Kind.MATCH).exists():
        outbox.enqueue(SETTLE_TASK, str(finished.game_id), game_id=finished.game_id)


def settle_waiting(*, game_id: int, outbox_id: int) -> None:
    """Settle the finished game of a promise, and others of its competition that wait, where they can share a transaction.

    Idempotent. If the shared transaction fails, its games are settled one by one, so that one which cannot be settled costs
    the others only time; after a few failures it is not settled in company any more. Raises what the game itself raises,
    and the failures of the database.
    """
    if outbox.is_done(outbox_id):
        return
    competition = Match.objects.filter(table__games=game_id).values_list("competition", flat=True).first()
    if competition is not None:
        try:
            if settle_together(competition_id=competition, game_id=game_id, outbox_id=outbox_id):
                return
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            log.exception("the games that wait with game %s are settled one by one", game_id)
            _one_by_one(competition, game_id)
            return
    settle(game_id=game_id, outbox_id=outbox_id)


def _one_by_one(competition: int, game_id: int) -> None:
    """Settle each of the games that `settle_together` would settle with this one in a transaction of its own; raise what
    this one raises."""
    for row in company(competition, game_id):
        try:
            settle(game_id=row.body["game_id"], outbox_id=row.pk)
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            outbox.failed(row.pk)
            if row.body["game_id"] == game_id:
                raise
            log.exception("game %s cannot be settled", row.body["game_id"])


def settle(*, game_id: int, outbox_id: int | None = None) -> Match | None:
    """Write the result of a finished game and what follows for its match; return the match, None for other games.

    Idempotent.
    """
    with writing():
        known = Match.objects.filter(table__games=game_id).values_list("pk", flat=True).first()
        match = lock_match(known, changes=False) if known is not None else None
        if match is not None:
            _settle(match, game_id)
        if outbox_id is not None:
            outbox.done(outbox_id)
        return match


def _settle(match: Match, game_id: int) -> None:
    rows = MatchGame.objects.filter(Q(match=match) | Q(game_id=game_id))
    taken = {game: number for game, number in rows.values_list("game_id", "number")}
    if game_id in taken:
        return
    give_version(match.competition)
    certified = certificate(game_id)
    # A tie decides nothing in a knockout: the game stands in the record, and the table has opened another one.
    undecided = is_tied(certified) and is_bracket(match.round.group.stage)
    number = None if undecided else _slot(match, certified.number)
    game = MatchGame.objects.create(
        match=match,
        number=certified.number if certified.number not in taken.values() else max(taken.values()) + 1,
        game_id=game_id,
        record_hash=certified.record_hash,
    )
    telling.fact("game.finished", match.competition, match=match.slug, subject=game.game.slug)
    if number is None:  # also when the match was decided or voided while the game ran: the game does not count
        propagate(match)
        return
    append(
        match,
        fact=fact_of(certified),
        lines=lines_of(certified, match.competition.regulations.cap),
        source=ResultVersion.Source.ENGINE,
        game_number=number,
        game=game,
        evidence=certified.record_hash,
    )
    propagate(match)
    if match.state in DECIDED:
        close_table(match)  # its own count may want another game, where games before it were played at another table


def _slot(match: Match, at_table: int) -> int | None:
    """Return the number in the match of the game that has just ended: its number at the table, or the first one without
    result.

    None when the match waits for no game.
    """
    voided_by_ruling = match.state == Match.State.VOID and effects_in_force().filter(match=match).exists()
    if match.state in DECIDED and not voided_by_ruling:
        return None
    standing = ledger_of(versions_of(match), effects_of(match), sides=match.sides, best_of=match.best_of).games
    free = [number for number in range(1, match.best_of + 1) if number not in standing]
    return at_table if at_table in free else next(iter(free), None)


def award(*, by: Person, match: Match, winner: int | None, reason: str) -> ResultVersion:
    """Award a match nobody played: to position `winner`, or to nobody (double forfeit). The reason is public.

    A side that does not win is a no-show. Raises Conflict when a game has begun or a result stands; Refused on `winner`
    and `reason`.
    """
    with writing():
        match = lock_match(match.pk)
        require(by, "match.award", match, needed="organiser")
        if winner is not None and not 0 <= winner < match.sides:
            raise Refused("position", _("Choose one of the two teams, or nobody."), field="winner")
        return give_up(
            match, fact="double_forfeit" if winner is None else "no_show", winner=winner, reason=reason, by=by
        )


def give_up(match: Match, *, fact: str, winner: int | None, reason: str, by: Person) -> ResultVersion:
    """Write that a match is not played; the calling service has checked permissions and holds the row."""
    if match.state in DECIDED or (
        match.table is not None and match.table.state in (Table.State.PLAYING, Table.State.FINISHED)
    ):
        raise Conflict("match_begun", _("Play has begun or a result stands; this needs a referee."), state=match.state)
    if match.state == Match.State.WAITING:
        raise Conflict("match_waiting", _("It is not known yet who plays this match."), state=match.state)
    if not reason.strip():
        raise Refused("reason_missing", _("Give a reason; it is shown to everybody."), field="reason")
    close_table(match)
    source = ResultVersion.Source.ORGANISER
    if not can(by, "competition.organise", match.competition) and can(by, "competition.referee", match.competition):
        source = ResultVersion.Source.REFEREE
    version = append(match, fact=fact, lines=decision(winner, match.sides), source=source, reason=reason.strip(), by=by)
    propagate(match)
    return version
