"""The page of a player or a pair in a ladder: figures, history, records, partners. Twelve queries at most."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BigIntegerField, F

from ratings.core import eligibility
from ratings.core.params import Params
from ratings.core.score import interval, points
from ratings.models import Ladder, Rating, Subject
from tock_league.common import clock
from tock_league.common.errors import NotThere, Refused

from . import histories
from .chemistry import Chemistry, chemistry
from .game_rows import GameRow, game_rows, log_of
from .histories import Records
from .naming import Names, Side, key_of, names
from .profiles import Step, Summary
from .ranks import place_of
from .rows import BoardRow, dress, home_clubs, record_of
from .words import gap_sentence, ladder_name, until_sentence

PAGE = 20  # games on a page
PARTNERS = 20  # those with most games together


@dataclass(frozen=True)
class PartnerRow:
    """Somebody with whom a player has played, and what came of it."""

    side: Side  # the team of both (of all, where teams are larger)
    names: str  # the partners, without the player
    games: int
    wins: int
    chemistry: Chemistry | None


@dataclass(frozen=True)
class Upset:
    """The win that was expected least."""

    chance: int  # in per cent
    at: datetime
    against: Sequence[Side]


@dataclass(frozen=True)
class ProfilePage:
    """Everything that the page shows."""

    ladder: Ladder
    subject: Subject
    summary: Summary
    steps: Sequence[Step]  # of the chart, oldest first
    games: Sequence[GameRow]  # of this page, newest first
    number: int  # of this page, from 1
    pages: int
    records: Records | None
    upset: Upset | None
    partners: Sequence[PartnerRow]  # of a player
    chemistry: Chemistry | None  # of a pair

    @property
    def row(self) -> BoardRow:
        return self.summary.row


def rating_of(ladder_key: str, subject_id: int) -> Rating:
    """Return the live rating of a listed subject, with subject, ladder and parameters; else NotThere. One query."""
    if subject_id > BigIntegerField.MAX_BIGINT:  # the number in the URL may be larger than the database accepts
        raise NotThere
    found = (
        Rating.objects.filter(
            subject_id=subject_id,
            subject__listed=True,
            generation__ladder__key=ladder_key,
            generation=F("generation__ladder__generation"),
        )
        .select_related("subject", "generation__params", "generation__ladder")
        .first()
    )
    if found is None:
        raise NotThere
    return found


def row_of(rating: Rating) -> BoardRow:
    """Return the row of a rating, without its rank. Four queries."""
    return dress([rating], board=eligibility.GLOBAL, generation=rating.generation)[0]


def profile_page(ladder_key: str, subject_id: int, number: int = 1) -> ProfilePage:
    """Return the page of a subject in a ladder, with the games of its page `number`.

    Raise NotThere for an unknown subject, Refused("page") for a page that does not exist.
    """
    rating = rating_of(ladder_key, subject_id)
    generation, subject = rating.generation, rating.subject
    members = [int(part) for part in subject.key.split("-")]
    history = histories.played(rating)
    pages = max(1, -(-len(history) // PAGE))
    if not 1 <= number <= pages:
        raise Refused("page", field="games", status=404)
    shown = history[(number - 1) * PAGE : number * PAGE]
    records = histories.records(history)
    upset = records.upset if records is not None else None
    keys = {game.result for game in shown} | ({upset.result} if upset is not None else set())
    log = log_of(generation, members, keys)
    mates = _mates(rating, members)
    known = names(generation, log.sides.union(mates), members)
    before = [*shown[1:], *history[number * PAGE :][:1], None][: len(shown)]
    return ProfilePage(
        ladder=generation.ladder,
        subject=subject,
        summary=_summary(rating, members, known),
        steps=histories.steps(history, subject.size),
        games=game_rows(rating, members, shown, before, log, known),
        number=number,
        pages=pages,
        records=records,
        upset=Upset(round(100 * upset.chance), upset.at, [known.side(side) for side in log.others[upset.result]])
        if upset is not None
        else None,
        partners=_partners(members[0], mates, known) if subject.size == 1 else [],
        chemistry=_chemistry(rating, members, known) if subject.size > 1 else None,
    )


def _mates(rating: Rating, members: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the teams of a player with most games together, as sorted ids. A query where teams are larger than pairs."""
    if rating.subject.size > 1:
        return []
    met = {int(person): games for person, games in rating.meetings.get("partners", {}).items()}
    partners = sorted(met, key=lambda person: (-met[person], person))
    if sum(met.values()) == rating.games:  # one partner in each game
        return [tuple(sorted((members[0], person))) for person in partners[:PARTNERS]]
    teams = Rating.objects.filter(generation=rating.generation_id, kind=Subject.Kind.TEAM, subject__members=members[0])
    keys = teams.order_by("-games", "subject_id").values_list("subject__key", flat=True)[:PARTNERS]
    return [tuple(int(part) for part in key.split("-")) for key in keys] if partners else []


def _partners(player: int, mates: Sequence[tuple[int, ...]], known: Names) -> list[PartnerRow]:
    found = []
    for members in mates:
        rating = known.ratings.get(key_of(members))
        if rating is not None:
            others = [known.player(person).name for person in members if person != player]
            found.append(
                PartnerRow(
                    known.side(members),
                    " – ".join(others),
                    rating.games,
                    rating.wins,
                    _chemistry(rating, members, known),
                )
            )
    return found


def _chemistry(team: Rating, members: Collection[int], known: Names) -> Chemistry | None:
    alone = [known.ratings[str(person)] for person in members if str(person) in known.ratings]
    return chemistry(team, len(members), alone)


def _summary(rating: Rating, members: Sequence[int], known: Names) -> Summary:
    """Return the figures of the subject: its rank on the board of all clubs, and what it lacks. Three queries."""
    generation, subject, now = rating.generation, rating.subject, clock.now()
    params = Params.from_json(generation.params.values)
    record = record_of(subject.size, rating)
    lacking = {
        name: eligibility.gaps(record, board, at=now, idle_per_day=params.idle_per_day)
        for name, board in (("club", eligibility.CLUB), ("all", eligibility.GLOBAL))
    }
    lacks = next((name for name, gaps in lacking.items() if gaps), "")
    people = tuple(
        sorted((known.players[one] for one in members if one in known.players), key=lambda p: p.display_name)
    )
    team = known.teams.get(tuple(members))
    homes = home_clubs(members)
    clubs = {homes.get(person) for person in members}
    shared = clubs.pop() if len(clubs) == 1 else None
    row = BoardRow(
        subject_id=subject.pk,
        kind=rating.kind,
        players=people,
        team=team,
        club=team.club if team is not None and team.club is not None else shared,
        score=points(rating.score_milli),
        score_milli=rating.score_milli,
        interval=interval(eligibility.sigma_at(record, now, params.idle_per_day)),
        games=rating.games,
        wins=rating.wins,
        month=None,
        provisional=eligibility.is_provisional(record, at=now, idle_per_day=params.idle_per_day),
        tied=subject.size == 1 and rating.partners < eligibility.GLOBAL.partners,
        gaps=lacking[lacks] if lacks else (),
        gap=gap_sentence(lacking[lacks]) if lacks else "",
        until=until_sentence(rating.eligible_until),
        rank=place_of(rating).rank if rating.on_global and not lacking["all"] else None,
    )
    ladder = generation.ladder
    return Summary(ladder=ladder, name=ladder_name(ladder.family, ladder.teams), row=row, lacks=lacks)
