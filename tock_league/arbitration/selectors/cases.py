"""Case files, the referees' queue, and what waits for whom."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from games.models import Game
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can
from tock_league.common import clock
from tock_league.common.errors import NotThere, Text
from tock_league.competitions.models import Competition, Entry, Match
from tock_league.journal.models import PrivateText

from ..core import cases
from ..models import Appeal, Case, CaseEvent, Deadline, Evidence, Lease, PanelSeat, Ruling, Vote
from ..permissions import position_of, referees, sits_on
from . import conflicts
from .book import PublishedRuling, replay_url, view
from .powers import powers
from .scenes import game_running
from .timing import appeal_ends, filing_ends
from .words import event_sentence

WITH = ("competition__regulations", "match__table", "match__round__group", "game__table", "opened_by", "reviews")


@dataclass(frozen=True)
class SideView:
    """One side of the match: its name, and its players as they sit or stand on the roster."""

    position: int
    name: str
    entry: Entry | None
    players: tuple[Player, ...]
    is_opener: bool = False


@dataclass(frozen=True)
class Statement:
    """What somebody wrote. `type`: filed, answered, stated, escalated, dismissal, appeal; `side`: a position, or None."""

    type: str
    at: datetime
    by: Player | None
    side: int | None
    text: str


@dataclass(frozen=True)
class EventView:
    """One event: who did it (None: the site), in which role, and the sentence that tells it."""

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
    """A vote as its reader may have it: the own one, and the others' when all have voted; else `choice` is empty."""

    member: Player
    at: datetime
    choice: str
    label: str
    note: str


@dataclass(frozen=True)
class CaseFile:
    """A case as one reader may have it. `may`: what the reader can do now (see `powers`); `conflict`: why not, or nothing;

    `role`: party, referee, panel, organiser or reader; `viewer_side`: the reader's own position, or None.
    """

    case: Case
    sides: tuple[SideView, ...]
    statements: tuple[Statement, ...]
    events: tuple[EventView, ...]
    evidence: tuple[EvidenceView, ...]
    lease: Lease | None
    deadlines: tuple[Deadline, ...]
    rulings: tuple[PublishedRuling, ...]
    appeals: tuple[Appeal, ...]
    panel: tuple[PanelSeat, ...]
    votes: tuple[VoteView, ...]
    may: frozenset[str]
    conflict: Text
    role: str
    viewer_side: int | None
    replay_url: str
    title: str = ""
    appealable_until: datetime | None = None
    in_force: Ruling | None = None
    reviewed_by: tuple[Case, ...] = field(default=())


@dataclass(frozen=True)
class QueueRow:
    """One case of a referee's desk. `waiting_s`: since it was filed, seconds; `conflict`: why the viewer cannot take it."""

    case: Case
    names: tuple[str, ...]
    waiting_s: int
    lease: Lease | None
    may_take: bool
    conflict: Text
    deadline: Deadline | None

    @property
    def live(self) -> bool:
        """Whether a table waits."""
        return self.case.live

    @property
    def state(self) -> str:
        """The case's state."""
        return self.case.state


def case_by_number(number: str) -> Case | None:
    """Answer the case of that number, or None. One query."""
    return Case.objects.select_related(*WITH).filter(number=number).first()


def table_case(table_id: int) -> Case | None:
    """Answer the case that a table waits for, else the newest undecided one of its games, or None. One query."""
    found = Case.objects.filter(match__table=table_id, state__in=sorted(cases.PENDING)).select_related(*WITH)
    return found.order_by("-live", "-filed_at", "-pk").first()


def with_sides(found: QuerySet[Case]) -> QuerySet[Case]:
    """Answer `found` with what the names of its sides need."""
    return found.select_related(*WITH).prefetch_related(
        "match__side_rows__entry__team", "match__side_rows__entry__player"
    )


def names_of(case: Case) -> tuple[str, ...]:
    """Answer the names of the case's sides, by position."""
    rows = [side for side in case.match.side_rows.all() if side.position is not None and side.entry is not None]
    return tuple(str(side.entry) for side in sorted(rows, key=lambda side: side.position or 0))


def open_lease(case: Case) -> Lease | None:
    """Answer the lease in force, or None: one that has run out does not count, whether or not somebody has ended it."""
    lease = case.leases.filter(ended_at__isnull=True, until__gt=clock.now()).select_related("referee").first()
    return lease if lease is not None and referees(lease.referee, case.competition) else None


def case_file(case: Case, viewer: Player | None) -> CaseFile:
    """Answer the case as `viewer` may have it. Raises NotThere for strangers: a ruled case is in the book for them."""
    if viewer is None or not can(viewer, "case.see", case):
        raise NotThere
    case = with_sides(Case.objects.filter(pk=case.pk)).get()
    found = conflicts.grounds(viewer, case) if _judges(viewer, case) else ()
    side = position_of(viewer, case)
    hush(case, viewer, side)
    book = view(case) if case.state in cases.RULED else None
    return CaseFile(
        case=case,
        sides=_sides(case),
        statements=_statements(case, viewer, side),
        events=_events(case, viewer, side),
        evidence=_evidence(case),
        lease=open_lease(case),
        deadlines=tuple(case.deadlines.filter(done_at__isnull=True)),
        rulings=book.rulings if book is not None else (),
        appeals=tuple(case.appeals.select_related("by")),
        panel=tuple(case.panel.select_related("member").filter(left_at__isnull=True)),
        votes=_votes(case, viewer),
        may=powers(case, viewer, found),
        conflict=conflicts.sentence(found),
        role=_role(case, viewer, side),
        viewer_side=side,
        replay_url=replay_url(case),
        title=" – ".join(names_of(case)),
        appealable_until=appeal_ends(case),
        in_force=case.rulings.filter(superseded_by__isnull=True, confirms__isnull=True).last(),
        reviewed_by=tuple(case.reviewed_by.all()),
    )


def queue(competition: Competition, viewer: Player | None) -> list[QueueRow]:
    """Answer the open cases of an event: those for which a table waits first, then the oldest.

    Raises NotThere for whoever is neither referee nor organiser of it.
    """
    if viewer is None or not can(viewer, "case.queue", competition):
        raise NotThere
    found = with_sides(Case.objects.filter(competition=competition, state__in=sorted(cases.PENDING | cases.APPEAL)))
    rows, now = [], clock.now()
    for case in found.order_by("-live", "filed_at", "pk"):
        ground = conflicts.grounds(viewer, case)
        lease = open_lease(case)
        free = lease is None and case.state in ("filed", "assigned", "hearing")
        rows.append(
            QueueRow(
                case=case,
                names=names_of(case),
                waiting_s=int((now - case.filed_at).total_seconds()),
                lease=lease,
                may_take=free and not ground and referees(viewer, competition),
                conflict=conflicts.sentence(ground),
                deadline=case.deadlines.filter(done_at__isnull=True).order_by("due_at").first(),
            )
        )
    return rows


@dataclass(frozen=True)
class Disputable:
    """Whether a player may dispute a game now. `reason`: a code when not: running, stranger, over, competition, open."""

    possible: bool
    until: datetime | None = None
    reason: str = ""
    open_case: Case | None = None


def disputable(game: Game, player: Player | None) -> Disputable:
    """Answer whether `player` may dispute `game` now, and until when."""
    match = Match.objects.select_related("competition__regulations").filter(table=game.table_id).first()
    if match is None or match.competition.state in (Competition.State.ARCHIVED, Competition.State.CANCELLED):
        return Disputable(False, reason="competition")
    if player is None or not can(player, "case.file", game) or position_of(player, Case(match=match)) is None:
        return Disputable(False, reason="stranger")
    if game.state != Game.State.OVER:
        return Disputable(False, reason="running")
    until = filing_ends(match)
    other = Case.objects.filter(match=match, origin=Case.Origin.DISPUTE, state__in=sorted(cases.PENDING)).first()
    if other is not None:
        return Disputable(False, until, "open", other)
    return Disputable(True, until) if clock.now() <= until else Disputable(False, until, "over")


def _judges(viewer: Player, case: Case) -> bool:
    return referees(viewer, case.competition) or sits_on(viewer, case)


def _role(case: Case, viewer: Player, side: int | None) -> str:
    if side is not None:
        return "party"
    if PanelSeat.objects.filter(case=case, member=viewer, left_at__isnull=True).exists():
        return "panel"
    if referees(viewer, case.competition):
        return "referee"
    return "organiser" if can(viewer, "competition.organise", case.competition) else "reader"


def _sides(case: Case) -> tuple[SideView, ...]:
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
    "appealed": "text",
    "outsider_named": "text",
}


def hush(case: Case, viewer: Player, side: int | None) -> None:
    """Hide what a call is about from the table while it plays: words between seats are what is forbidden there.

    Only the instance in hand is changed; the caller of the referee, and whoever does not sit there, reads the truth.
    """
    if side is not None and case.opened_by_id != viewer.pk and game_running(case):
        case.kind = Case.Kind.OTHER


_AMONG_REFEREES = frozenset({"escalated", "dismissal_proposed", "dismissal_refused"})


def _statements(case: Case, viewer: Player, side: int | None) -> tuple[Statement, ...]:
    """What was written, as far as the viewer may read it.

    A party reads the others' words when the game is over, and what referees write to each other when the case is closed.
    """
    quiet = side is not None and game_running(case)
    closed = case.state in cases.CLOSED
    texts = dict(PrivateText.objects.filter(entry__case_event__case=case, field="text").values_list("entry", "text"))
    found = []
    for event in case.events.filter(type__in=_WRITTEN).select_related("actor").order_by("seq"):
        among = event.type in _AMONG_REFEREES and not closed
        if event.entry_id not in texts or (quiet and event.actor_id != viewer.pk) or (side is not None and among):
            continue
        found.append(Statement(event.type, event.at, event.actor, event.body.get("side"), texts[event.entry_id]))
    return tuple(found)


def _events(case: Case, viewer: Player, side: int | None) -> tuple[EventView, ...]:
    """The events; which hand a referee looked at is told to the sides when the game is over."""
    running = case.game is not None and case.game.state != Game.State.OVER
    rows: list[CaseEvent] = list(case.events.select_related("actor", "entry").order_by("seq"))
    if side is not None and running:
        rows = [event for event in rows if event.type != "seat_viewed"]
    return tuple(
        EventView(event.seq, event.at, event.actor, event.role, event.type, event_sentence(event), event.entry.seq)
        for event in rows
    )


def _evidence(case: Case) -> tuple[EvidenceView, ...]:
    rows: list[Evidence] = list(case.evidence.select_related("event"))
    url = replay_url(case).partition("#")[0]
    return tuple(
        EvidenceView(row.kind, row.get_kind_display(), row.seq, f"{url}#{row.seq}", row.event.at) for row in rows
    )


def _votes(case: Case, viewer: Player) -> tuple[VoteView, ...]:
    rows: list[Vote] = list(case.votes.select_related("member", "event"))
    all_in = len(rows) >= cases.PANEL
    notes = dict(
        PrivateText.objects.filter(entry__in=[vote.event.entry_id for vote in rows], field="note").values_list(
            "entry", "text"
        )
    )
    reads = PanelSeat.objects.filter(case=case, member=viewer).exists()
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


@dataclass(frozen=True)
class MyCases:
    """A player's cases: as a party, as the referee who holds or held them, on a panel; the newest first."""

    parties: tuple[Case, ...]
    referee: tuple[Case, ...]
    panel: tuple[Case, ...]


def mine(player: Player) -> MyCases:
    """Answer the cases in which `player` has a part."""
    own = Q(match__table__seatings__player=player) | Q(match__side_rows__entry__roster__player=player)
    every = with_sides(Case.objects.order_by("-filed_at", "-pk"))
    parties = tuple(every.filter(own).distinct())
    for case in parties:
        hush(case, player, position_of(player, case))
    return MyCases(
        parties=parties,
        referee=tuple(every.filter(leases__referee=player).distinct()),
        panel=tuple(every.filter(panel__member=player, panel__left_at__isnull=True).distinct()),
    )


@dataclass(frozen=True)
class Waiting:
    """Something that waits for a player: answer, take, rule, second, panel or vote; until `due_at`, or whenever."""

    case: Case
    what: str
    due_at: datetime | None


_WAITS = (
    ("answer", Deadline.Kind.ANSWER),
    ("rule", Deadline.Kind.RULING),
    ("take", Deadline.Kind.RULING),
    ("second", Deadline.Kind.RULING),
    ("vote", Deadline.Kind.PANEL),
    ("panel_rule", Deadline.Kind.PANEL),
    ("form_panel", Deadline.Kind.PANEL),
    ("name_outsider", Deadline.Kind.RULING),
)


def waiting_for(player: Player) -> list[Waiting]:
    """Answer what waits for `player` in open cases, the most pressing first."""
    busy = list(Competition.objects.filter(cases__state__in=sorted(cases.PENDING | cases.APPEAL)).distinct())
    if not busy:
        return []
    serving = [competition for competition in busy if can(player, "case.queue", competition)]
    own = (
        Q(match__table__seatings__player=player)
        | Q(match__side_rows__entry__roster__player=player)
        | Q(panel__member=player)
        | Q(competition__in=serving)
    )
    found = []
    rows = with_sides(Case.objects.filter(own, state__in=sorted(cases.PENDING | cases.APPEAL))).distinct()
    for case in rows:
        may = powers(case, player, conflicts.grounds(player, case) if _judges(player, case) else ())
        for what, kind in _WAITS:
            if what in may:
                deadline = case.deadlines.filter(kind=kind, done_at__isnull=True).first()
                found.append(Waiting(case, what, deadline.due_at if deadline is not None else None))
                break
    return sorted(found, key=lambda one: (not one.case.live, one.due_at or clock.now() + timedelta(days=365)))
