"""What ratings hold about a person. An erasure changes nothing here: ratings name players by their ids."""

from collections.abc import Iterator

from django.db.models import CharField, Q, QuerySet
from django.db.models.functions import Cast

from games.models import Game
from tock_league.common.persons import Person, Row, Section, exported

from .models import RatedResult, Rating, RatingChange, Subject


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


SECTIONS = (
    Section("rating_subjects", Subject._meta.label, _of_subjects),
    Section("ratings", Rating._meta.label, _ratings),
    Section("rating_changes", RatingChange._meta.label, _changes),
    Section("rating_log", RatedResult._meta.label, _results),
)
