"""Comparison of the stored states and histogram with a replay of the log."""

from ratings import services
from ratings.models import Ladder, RankBucket, Rating

LADDER = "shawinigan:2"


def ratings_of(kind: str) -> list[Rating]:
    generation = Ladder.objects.get(key=LADDER).generation
    return list(Rating.objects.filter(generation=generation, kind=kind).order_by("-score_milli", "subject_id"))


def assert_replayed() -> None:
    stored, replayed = services.verify(ladder_key=LADDER)
    assert stored == replayed


def assert_histogram() -> None:
    """Assert that the stored counts equal those of the rows."""
    generation = Ladder.objects.get(key=LADDER).generation
    counted: dict[tuple[str, int], int] = {}
    for row in Rating.objects.filter(generation=generation, on_global=True):
        step = (row.kind, row.score_milli // 4000)
        counted[step] = counted.get(step, 0) + 1
    stored = {(b.kind, b.bucket): b.count for b in RankBucket.objects.filter(generation=generation, count__gt=0)}
    assert stored == counted
