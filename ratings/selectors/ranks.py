"""Ranks on the board of all clubs, from the histogram: no row of the board is counted outside of one bucket."""

from collections.abc import Collection, Iterable, Mapping
from itertools import accumulate

from django.db.models import Count, F, IntegerField, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce, Floor

from ratings.core.score import BUCKET, bucket
from ratings.models import Generation, RankBucket, Rating


def rank_of(generation: Generation, kind: str, score_milli: int) -> int:
    """Return the rank of a score on the global board: 1 + the number of higher scores.

    Two queries, of a few hundred rows at most: the higher buckets of the histogram, and the rows in the score's own
    bucket by the index.
    """
    step = bucket(score_milli)
    higher = RankBucket.objects.filter(generation=generation, kind=kind, bucket__gt=step).aggregate(n=Sum("count"))["n"]
    within = Rating.objects.filter(
        generation=generation,
        kind=kind,
        on_global=True,
        score_milli__gt=score_milli,
        score_milli__lt=(step + 1) * BUCKET,
    ).count()
    return 1 + (higher or 0) + within


def ranks_of(generation: Generation, kind: str, ratings: Collection[Rating]) -> dict[int, int]:
    """Return the ranks of ratings of one board, by their subject's id. Two queries for any number of them."""
    if not ratings:
        return {}
    buckets = RankBucket.objects.filter(generation=generation, kind=kind, count__gt=0).order_by("-bucket")
    rows = list(buckets.values_list("bucket", "count"))
    above = dict(zip((step for step, _n in rows), accumulate((n for _step, n in rows), initial=0), strict=False))
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
    return {row.subject_id: 1 + above.get(bucket(row.score_milli), 0) + higher[row.pk] for row in ratings}


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


def totals() -> Mapping[tuple[int, str], int]:
    """Return how many rows have a rank, by live generation and kind. One query."""
    rows = RankBucket.objects.filter(generation__state=Generation.State.LIVE)
    return {
        (row["generation"], row["kind"]): row["n"]
        for row in rows.values("generation", "kind").annotate(n=Sum("count")).order_by()
    }


def not_after(score: int, subject: int) -> Q:
    """Return the condition of the rows that stand before the key on a board, which is sorted by score and subject."""
    return Q(score_milli__gte=score) & (Q(score_milli__gt=score) | Q(subject_id__lt=subject))


def not_before(score: int, subject: int) -> Q:
    """Return the condition of the rows that stand after the key on a board."""
    return Q(score_milli__lte=score) & (Q(score_milli__lt=score) | Q(subject_id__gt=subject))


BY_KEY = (F("score_milli").desc(), F("subject_id").asc())
