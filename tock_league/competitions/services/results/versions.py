"""append(): the only writer of results. Each row is linked to the one before and recorded in the journal."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE, Person, label
from tock_league.common import canonical, clock
from tock_league.common.validation import checked_values
from tock_league.journal.services import record, stream_of

from ...core.effective import Line
from ...models import Match, MatchGame, ResultEffect, ResultLine, ResultVersion
from ...selectors.results.effective import effects_in_force
from ..shared.journal import name_of

FIRST = "0" * 64
Sheet = Sequence[Sequence[int | None]]


def append(
    match: Match,
    *,
    fact: str,
    source: str,
    lines: Sequence[Line] = (),
    sheet: Sheet | None = None,
    game_number: int | None = None,
    game: MatchGame | None = None,
    reason: str = "",
    by: Person = SITE,
    evidence: str = "",
    tied: bool = False,
    revokes: ResultVersion | None = None,
) -> ResultVersion:
    """Write the next version of `match`, whose row the caller holds, and its entry in the journal.

    `sheet`: a paper's games as the model says. `evidence`: the hash of the game's record, hex. `tied`:
    whether an official of the club of one side only writes it. The hash covers all of it
    and the hash before; unused keys are omitted, so that the hashes of older rows stay valid.
    A version written because a ruling ordered a replay refers to that order, and loses its force with it;
    `revokes`: the version that a `reopened` one takes back, with whose order it loses its force too.
    """
    if fact in ("void", "reopened"):
        order = revokes.order if revokes is not None else None
    else:
        order = order_of(match, game_number, paper=sheet is not None)
    last = ResultVersion.objects.filter(match=match).order_by("-version").first()
    prev_hash = last.hash if last else FIRST
    number = last.version + 1 if last else 1
    body = body_of(
        match.slug,
        version=number,
        game_number=game_number,
        fact=fact,
        source=source,
        reason=reason,
        evidence=evidence,
        lines=lines,
        prev_hash=prev_hash,
        sheet=sheet,
        order=order,
        tied=tied,
    )
    version = ResultVersion(
        match=match,
        version=number,
        game_number=game_number,
        game=game,
        order=order,
        fact=fact,
        source=source,
        sheet=body.get("sheet"),
        reason=reason,
        by=by if isinstance(by, Player) else None,
        tied=tied,
        recorded_at=clock.now(),
        prev_hash=prev_hash,
        hash=canonical.digest(body),
    )
    checked_values(version).save(force_insert=True)
    ResultLine.objects.bulk_create(
        ResultLine(result=version, position=line.position, outcome=line.outcome, place=line.place, margin=line.margin)
        for line in lines
    )
    record(
        stream_of(match.competition.slug),
        "result.recorded",
        actor=label(by),
        body={
            **name_of(match),
            "version": number,
            "game": game_number,
            "fact": fact,
            "source": source,
            "lines": body["lines"],
            "sheet": body.get("sheet"),
            "evidence": evidence,
            "digest": version.hash,
        },
        private={"reason": reason} if reason else None,
    )
    return version


def body_of(
    match: str,
    *,
    version: int,
    game_number: int | None,
    fact: str,
    source: str,
    reason: str,
    evidence: str,
    lines: Iterable[Line],
    prev_hash: str,
    sheet: Sheet | None,
    order: ResultEffect | None,
    tied: bool,
) -> dict[str, Any]:
    """Return what the hash of a version covers; `match`: its slug. Unused keys are omitted."""
    body: dict[str, Any] = {
        "match": match,
        "version": version,
        "game": game_number,
        "fact": fact,
        "source": source,
        "reason": reason,
        "evidence": evidence,
        "lines": [[line.position, line.outcome, line.place, line.margin] for line in lines],
        "prev": prev_hash,
    }
    if sheet is not None:
        body["sheet"] = [list(game) for game in sheet]
    if order is not None:
        body["order"] = order.ruling
    if tied:
        body["tied"] = True
    return body


def order_of(match: Match, game_number: int | None = None, *, paper: bool = False) -> ResultEffect | None:
    """Return the newest ruling in force that has the match, or this game of it, played again; for a paper, any game.

    One query.
    """
    orders = effects_in_force().filter(match=match, kind=ResultEffect.Kind.REPLAY)
    if paper:
        return orders.last()
    return orders.filter(Q(game_number__isnull=True) | Q(game_number=game_number)).last()


def decision(winner: int | None, sides: int) -> list[Line]:
    """Return the lines of a result without play: `winner`'s position, or None when nobody wins."""
    return [
        Line(position, "win" if position == winner else "loss", 0 if position == winner else 1)
        for position in range(sides)
    ]
