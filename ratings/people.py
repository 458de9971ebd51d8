"""What ratings hold about a person. Ratings name players by their ids; only the snapshots of seasons hold names."""

import re
from collections.abc import Iterator

from django.db.models import CharField, Q, QuerySet
from django.db.models.functions import Cast

from games.models import Game
from tock_league.clubs.models import TEAM_NAME_LENGTH
from tock_league.common.persons import Leaving, Person, Row, Section, exported

from .models import RatedResult, Rating, RatingChange, SeasonSnapshot, Subject


def name_snapshots(leaving: Leaving) -> None:
    """Put the pseudonym in place of the person's name in the snapshots of seasons, and in the names of teams there.

    The name of that time may be another one than that of now, so the player's own entry is replaced whatever it says.
    """
    player = leaving.person.player
    if player is None:
        return
    own = str(player.pk)
    for row in SeasonSnapshot.objects.filter(subject__members=player).order_by("pk").iterator(500):
        names = row.names or {}
        former = names.get(own, "")
        if own in names:
            names[own] = leaving.pseudonym
        team = leaving.cleaned(row.team or "")
        if former:
            team = re.sub(rf"(?<!\w){re.escape(former)}(?!\w)", lambda _found: leaving.pseudonym, team)
        SeasonSnapshot.objects.filter(pk=row.pk).update(
            names=names if row.names is not None else None, team=team[:TEAM_NAME_LENGTH] if row.team else row.team
        )


def _subjects(person: Person) -> QuerySet[Subject]:
    return Subject.objects.filter(members=person.player) if person.player is not None else Subject.objects.none()


def _name(subject: Subject) -> str:
    """Return whose rating it is: the names of the members, as the public boards show them."""
    return " & ".join(player.display_name for player in subject.members.all())


def _of_subjects(person: Person) -> Iterator[Row]:
    for row in _subjects(person).prefetch_related("members").order_by("pk"):
        yield exported(row, "kind", "key", "listed", of=_name(row))


def _ratings(person: Person) -> Iterator[Row]:
    rows = Rating.objects.filter(subject__in=_subjects(person), generation__state="live")
    for row in rows.select_related("generation__ladder", "subject").prefetch_related("subject__members").order_by("pk"):
        yield exported(
            row, "mu", "sigma", "games", "wins", "opponents", "partners", "last_rated_at",
            ladder=row.generation.ladder.key, of=_name(row.subject), points=row.score_milli / 1000,
        )  # fmt: skip


def _changes(person: Person) -> Iterator[Row]:
    """Yield each change of a rating with what explains it: before, after, and the expected chance."""
    rows = RatingChange.objects.filter(subject__in=_subjects(person), generation__state="live")
    for row in (
        rows.select_related("generation__ladder", "subject", "result").order_by("completed_at", "pk").iterator(500)
    ):
        yield exported(
            row, "source", "completed_at", "mu_before", "sigma_before", "mu_after", "sigma_after", "chance", "idle_days",
            "won", ladder=row.generation.ladder.key, subject=row.subject.key, points_before=row.score_before / 1000,
            points_after=row.score_after / 1000,
        )  # fmt: skip


def _results(person: Person) -> Iterator[Row]:
    """Yield the rows of the rating log about the person: those of which a change came, and of games without a rating."""
    if person.player is None:
        return
    changed = RatingChange.objects.filter(subject__in=_subjects(person)).values("result")
    games = Game.objects.filter(table__seatings__player=person.player, state=Game.State.OVER)
    sources = games.annotate(source=Cast("pk", CharField())).values("source")
    rows = RatedResult.objects.filter(Q(pk__in=changed) | Q(source__in=sources)).select_related("ladder")
    for row in rows.order_by("pk").iterator(2_000):
        if any(person.player.pk in side for side in row.sides if isinstance(side, list)):
            yield exported(
                row, "ladder", "source", "revision", "kind", "completed_at", "ranks", "rated", "reason", "ruling"
            )


def _snapshots(person: Person) -> Iterator[Row]:
    """Yield the final places in seasons, under the names of that time."""
    rows = SeasonSnapshot.objects.filter(subject__in=_subjects(person), season__done_at__isnull=False)
    for row in rows.select_related("season__ladder", "subject").order_by("pk"):
        yield exported(
            row, "kind", "rank", "games", "wins", "margin", "team", "last_rated_at", ladder=row.season.ladder.key,
            season=row.season.name, ended_at=row.season.frozen_at, points=row.score_milli / 1000,
            name=(row.names or {}).get(str(person.player.pk), "") if person.player is not None else "",
        )  # fmt: skip


SECTIONS = (
    Section("rating_subjects", Subject._meta.label, _of_subjects),
    Section("ratings", Rating._meta.label, _ratings),
    Section("rating_changes", RatingChange._meta.label, _changes),
    Section("rating_log", RatedResult._meta.label, _results),
    Section("season_places", SeasonSnapshot._meta.label, _snapshots),
)
