"""Files a case for a call at the table, in the transaction that freezes the table (WITHIN subscribers).

The subscribers run inside the game's transaction, which holds the game's lock, so they take no lock that precedes it.
"""

import unicodedata
from datetime import timedelta

from games.announcements import CallUnanswered, RefereeCalled
from games.models import Game
from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.competitions.models import Match

from ...core import cases
from ...models import Case, Deadline, Evidence
from ...models.case import TEXT_LENGTH
from ...selectors.cases.kinds import kinds_of
from . import deadlines, events


def file_call(called: RefereeCalled) -> Case | None:
    """File the case of a call at a match table; return None at other tables, which have no referees."""
    match = Match.objects.select_related("competition__regulations").filter(table=called.table_id).first()
    if match is None:
        return None
    player = Player.objects.filter(pk=called.player_id).first() if called.player_id is not None else None
    kind = called.kind if called.kind in dict(kinds_of(match.competition.rules)) else Case.Kind.OTHER
    case = open_case(
        match=match,
        game=Game.objects.get(pk=called.game_id),
        seq=called.seq,
        kind=kind,
        origin=Case.Origin.CALL,
        by=player,
        side=called.seat % match.sides,
        text=printable(called.text),
        live=called.frozen,
    )
    times = deadlines.deadlines_of(match.competition)
    deadlines.start(case, Deadline.Kind.RULING, clock.now() + timedelta(seconds=times.ruling))
    return case


def unanswered(told: CallUnanswered) -> None:
    """Let the table play on without a ruling. The case stays open with its position and is decided after the game."""
    case = (
        Case.objects.select_for_update(of=("self",), no_key=True)
        .select_related("competition")
        .filter(game=told.game_id, seq=told.seq, origin=Case.Origin.CALL)
        .first()
    )
    if case is None or case.state not in cases.PENDING:
        return
    case.live = False
    proposed = events.state_of(case).proposed
    events.append(case, "unanswered", role="system", body={"why": told.why})
    if proposed == "ruling_proposed":
        # Its measures needed the waiting table, so it cannot be signed any more.
        events.append(case, "ruling_refused", role="system", body={"why": told.why})
        deadlines.start(case, Deadline.Kind.RULING, clock.now() + deadlines.span(case, "ruling"))


def open_case(
    *,
    match: Match,
    game: Game | None,
    seq: int,
    kind: str,
    origin: str,
    by: Player | None,
    side: int | None,
    text: str,
    live: bool = False,
    reviews: Case | None = None,
    role: str = "party",
    entered: str = "",
    asks: str = "",
) -> Case:
    """Write a new case with its number, its first event and the position it points at; inside `writing()`.

    `entered`, `asks`: of a case about a result that people entered, which result, and what is asked for (Case.Asks).
    """
    now = clock.now()
    case = Case.objects.create(
        number=events.next_number(now.year),
        competition=match.competition,
        match=match,
        game=game,
        seq=seq,
        entered=entered,
        kind=kind,
        origin=origin,
        opened_by=by,
        side=side,
        state="filed",
        live=live,
        reviews=reviews,
        filed_at=now,
    )
    body = {"origin": str(origin), "match": match.slug, "side": side, "position": seq}
    body |= {"game": game.slug} if game is not None else {}
    body |= {"entered": entered} if entered else {}
    body |= {"reviews": reviews.number} if reviews is not None else {}
    private = {"text": text} if text else {}
    # What the opener accuses others of is not published: the journal shows the finding, with the ruling.
    hidden = {"about": str(kind)} | ({"asks": asks} if asks else {})
    event = events.append(case, "filed", by=by, role=role, body=body, private=private, hidden=hidden)
    if game is not None and seq:
        Evidence.objects.create(case=case, kind=Evidence.Kind.POSITION, game=game, seq=seq, event=event)
    return case


def printable(text: str) -> str:
    """Return the text of a call without control characters, cut to TEXT_LENGTH, so that no text prevents a call."""
    plain = "".join(letter if unicodedata.category(letter)[0] != "C" else " " for letter in text[: 4 * TEXT_LENGTH])
    return unicodedata.normalize("NFC", plain).strip()[:TEXT_LENGTH]
