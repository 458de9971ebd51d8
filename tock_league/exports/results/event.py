"""What an open results file says of the event itself: head, entries, rulings, changes of ratings."""

from collections.abc import Sequence

from django.db.models import Prefetch

from ratings.models import ON_PAPER, Generation, RatingChange
from tock_league.arbitration.selectors.rulings import book
from tock_league.competitions.models import Competition, Entry, RosterSpot
from tock_league.competitions.selectors.rounds.matches import MatchView

from .values import Json, instant


def of(found: Competition) -> Json:
    """Return the head of the file: what is played, by which regulations."""
    regulations = found.regulations
    return {
        "id": found.slug,
        "name": found.name,
        "kind": found.kind,
        "state": found.state,
        "club": found.club.name if found.club is not None else None,
        "season": found.division.season.name if found.division is not None else None,
        "division": found.division.name if found.division is not None else None,
        "starts_at": instant(found.starts_at),
        "rules": found.rules,
        "seats": found.seats,
        "plan": found.plan or None,
        "lots_seed": found.lots_seed,
        "regulations": {
            "code": regulations.code,
            "version": regulations.version,
            "digest": regulations.digest,
            "body": regulations.body,
        },
    }


def entries(found: Competition) -> list[Entry]:
    """Return the entries by seed, each with its roster of now as `now`."""
    spots = RosterSpot.objects.filter(left__isnull=True).select_related("player").order_by("role", "slot")
    found_entries = found.entries.select_related("team__club", "player").prefetch_related(
        Prefetch("roster", spots, to_attr="now")
    )
    return list(found_entries.order_by("seed", "pk"))


def entry(row: Entry) -> Json:
    """Return an entry of `entries`."""
    club = row.team.club if row.team is not None else None
    spots: Sequence[RosterSpot] = row.now  # type: ignore[attr-defined]
    return {
        "id": row.slug,
        "name": str(row),
        "club": club.name if club is not None else None,
        "seed": row.seed,
        "state": row.state,
        "reason": row.reason,
        "final_rank": row.final_rank,
        "players": [{"id": spot.player.slug, "name": spot.player.display_name, "role": spot.role} for spot in spots],
    }


def rulings(found: Competition) -> list[Json]:
    """Return the rulings as the public book has them, by their codes; their texts are on the page of the case."""
    cases = [book.view(case) for case in book.publishable().filter(competition=found)]
    return [
        {
            "id": ruling.ref,
            "match": case.match.slug,
            "level": ruling.level,
            "outcome": ruling.outcome,
            "infraction": ruling.row or None,
            "penalty": ruling.penalty or None,
            "penalty_table": ruling.table_version,
            "rules": list(ruling.rules),
            "signed_at": instant(ruling.signed_at),
            "superseded_by": ruling.superseded or None,
        }
        for case in cases
        for ruling in case.rulings
    ]


def rating_changes(played: Sequence[MatchView]) -> list[Json]:
    """Return what the games of the matches changed in the ratings that the boards show now."""
    sources = {str(game.game_id): (view.match.slug, game.number) for view in played for game in view.games}
    for view in played:
        # As competitions name the games of a paper: by match and number, and by the order where one was played again.
        orders = ["", *(f":{effect.pk}" for effect in view.match.effects.all())]
        for number in range(1, view.match.best_of + 1):
            sources |= {f"{ON_PAPER}{view.match.slug}:{number}{order}": (view.match.slug, number) for order in orders}
    changes = (
        RatingChange.objects.filter(
            source__in=list(sources), generation__state=Generation.State.LIVE, subject__listed=True
        )
        .select_related("result__ladder")
        .prefetch_related("subject__members")
        .order_by("completed_at", "source", "subject__kind", "subject__key")
    )
    return [
        {
            "match": sources[row.source][0],
            "game": sources[row.source][1],
            "ladder": row.result.ladder.key,
            "players": sorted(player.slug for player in row.subject.members.all()),
            "before": row.score_before,
            "after": row.score_after,
        }
        for row in changes
    ]
