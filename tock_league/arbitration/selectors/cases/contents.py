"""The parts of a case file, each as its reader may see it."""

from dataclasses import dataclass
from datetime import datetime

from games.models import Game
from tock_league.accounts.models import Player
from tock_league.common.errors import Text
from tock_league.competitions.models import Entry
from tock_league.journal.models import PrivateText

from ...core import cases
from ...models import Case, CaseEvent, Evidence, Vote
from ...permissions import reads_as_panel
from ..referees import conflicts
from ..rulings.book import replay_url
from ..rulings.context import game_running
from .words import event_sentence


@dataclass(frozen=True)
class SideView:
    """One side of the match: its name, and its players in the order of seats or roster."""

    position: int
    name: str
    entry: Entry | None
    players: tuple[Player, ...]
    is_opener: bool = False


@dataclass(frozen=True)
class Statement:
    """A text that somebody wrote."""

    type: str  # "filed", "answered", "stated", "escalated", "appealed", "replied" or of a dismissal
    at: datetime
    by: Player | None
    side: int | None  # a position, or None
    text: str
    asks: Text = ""  # what is asked for, of a dispute of an entered result


@dataclass(frozen=True)
class EventView:
    """One event: who did it (None: the site), in which role, and the sentence that describes it."""

    seq: int
    at: datetime
    who: Player | None
    role: str
    type: str
    sentence: str
    entry: int


@dataclass(frozen=True)
class EvidenceView:
    """A pointer into a record: what it points at, the row's number, its address in the replay."""

    kind: str
    label: str
    seq: int
    url: str
    at: datetime


@dataclass(frozen=True)
class VoteView:
    """A vote as its reader may see it. `choice` is empty for other members' votes until all have voted."""

    member: Player
    at: datetime
    choice: str
    label: str
    note: str


def sides(case: Case) -> tuple[SideView, ...]:
    """Return the sides of the case's match, by position."""
    ids = conflicts.players_of(case.match)
    people = Player.objects.in_bulk([pk for side in ids for pk in side])
    entries = {side.position: side.entry for side in case.match.side_rows.all()}
    found = []
    for position, players in enumerate(ids):
        entry = entries.get(position)
        named = sorted((people[pk] for pk in players), key=lambda player: player.display_name)
        name = str(entry) if entry is not None else "—"
        found.append(SideView(position, name, entry, tuple(named), position == case.side))
    return tuple(found)


_WRITTEN = {
    "filed": "text",
    "answered": "text",
    "stated": "text",
    "escalated": "text",
    "dismissal_proposed": "text",
    "dismissal_refused": "text",
    "dismissed": "text",
    "ruling_refused": "text",
    "appealed": "text",
    "replied": "text",
    "outsider_named": "text",
}


def hush(case: Case, viewer: Player, *, judges: bool, running: bool | None = None) -> None:
    """Hide the kind of a call while its game goes on, because players must not exchange information there.

    Only the given instance is changed. The player who called sees the kind, and so do those who might judge the case.
    `judges`: whether the viewer is a referee of the event without a conflict of interest; `running`: whether the game
    goes on, where the caller knows it; queried otherwise.
    """
    if judges or case.opened_by_id == viewer.pk:
        return
    if game_running(case) if running is None else running:
        case.kind, case.hushed = Case.Kind.OTHER, True


_AMONG_REFEREES = frozenset({"escalated", "dismissal_proposed", "dismissal_refused", "ruling_refused"})
# What the sides read of a proposal until the case is closed: that a second referee looks at a decision, not at which.
_COVERED = {"dismissal_proposed": "ruling_proposed", "dismissal_refused": "ruling_refused"}


def statements(case: Case, viewer: Player, side: int | None, *, holds: bool) -> tuple[Statement, ...]:
    """Return what was written, as far as the viewer may read it.

    While the game goes on, people read their own words, and only the referee who holds the case reads all of them:
    other referees, organisers and administrators may know somebody at the table. After it, a party reads everything
    but what referees write to each other, which is open to it when the case is closed.
    `holds`: whether the viewer is that referee, free of a conflict of interest.
    """
    quiet = not holds and game_running(case)
    closed = case.state in cases.CLOSED
    texts = dict(PrivateText.objects.filter(entry__case_event__case=case, field="text").values_list("entry", "text"))
    found = []
    for event in case.events.filter(type__in=_WRITTEN).select_related("actor").order_by("seq"):
        among = event.type in _AMONG_REFEREES and not closed
        if event.entry_id not in texts or (quiet and event.actor_id != viewer.pk) or (side is not None and among):
            continue
        # In a re-examination both sides answer; only the last answer is an event of that type.
        type = "answered" if event.type == "stated" and case.reviews_id is not None else event.type
        asks = event.body.get("asks", "")
        words = Case.Asks(asks).label if asks else ""
        found.append(Statement(type, event.at, event.actor, event.body.get("side"), texts[event.entry_id], words))
    return tuple(found)


def events(case: Case, viewer: Player, side: int | None) -> tuple[EventView, ...]:
    """Return the events. The sides learn which hand a referee looked at when the game is over."""
    running = case.game is not None and case.game.state != Game.State.OVER
    rows: list[CaseEvent] = list(case.events.select_related("actor", "entry").order_by("seq"))
    if side is not None and running:
        rows = [event for event in rows if event.type != "seat_viewed"]
    if side is not None and case.state not in cases.CLOSED:
        for event in rows:
            event.type = _COVERED.get(event.type, event.type)
    return tuple(
        EventView(event.seq, event.at, event.actor, event.role, event.type, event_sentence(event), event.entry.seq)
        for event in rows
    )


def seen_again(case: Case, viewer: Player, holder: int | None) -> str:
    """Return the address at which the reader sees the case's position again, "" where that is not possible.

    While the game runs only the referee who holds the case does (`holder`), as a referee and with the one hand that the
    case has opened; a replay for others ends a deal before.
    """
    url = replay_url(case)
    if case.game is None or case.game.state == Game.State.OVER:
        return url
    return url.replace("#", "?as=referee#") if holder == viewer.pk else ""


def evidence(case: Case, url: str) -> tuple[EvidenceView, ...]:
    """Return the case's pointers into records. `url`: as `seen_again` returns it."""
    rows: list[Evidence] = list(case.evidence.select_related("event"))
    page, _sep, _seq = url.partition("#")
    return tuple(
        EvidenceView(row.kind, row.get_kind_display(), row.seq, f"{page}#{row.seq}" if page else "", row.event.at)
        for row in rows
    )


def votes(case: Case, viewer: Player) -> tuple[VoteView, ...]:
    """Return the votes: the own one, and the others' for the panel when all three are in."""
    rows: list[Vote] = list(case.votes.select_related("member", "event"))
    all_in = len(rows) >= cases.PANEL
    notes = dict(
        PrivateText.objects.filter(entry__in=[vote.event.entry_id for vote in rows], field="note").values_list(
            "entry", "text"
        )
    )
    reads = reads_as_panel(viewer, case)
    found = []
    for vote in rows:
        shown = vote.member_id == viewer.pk or (all_in and reads) or case.state in ("appeal_ruled", "final")
        note = notes.get(vote.event.entry_id, "") if vote.member_id == viewer.pk or (all_in and reads) else ""
        found.append(
            VoteView(
                vote.member,
                vote.at,
                vote.choice if shown else "",
                vote.get_choice_display() if shown else "",
                note,
            )
        )
    return tuple(found)
