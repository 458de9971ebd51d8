"""What a ruling can change: the standings, the winner, the rating log."""

from ratings.models import RatedResult
from tock_league.competitions.selectors.rankings.standings import table
from tock_league.competitions.selectors.results.effective import effective_of

from .world import World

OVERTURN = {"result": "result", "game_number": 1, "winner": 1}


def standings(world: World) -> list[tuple[int, str, str]]:
    """Return (rank, name, points) of the league now."""
    return [(line.row.rank, line.name, line.points) for line in table(world.competition)]


def winner(world: World) -> int:
    world.match.refresh_from_db()
    return next(side.position for side in effective_of(world.match).sides if side.outcome == "win")


def log(world: World) -> list[tuple[int, str, list[int], bool]]:
    """Return the rating log: revision, kind, ranks, rated."""
    return list(RatedResult.objects.order_by("pk").values_list("revision", "kind", "ranks", "rated"))
