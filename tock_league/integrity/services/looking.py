"""Looking at the games that were added to a ladder's log, a batch at a time.

What is read grows with the new games, not with the log: of each player and team of a new game, the last WINDOW games.
A game is in one finding of a kind at most, and a finding is open once, so that looking twice finds nothing twice.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from django.db.models import Q, Sum
from django.urls import reverse

from ratings.core.integrity import signals
from ratings.core.integrity.signals import Played, Signal
from ratings.core.recompute import Subject as Members
from ratings.models import Generation, Ladder, RankBucket, RatedResult, Rating, Subject, WaitingResult
from tock_league.common import clock
from tock_league.common.transactions import writing
from tock_league.journal.services import record
from tock_league.notices.services import tell

from ..models import Finding, Watched
from ..permissions import head_referees, involved
from ..selectors.windows import windows, with_one_partner

STREAM = "integrity:findings"  # private: apps.py
BATCH = 100  # rows of the log
SETTLE = timedelta(minutes=1)  # rows that were written less long ago wait: their transactions may commit out of order
ACTIVE = timedelta(days=90)
Found = tuple[Subject, Subject | None, Signal]


def look(*, ladder: Ladder, most: int = 20) -> int:
    """Look at the rows of the ladder's log that were not looked at, in at most `most` batches; return the findings made."""
    made = 0
    for _batch in range(most):
        found, more = _look(ladder)
        made += found
        if not more:
            break
    return made


def _look(ladder: Ladder) -> tuple[int, bool]:
    """Look at one batch; return how many findings were made, and whether there is more to look at."""
    seen = Watched.objects.filter(ladder=ladder).values_list("seen", flat=True).first() or 0
    rows = list(
        RatedResult.objects.filter(ladder=ladder, pk__gt=seen, created_at__lte=clock.now() - SETTLE).order_by("pk")[
            :BATCH
        ]
    )
    waiting = set(WaitingResult.objects.filter(result__in=rows).values_list("result", flat=True))
    ready = []
    for row in rows:
        if row.pk in waiting:
            break  # it is rated in seconds, and looked at the next time
        ready.append(row)
    if not ready:
        return 0, False
    ladder = Ladder.objects.select_related("generation").get(pk=ladder.pk)
    assert ladder.generation is not None
    sides = [side for row in ready if row.kind == RatedResult.Kind.RESULT and row.rated for side in row.sides]
    people, teams = {person for side in sides for person in side}, {tuple(sorted(side)) for side in sides}
    found = list(_signals(ladder, ladder.generation, people, teams)) if people else []
    return _write(ladder, seen, ready[-1].pk, found), len(ready) == BATCH


def _signals(ladder: Ladder, generation: Generation, people: set[int], teams: set[Members]) -> Iterator[Found]:
    """Yield what is found in the last games of these teams, and of those of these people who change their partners."""
    keys = {str(person) for person in people} | {"-".join(map(str, team)) for team in teams}
    subjects = {row.key: row for row in Subject.objects.filter(key__in=keys)}
    games = windows(generation, list(subjects.values()))
    active = active_sides(
        generation, Subject.Kind.TEAM if any(len(team) > 1 for team in teams) else Subject.Kind.PLAYER
    )
    begin = _begin(ladder, subjects.values())
    for subject in sorted(subjects.values(), key=lambda row: row.key):
        own = games[subject.pk]
        if subject.size == 1 and with_one_partner(own):
            continue
        for signal in _of(subject, own, begin, generation, active):
            other = Subject.objects.filter(key="-".join(map(str, signal.other))).first() if signal.other else None
            yield subject, other, signal


def _of(
    subject: Subject, own: list[Played], begin: dict[tuple[int, str], str], generation: Generation, active: int
) -> Iterator[Signal]:
    def since(kind: str) -> list[Played]:
        last = begin.get((subject.pk, kind), "")
        return [game for game in own if game.at.isoformat() > last]

    alone = subject.size > 1 or not any(game.mates for game in own)  # a team, or a player of a game without partners
    made = [signals.losses(since("losses")), signals.sudden(since("sudden"), sides=active)]
    if alone:
        made += [
            signals.one_opponent(since("one_opponent"), sides=active),
            signals.resignations(since("resignations")),
        ]
    made.append(_one_way(subject, since("one_way"), generation, active))
    yield from (signal for signal in made if signal is not None)


def _one_way(subject: Subject, own: list[Played], generation: Generation, active: int) -> Signal | None:
    """Return the signal against the side, or the account, that is met most. Three queries at most, and only if it may be."""
    if len(own) < signals.LEAST_MUTUAL:
        return None
    met: dict[Members, int] = {}
    for game in own:
        for side in game.opponents:
            for other in [side] if subject.size > 1 else [(person,) for person in side]:
                met[other] = met.get(other, 0) + 1
    other, count = max(met.items(), key=lambda item: (item[1], item[0]))
    if count < signals.MUTUAL * len(own):
        return None
    opposed = Subject.objects.filter(key="-".join(map(str, other))).first()
    if opposed is None:
        return None
    theirs = windows(generation, [opposed])[opposed.pk]
    me = tuple(int(part) for part in subject.key.split("-"))
    return signals.one_way(own, theirs, me=me, other=other, sides=active)


def active_sides(generation: Generation, kind: str) -> int:
    """Return how many sides of that kind are active: those on the board, at least those of the last games up to LEAST_SIDES.

    Two queries, neither of which counts a ladder.
    """
    ranked = RankBucket.objects.filter(generation=generation, kind=kind).aggregate(sides=Sum("count"))["sides"] or 0
    lately = Rating.objects.filter(generation=generation, kind=kind, last_rated_at__gte=clock.now() - ACTIVE)
    return max(ranked, len(lately.values_list("pk", flat=True)[: 4 * signals.LEAST_SIDES]))


def _begin(ladder: Ladder, subjects: Iterable[Subject]) -> dict[tuple[int, str], str]:
    """Return by subject and kind the last game, as an instant, that a finding is about already. One query."""
    ids = [subject.pk for subject in subjects]
    rows = Finding.objects.filter(Q(subject__in=ids) | Q(other__in=ids), ladder=ladder)
    found: dict[tuple[int, str], str] = {}
    for kind, subject, other, last in rows.values_list("kind", "subject", "other", "last_at"):
        for key in {subject, other} - {None}:
            found[key, kind] = max(found.get((key, kind), ""), last.isoformat())
    return found


def _write(ladder: Ladder, seen: int, until: int, found: list[Found]) -> int:
    """Write what was found and up to where was looked, in one transaction; nothing if another worker was faster."""
    with writing():
        mark, _made = Watched.objects.select_for_update().get_or_create(ladder=ladder)
        if mark.seen != seen:
            return 0
        mark.seen = until
        mark.save(update_fields=["seen"])
        made = 0
        for subject, other, signal in found:
            made += _make(ladder, subject, other, signal)
        return made


def _make(ladder: Ladder, subject: Subject, other: Subject | None, signal: Signal) -> bool:
    """Write a finding unless it is open already, and tell the head referees who are not involved."""
    names = sorted(row.key for row in (subject, other) if row is not None)
    key = ":".join([signal.kind, *names])
    if Finding.objects.filter(ladder=ladder, key=key, last_at__gte=signal.games[-1].at).exists():
        return False  # the other side of the same games
    if Finding.objects.filter(ladder=ladder, key=key, state=Finding.State.OPEN).exists():
        return False
    now = clock.now()
    finding = Finding.objects.create(
        number=_number(now.year),
        ladder=ladder,
        kind=signal.kind,
        subject=subject,
        other=other,
        key=key,
        games=[game.source for game in signal.games],
        figures=signal.figures,
        once_in=signal.once_in,
        first_at=signal.games[0].at,
        last_at=signal.games[-1].at,
        found_at=now,
    )
    players = {int(part) for name in names for part in name.split("-")}
    finding.players.set(players)
    heads = head_referees()
    tell(
        sorted(heads - involved(heads, players)),
        "integrity_finding",
        finding.number,
        address=reverse("integrity:finding", args=[finding.number]),
        finding=finding.number,
    )
    record(STREAM, "integrity.found", body={"finding": finding.number, "ladder": ladder.key, "signal": signal.kind})
    return True


def _number(year: int) -> str:
    """Return the next number; two at once get the same, and the unique column refuses the second, which is tried again."""
    head = f"W-{year}-"
    last = Finding.objects.filter(number__startswith=head).order_by("-pk").values_list("number", flat=True).first()
    return f"{head}{int(last.removeprefix(head)) + 1 if last else 1:03}"
