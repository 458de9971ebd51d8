"""append() and write(): the only writers of results. Each row is linked to the one before and recorded in the journal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE, Person, label
from tock_league.common import canonical, clock
from tock_league.common.validation import checked_values
from tock_league.journal.services import Draft as Entry
from tock_league.journal.services import record_all, stream_of

from ...core.effective import Line
from ...models import Match, MatchGame, ResultEffect, ResultLine, ResultVersion
from ...selectors.results.effective import effects_in_force
from ..shared.journal import name_of

FIRST = "0" * 64
Sheet = Sequence[Sequence[int | None]]


@dataclass(frozen=True)
class Draft:
    """A version before it is written, see `append`."""

    match: Match
    fact: str
    source: str
    lines: Sequence[Line] = ()
    sheet: Sheet | None = None
    game_number: int | None = None
    game: MatchGame | None = None
    reason: str = ""
    by: Person = SITE
    evidence: str = ""
    tied: bool = False
    order: ResultEffect | None = None
    last: ResultVersion | None = None  # the match's newest version


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
    draft = Draft(match, fact, source, lines, sheet, game_number, game, reason, by, evidence, tied, order, last)
    return write([draft])[0]


def write(drafts: Sequence[Draft]) -> list[ResultVersion]:
    """Write one version each of different matches of one competition, and their entries in the journal.

    The caller holds the rows. Five statements, where nobody has typed a reason.
    """
    made, entries, lines = [], [], []
    for draft in drafts:
        version, body = _made(draft)
        made.append(version)
        lines += [
            ResultLine(
                result=version,
                position=line.position,
                outcome=line.outcome,
                place=line.place,
                margin=line.margin,
                scored=line.scored,
                counted=line.counted,
            )
            for line in draft.lines
        ]
        told = {
            **name_of(draft.match),
            "version": version.version,
            "game": draft.game_number,
            "fact": draft.fact,
            "source": draft.source,
            "lines": body["lines"],
            "sheet": body.get("sheet"),
            "evidence": draft.evidence,
            "digest": version.hash,
        }
        private = {"reason": draft.reason} if draft.reason else None
        entries.append(Entry("result.recorded", told, label(draft.by), private))
    ResultVersion.objects.bulk_create(made)
    ResultLine.objects.bulk_create(lines)
    record_all(stream_of(drafts[0].match.competition.slug), entries)
    return made


def _made(draft: Draft) -> tuple[ResultVersion, dict[str, Any]]:
    """Return the version, checked and not saved, and what its hash covers."""
    prev_hash = draft.last.hash if draft.last else FIRST
    number = draft.last.version + 1 if draft.last else 1
    body = body_of(
        draft.match.slug,
        version=number,
        game_number=draft.game_number,
        fact=draft.fact,
        source=draft.source,
        reason=draft.reason,
        evidence=draft.evidence,
        lines=draft.lines,
        prev_hash=prev_hash,
        sheet=draft.sheet,
        order=draft.order,
        tied=draft.tied,
    )
    version = ResultVersion(
        match=draft.match,
        version=number,
        game_number=draft.game_number,
        game=draft.game,
        order=draft.order,
        fact=draft.fact,
        source=draft.source,
        sheet=body.get("sheet"),
        reason=draft.reason,
        by=draft.by if isinstance(draft.by, Player) else None,
        tied=draft.tied,
        recorded_at=clock.now(),
        prev_hash=prev_hash,
        hash=canonical.digest(body),
    )
    return checked_values(version), body


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
        "lines": [line_told(line) for line in lines],
        "prev": prev_hash,
    }
    if sheet is not None:
        body["sheet"] = [list(game) for game in sheet]
    if order is not None:
        body["order"] = order.ruling
    if tied:
        body["tied"] = True
    return body


def line_told(line: Line | ResultLine) -> list[int | str | None]:
    """Return a line as hash and journal have it: with score and count only under a time cap."""
    told: list[int | str | None] = [line.position, line.outcome, line.place, line.margin]
    return told if line.scored is None else [*told, line.scored, line.counted]


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
