"""Findings as the head referee reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from games.models import Game
from ratings.models import RatedResult, RatingChange, Subject
from tock_league.accounts.models import Player
from tock_league.common.errors import NotThere
from tock_league.competitions.models import Match
from tock_league.journal.models import PrivateText

from ..models import Finding
from ..permissions import involved
from . import words

MOST = 200  # findings on the page


@dataclass(frozen=True)
class Row:
    """A finding in words."""

    finding: Finding
    names: str
    other: str  # "" without another side
    sentence: str
    surprise: str  # "" if none was computed


@dataclass(frozen=True)
class Line:
    """One game of a finding."""

    source: str
    at: datetime
    against: str
    won: bool
    chance: int  # to win, in percent
    reason: str  # how it ended, in words
    slug: str  # of the game, "" on paper
    match: str  # the match's public id, "" for a casual game


def shown(person: Player, *, decided: bool = False) -> list[Row]:
    """Return the open findings, or those decided, that do not involve `person`; the newest first, at most MOST.

    A fixed number of queries, and two for each finding.
    """
    rows = Finding.objects.exclude(state=Finding.State.OPEN) if decided else Finding.objects.filter(state="open")
    found = list(
        rows.select_related("ladder", "subject", "other", "decided_by", "case")
        .prefetch_related("subject__members", "other__members", "players")
        .order_by("-found_at", "-pk")[:MOST]
    )
    return [row_of(one) for one in found if not involved([person.pk], [player.pk for player in one.players.all()])]


def finding(person: Player, number: str) -> Finding:
    """Return the finding of that number, or NotThere, also for somebody whom it involves."""
    found = (
        Finding.objects.select_related("ladder__generation", "subject", "other", "decided_by", "case", "entry")
        .prefetch_related("subject__members", "other__members", "players")
        .filter(number=number)
        .first()
    )
    if found is None or involved([person.pk], [player.pk for player in found.players.all()]):
        raise NotThere
    return found


def row_of(found: Finding) -> Row:
    """Return a finding, with its subjects loaded, in words."""
    return Row(
        finding=found,
        names=name_of(found.subject),
        other=name_of(found.other) if found.other is not None else "",
        sentence=words.sentence(found.kind, found.figures),
        surprise=words.surprise(found.kind, found.once_in),
    )


def name_of(subject: Subject) -> str:
    return " – ".join(sorted(player.display_name for player in subject.members.all()))


def reason_of(found: Finding) -> str:
    """Return what the referee wrote with the decision, "" if nothing, or if the text was erased."""
    if found.entry_id is None:
        return ""
    text = PrivateText.objects.filter(entry=found.entry_id, field="reason").first()
    return text.text if text is not None else ""


def lines(found: Finding) -> Sequence[Line]:
    """Return the games of a finding, the newest first, with today's figures. Six queries."""
    changes = RatingChange.objects.filter(
        generation=found.ladder.generation, subject=found.subject, source__in=found.games
    ).select_related("result")
    by_source = {change.source: change for change in changes}
    ids = [int(source) for source in found.games if source.isdigit()]
    games = Game.objects.in_bulk(ids)
    matches = dict(Match.objects.filter(table__games__in=ids).values_list("table__games", "slug") if ids else ())
    people = Player.objects.in_bulk(
        {person for change in by_source.values() for side in change.result.sides for person in side}
    )
    own = {int(part) for part in found.subject.key.split("-")}
    made = []
    for source in reversed(found.games):
        change = by_source.get(source)
        if change is None:
            continue  # it no longer counts
        game = games.get(int(source)) if source.isdigit() else None
        against = [side for side in change.result.sides if not own & set(side)]
        made.append(
            Line(
                source=source,
                at=change.completed_at,
                against=" / ".join(_names(side, people) for side in against),
                won=change.won,
                chance=round(100 * change.chance),
                reason=words.ended(_reason(change.result), game.last_seq if game is not None else None),
                slug=game.slug if game is not None else "",
                match=matches.get(int(source), "") if source.isdigit() else "",
            )
        )
    return made


def _reason(row: RatedResult) -> str:
    return str(row.reason)


def _names(side: Sequence[int], people: dict[int, Player]) -> str:
    return " – ".join(sorted(people[person].display_name for person in side if person in people))
