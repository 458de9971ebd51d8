"""Results enter as versions: certified by the engine, or awarded by the organiser where nobody played.

The locking story: `promise_settlement` runs inside the game's own transaction, which holds the game, so it takes no lock
and only adds rows. `settle` comes later, in a transaction of its own, and locks the match first; two that run at once
write the same version number and the second one finds the first one's row.
"""

import hashlib
from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from games.announcements import GameFinished
from games.models import Table
from games.selectors.games import Certificate, certificate
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common import clock, outbox
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ..core.effective import Effective, Line
from ..models import Match, MatchGame, ResultLine, ResultVersion, Round
from ..selectors.effective import effective_of
from .lifecycle import DECIDED
from .regulations import canonical

FIRST = "0" * 64
UNPLAYED = frozenset({"no_show", "double_forfeit"})


def promise_settlement(finished: GameFinished) -> None:
    """WITHIN subscriber of GameFinished: promise the settlement of a match table's game; practice passes."""
    if Table.objects.filter(pk=finished.table_id, kind=Table.Kind.MATCH).exists():
        outbox.enqueue("tock_league.competitions.tasks.settle_game", str(finished.game_id), game_id=finished.game_id)


def settle(*, game_id: int, outbox_id: int | None = None) -> Match | None:
    """Write the result of a finished game and what follows for its match; answer the match, None for other games.

    Idempotent: a game that is settled already is left as it is.
    """
    with writing():
        match = Match.objects.select_for_update(of=("self",)).filter(table__games=game_id).first()
        if match is not None:
            _settle(match, game_id)
        if outbox_id is not None:
            outbox.done(outbox_id)
        return match


def _settle(match: Match, game_id: int) -> None:
    if MatchGame.objects.filter(game_id=game_id).exists():
        return
    certified = certificate(game_id)
    MatchGame.objects.create(match=match, number=certified.number, game_id=game_id, record_hash=certified.record_hash)
    _append(
        match,
        fact=_fact(certified),
        lines=_lines(certified),
        source=ResultVersion.Source.ENGINE,
        game_number=certified.number,
        evidence=certified.record_hash,
    )
    _follow(match)


def award(*, by: Person, match: Match, winner: int | None, reason: str) -> ResultVersion:
    """Award a match nobody played: to position `winner`, or to nobody (double forfeit). The reason is public.

    Raises Conflict when a game has begun or a result stands; Refused on `winner` and `reason`.
    """
    with writing():
        match = Match.objects.select_for_update(of=("self",)).select_related("competition", "table").get(pk=match.pk)
        require(by, "match.award", match, needed="organiser")
        if match.state in DECIDED or (
            match.table is not None and match.table.state in (Table.State.PLAYING, Table.State.FINISHED)
        ):
            raise Conflict(
                "match_begun", _("Play has begun or a result stands; this needs a referee."), state=match.state
            )
        if winner is not None and not 0 <= winner < match.sides:
            raise Refused("position", _("Choose one of the two teams, or nobody."), field="winner")
        if not reason.strip():
            raise Refused("reason_missing", _("Give a reason; it is shown to everybody."), field="reason")
        version = _append(
            match,
            fact="double_forfeit" if winner is None else "no_show",
            lines=[
                Line(position, "win" if position == winner else "loss", 0 if position == winner else 1)
                for position in range(match.sides)
            ],
            source=ResultVersion.Source.ORGANISER,
            reason=reason.strip(),
            by=by if isinstance(by, Player) else None,
        )
        _follow(match)
        return version


def _fact(certified: Certificate) -> str:
    """What the game's end means here: see the table of core.scoring."""
    if certified.reason == "no_show":
        return "double_forfeit" if len(set(certified.ranks)) == 1 else "no_show"
    return "forfeit" if certified.reason.startswith("forfeit") else "played"


def _lines(certified: Certificate) -> list[Line]:
    """One line per position, which is the team's index at the table; margin: marbles home for minus against."""
    best, alone = min(certified.ranks), certified.ranks.count(min(certified.ranks)) == 1
    nobody = _fact(certified) == "double_forfeit"
    total = sum(certified.marbles)
    return [
        Line(
            position,
            "loss" if nobody or rank > best else "win" if alone else "tie",
            rank,
            0 if certified.reason == "no_show" else 2 * certified.marbles[position] - total,
        )
        for position, rank in enumerate(certified.ranks)
    ]


def _append(
    match: Match,
    *,
    fact: str,
    lines: Sequence[Line],
    source: str,
    game_number: int | None = None,
    reason: str = "",
    by: Player | None = None,
    evidence: str = "",
) -> ResultVersion:
    last = ResultVersion.objects.filter(match=match).order_by("-version").first()
    prev_hash = last.hash if last else FIRST
    number = last.version + 1 if last else 1
    body = {
        "match": match.slug,
        "version": number,
        "game": game_number,
        "fact": fact,
        "source": source,
        "reason": reason,
        "evidence": evidence,
        "lines": [[line.position, line.outcome, line.place, line.margin] for line in lines],
        "prev": prev_hash,
    }
    version = ResultVersion(
        match=match,
        version=number,
        game_number=game_number,
        fact=fact,
        source=source,
        reason=reason,
        by=by,
        recorded_at=clock.now(),
        prev_hash=prev_hash,
        hash=hashlib.sha256(canonical(body).encode()).hexdigest(),
    )
    checked(version).save()
    ResultLine.objects.bulk_create(
        ResultLine(result=version, position=line.position, outcome=line.outcome, place=line.place, margin=line.margin)
        for line in lines
    )
    return version


def _follow(match: Match) -> Effective:
    """Set the match's state from its effective result, and close its round when that was the last one."""
    effective = effective_of(match)
    if effective.state == "decided":
        match.state = Match.State.AWARDED if effective.fact in UNPLAYED else Match.State.CONFIRMED
        match.decided_at = clock.now()
    elif effective.state == "void":
        match.state = Match.State.VOID
    elif match.starts_at is not None:
        match.state = Match.State.LIVE
    match.save()
    if not Match.objects.filter(round_id=match.round_id).exclude(state__in=DECIDED).exists():
        Round.objects.filter(pk=match.round_id).update(state=Round.State.DONE)
    return effective
