"""Ranks on the board of all clubs, from the histogram: no row of the board is counted outside of one bucket."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Count, F, IntegerField, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce, Floor

from ratings.core.score import BUCKET, bucket
from ratings.models import Generation, RankBucket, Rating


def ranks_of_scores(generation: Generation, kind: str, scores: Collection[int]) -> dict[int, int]:
    """Return the rank of each of a few scores on the global board: 1 + the number of higher scores. Two queries.

    They need not stand on the board.
    """
    if not scores:
        return {}
    above = _above(generation, kind)
    within = {score: Q(score_milli__gt=score, score_milli__lt=(bucket(score) + 1) * BUCKET) for score in set(scores)}
    counts = Rating.objects.filter(reduce(or_, within.values()), generation=generation, kind=kind, on_global=True)
    higher = counts.aggregate(**{f"above_{n}": Count("pk", filter=each) for n, each in enumerate(within.values())})
    return {score: 1 + above(bucket(score)) + higher[f"above_{n}"] for n, score in enumerate(within)}


def _above(generation: Generation, kind: str) -> Callable[[int], int]:
    """Return a function that gives the number of rows in higher buckets. One query."""
    buckets = RankBucket.objects.filter(generation=generation, kind=kind, count__gt=0).order_by("-bucket")
    steps, counts = [], [0]
    for step, count in buckets.values_list("bucket", "count"):
        steps.append(-step)
        counts.append(counts[-1] + count)
    return lambda step: counts[bisect_left(steps, -step)]


@dataclass(frozen=True)
class Place:
    """Where a row stands on its board."""

    rank: int  # equal scores share one
    before: int  # rows with the same score that stand before it
    total: int  # rows with a rank


def place_of(row: Rating) -> Place:
    """Return where a row with a rank stands. Two queries."""
    step = bucket(row.score_milli)
    buckets = RankBucket.objects.filter(generation=row.generation_id, kind=row.kind)
    counted = buckets.aggregate(total=Sum("count"), higher=Sum("count", filter=Q(bucket__gt=step)))
    inside = Rating.objects.filter(
        generation=row.generation_id,
        kind=row.kind,
        on_global=True,
        score_milli__gte=row.score_milli,
        score_milli__lt=(step + 1) * BUCKET,
    ).aggregate(
        higher=Count("pk", filter=Q(score_milli__gt=row.score_milli)),
        before=Count("pk", filter=Q(score_milli=row.score_milli, subject_id__lt=row.subject_id)),
    )
    return Place(1 + (counted["higher"] or 0) + inside["higher"], inside["before"], counted["total"] or 0)


def ranks_of(generation: Generation, kind: str, ratings: Collection[Rating]) -> dict[int, int]:
    """Return the ranks of ratings of one board, by their subject's id. Two queries for any number of them."""
    if not ratings:
        return {}
    above = _above(generation, kind)
    same = Rating.objects.filter(
        generation=generation,
        kind=kind,
        on_global=True,
        score_milli__gt=OuterRef("score_milli"),
        score_milli__lt=(Floor(OuterRef("score_milli") / float(BUCKET)) + 1) * BUCKET,
    )
    counted = same.order_by().values("generation").annotate(n=Count("pk")).values("n")
    within = Rating.objects.filter(pk__in=[row.pk for row in ratings]).annotate(
        higher=Coalesce(Subquery(counted, output_field=IntegerField()), 0)
    )
    higher = dict(within.values_list("pk", "higher"))
    return {row.subject_id: 1 + above(bucket(row.score_milli)) + higher[row.pk] for row in ratings}


def with_shared(scores: Iterable[int], first: int, before: int) -> list[int]:
    """Return the ranks of consecutive rows of a board; equal scores share one.

    `scores`: highest first. `first`: the rank of the first one. `before`: how many rows before it have its score.
    """
    ranks: list[int] = []
    last: int | None = None
    place = first + before
    for score in scores:
        if last is None:
            ranks.append(first)
        elif score == last:
            ranks.append(ranks[-1])
        else:
            ranks.append(place)
        last = score
        place += 1
    return ranks


def not_after(score: int, subject: int) -> Q:
    """Return the condition of the rows that stand before the key on a board, which is sorted by score and subject."""
    return Q(score_milli__gte=score) & (Q(score_milli__gt=score) | Q(subject_id__lt=subject))


def not_before(score: int, subject: int) -> Q:
    """Return the condition of the rows that stand after the key on a board."""
    return Q(score_milli__lte=score) & (Q(score_milli__lt=score) | Q(subject_id__gt=subject))


BY_KEY = (F("score_milli").desc(), F("subject_id").asc())
