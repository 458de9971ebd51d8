"""Ladders: which there are, and the generation of each that readers see."""

from django.db.models import Sum
from django.db.models.functions import Coalesce

from games.selectors import rule_sets
from ratings.core.ladders import ladder_of
from ratings.models import Generation, Ladder
from tock_league.common.errors import NotThere


def ladders() -> list[Ladder]:
    """Return all ladders by name. One query."""
    return list(Ladder.objects.select_related("generation__params").order_by("family", "teams"))


def leading() -> Ladder | None:
    """Return the default ladder: the one with the most ranked rows, the oldest of equal ones. One query."""
    ranked = Coalesce(Sum("generation__buckets__count"), 0)
    return Ladder.objects.select_related("generation__params").annotate(ranked=ranked).order_by("-ranked", "pk").first()


def ladder(key: str) -> Ladder:
    """Return the ladder with that key; raise NotThere if there is none. One query."""
    found = Ladder.objects.filter(key=key).select_related("generation__params").first()
    if found is None:
        raise NotThere
    return found


def is_coming(key: str) -> bool:
    """Return whether `key` is the ladder of an offered rule set with two teams; it may have no rated game yet."""
    return any(key == str(ladder_of(one.id, 2)) for one in rule_sets.offered())


def live(of: Ladder) -> Generation:
    """Return the generation that readers see."""
    assert of.generation is not None
    return of.generation
