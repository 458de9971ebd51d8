"""What must hold after every step of a sequence of cases, read from the rows that the services wrote.

The checks do not use the selectors by which the services decide: sanctions are read from rulings and not from effects, acts
from the rows that cases name.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import cache
from io import StringIO
from itertools import combinations
from typing import Any

from django.core.management import call_command
from django.db import connection

from games.models import GameEvent
from tock_league.arbitration.core.penalties import NONE
from tock_league.arbitration.models import Case, Effect, Lease, Ruling, Vote
from tock_league.arbitration.selectors.cases import audit
from tock_league.common import clock
from tock_league.competitions.models import CheckIn, Entry, ResultVersion, RosterSpot
from tock_league.journal.selectors import verification

SUSPENSION = timedelta(days=90)
CLOSED = ("withdrawn", "inadmissible")
TAKES_PART = ("accepted", "checked_in", "playing")
REINSTATED = ("disqualified",)  # a ruling that is lifted gives the place back; the entry is older than the sanction
OFFICIALS = ("captain", "referee", "organiser")
# The tables whose rows change; of the others, which only grow, the number of rows says enough.
CHANGING = [
    "arbitration_case",
    "arbitration_lease",
    "arbitration_deadline",
    "arbitration_panelseat",
    "arbitration_effect",
    "competitions_entry",
    "competitions_rosterspot",
    "competitions_match",
    "competitions_competitionrole",
    "games_game",
    "games_table",
]
NOTED = (
    "arbitration_recusal",
    "arbitration_caseevent",
    "journal_",
)  # where a detected conflict of interest is recorded


@cache
def _counting() -> tuple[list[str], str]:
    names = sorted(connection.introspection.table_names())
    return names, " UNION ALL ".join(f"SELECT COUNT(*) FROM {connection.ops.quote_name(name)}" for name in names)


def marks() -> dict[str, Any]:
    """Return what a step that was refused must leave alone: the number of rows of each table, and the rows that change."""
    names, query = _counting()
    found: dict[str, Any] = {}
    with connection.cursor() as cursor:
        cursor.execute(query)
        found |= {name: row[0] for name, row in zip(names, cursor.fetchall(), strict=True)}
        for name in CHANGING:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)} ORDER BY id")
            found[f"{name}, rows"] = cursor.fetchall()
    return found


def unlike(one: dict[str, Any], other: dict[str, Any], *, noted: bool = False) -> list[str]:
    """Return the tables in which the marks differ. `noted`: except where a conflict of interest is recorded."""
    return [name for name in one if one[name] != other[name] and not (noted and name.startswith(NOTED))]


def barred(at: datetime) -> set[int]:
    """Return the players whom a ruling that stood at that time kept out, by their keys."""
    found = set()
    rulings = Ruling.objects.filter(penalty__in=("suspension", "ban"), confirms=None, signed_at__lte=at)
    for ruling in rulings.select_related("superseded_by"):
        later = getattr(ruling, "superseded_by", None)
        over = ruling.penalty == "suspension" and ruling.signed_at + SUSPENSION <= at
        if not over and not (later is not None and later.signed_at <= at):
            found.add(ruling.offender_id)
    return found


class Promises:
    """The checks of one sequence; `hold` is called after each of its steps."""

    def __init__(self) -> None:
        self.rulings = 0
        self.last = {model: _newest(model) for model in (GameEvent, RosterSpot, CheckIn, ResultVersion)}
        self.entries = dict(Entry.objects.values_list("pk", "state"))
        self.final: dict[int, int] = {}  # case -> the ruling that stands by the word of its panel

    def hold(self) -> None:
        """Raise AssertionError naming what is broken."""
        broken = [*one_case(), *self._kept_out()]
        if (rulings := Ruling.objects.count()) != self.rulings:
            self.rulings = rulings
            broken += [*one_finding(), *self._final_words(), *overturned(), *audit.audit().faults]
        assert broken == [], "\n".join(broken)

    def hold_at_the_end(self) -> None:
        """Check also what stays broken once it is: the chain of the journal, and everything that the audit looks at."""
        self.rulings = -1
        self.hold()
        verdicts = [verification.verify(name) for name in verification.names()]
        broken = [str(verdict.fault) for verdict in verdicts if verdict.fault]
        assert broken == [], "\n".join(broken)
        call_command("audit_arbitration", stdout=StringIO())

    def _final_words(self) -> Iterator[str]:
        for ruling in Ruling.objects.filter(level=2).select_related("case", "confirms"):
            stands = ruling.confirms or ruling
            known = self.final.setdefault(ruling.case_id, stands.pk)
            if known != stands.pk or Ruling.objects.filter(supersedes=stands).exists():
                yield f"{ruling.case}: the panel's word was overturned"
            if Effect.objects.filter(ruling=stands, lifted_by__isnull=False).exists():
                yield f"{ruling.case}: an effect was lifted after the panel's word"

    def _kept_out(self) -> Iterator[str]:
        """Check that nobody who was kept out has taken a seat, entered, started, checked in or got a result on paper."""
        for event in self._new(GameEvent).filter(code="ready", game__table__kind="match").select_related("game"):
            at = datetime.fromtimestamp(event.at / 1000, tz=clock.now().tzinfo)
            seat = int(event.actor.removeprefix("seat:"))
            if event.game.table.seatings.get(seat=seat).player_id in barred(at):
                yield f"seat {seat} of {event.game} was taken"
        for spot in self._new(RosterSpot).select_related("entry"):
            new = spot.role == "starter" or spot.entry.roster.filter(player=spot.player_id).count() == 1
            if new and spot.player_id in barred(spot.joined):
                yield f"{spot.player_id} came on the roster of {spot.entry}"
        for row in self._new(CheckIn):
            if row.player_id in barred(row.at):
                yield f"{row.player_id} was checked in for {row.entry}"
        for version in self._new(ResultVersion).filter(fact="played", source__in=OFFICIALS).select_related("match"):
            began = min(version.match.starts_at or version.recorded_at, version.recorded_at)
            starts = RosterSpot.objects.filter(entry__side_rows__match=version.match, role="starter", left=None)
            if barred(began) & set(starts.filter(joined__lte=began).values_list("player", flat=True)):
                yield f"a result of {version.match} was written"
        now = barred(clock.now())
        for entry in Entry.objects.prefetch_related("roster"):
            known = self.entries.get(entry.pk)
            self.entries[entry.pk] = entry.state
            starts = {spot.player_id for spot in entry.roster.all() if spot.role == "starter" and spot.left is None}
            if known not in (*TAKES_PART, *REINSTATED) and entry.state in TAKES_PART and starts & now:
                yield f"{entry} was admitted"
        self.last = {model: _newest(model) for model in self.last}

    def _new(self, model: Any) -> Any:
        return model.objects.filter(pk__gt=self.last[model])


def _newest(model: Any) -> int:
    return model.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def one_finding() -> Iterator[str]:
    """Check that no player has two findings in force for one act."""
    stand = Ruling.objects.filter(superseded_by=None, confirms=None, outcome="upheld").exclude(penalty=NONE)
    by_act: dict[tuple[Any, ...], list[Case]] = defaultdict(list)
    for ruling in stand.select_related("case__reviews__reviews"):
        by_act[ruling.offender_id, *_act(ruling.case)].append(ruling.case)
    for act, found in by_act.items():
        for one, other in combinations(found, 2):
            if one != other and not _called_again(one, other):
                yield f"{one} and {other}: two findings for {act}"


def one_case() -> Iterator[str]:
    """Check that no side has two cases about one act."""
    by_act: dict[tuple[Any, ...], list[Case]] = defaultdict(list)
    for case in Case.objects.filter(reviews=None).exclude(state__in=CLOSED):
        by_act[case.side, *_act(case)].append(case)
    for act, found in by_act.items():
        for one, other in combinations(found, 2):
            if not _called_again(one, other):
                yield f"{one} and {other}: two cases of one side for {act}"


def _act(case: Case) -> tuple[Any, ...]:
    """Return the match, the game and the row that the case is about: of a call, the last play before it."""
    first = _first(case)
    row = first.seq
    if first.origin == "call":
        plays = GameEvent.objects.filter(game=first.game_id, code="play", actor__startswith="seat:", seq__lt=row)
        row = plays.order_by("-seq").values_list("seq", flat=True).first() or row
    return first.match_id, first.game_id, row


def _first(case: Case) -> Case:
    return _first(case.reviews) if case.reviews is not None else case


def _called_again(one: Case, other: Case) -> bool:
    """Return whether both are calls, and the later one came after the ruling of the earlier: something new happened."""
    first, later = sorted((_first(one), _first(other)), key=lambda case: case.filed_at)
    if first.origin != "call" or later.origin != "call":
        return False
    return first.rulings.filter(signed_at__lte=later.filed_at).exists()


def overturned() -> Iterator[str]:
    """Check who overturned each ruling that fell: a panel of three, or two people who had no part in it before."""
    for ruling in Ruling.objects.filter(supersedes__isnull=False).select_related("case", "supersedes__case"):
        fallen = ruling.supersedes
        assert fallen is not None
        signers = {ruling.author_id, ruling.second_id} - {None}
        if ruling.level == 2:
            yield from _panel(ruling, signers)
            continue
        if fallen.level == 2 or fallen.case.rulings.filter(level=2).exists():
            yield f"{ruling}: overturned what a panel has ruled"
        opener = ruling.case.opened_by_id
        if signers <= {opener}:
            yield f"{ruling}: one person opened the re-examination and ruled it"
        if (signers | {opener}) & _judges(ruling.case.reviews):
            yield f"{ruling}: re-examined by somebody who has ruled"


def _panel(ruling: Ruling, signers: set[int | None]) -> Iterator[str]:
    votes = list(Vote.objects.filter(case=ruling.case_id))
    choices = Counter(vote.choice for vote in votes)
    majority = {vote.member_id for vote in votes if vote.choice == "overturn"}
    if len({vote.member_id for vote in votes}) != 3 or choices["overturn"] < 2 or not signers <= majority:
        yield f"{ruling}: overturned without a majority of three"
    for vote in votes:
        here = {"case__match": ruling.case.match_id}
        held = Lease.objects.filter(**here, since__lte=vote.at).values_list("referee", flat=True)
        signed = Ruling.objects.filter(**here, signed_at__lte=vote.at).values_list("author", "second")
        if vote.member_id in _people([*[(one,) for one in held], *signed]):
            yield f"{ruling}: {vote.member_id} voted on a match of which they had a case"


def _judges(case: Case | None) -> set[int]:
    """Return who signed a ruling of the case, or of one that it re-examines."""
    found: set[int] = set()
    while case is not None:
        found |= _people(case.rulings.values_list("author", "second"))
        case = case.reviews
    return found


def _people(rows: Iterable[tuple[int | None, ...]]) -> set[int]:
    return {person for row in rows for person in row if person is not None}
