"""Ladders and the newest parameters; both are created when the first game needs them."""

from ratings.core import ladders as keys
from ratings.core.params import DEFAULT, Params
from ratings.models import Generation, Ladder, RatingParams
from tock_league.common import clock


def params_in_force() -> RatingParams:
    """Return the newest version of the parameters; create version 1 if there is none."""
    newest = RatingParams.objects.order_by("-version").first()
    if newest is not None:
        return newest
    return RatingParams.objects.get_or_create(
        version=1,
        defaults={"values": DEFAULT.to_json(), "reason": "as designed", "created_at": clock.now()},
    )[0]


def params_of(row: RatingParams) -> Params:
    return Params.from_json(row.values)


def ladder_for(key: keys.LadderKey) -> Ladder:
    """Return the ladder's row; create it, with an empty live generation, if it is missing. Call inside `writing()`."""
    ladder = Ladder.objects.filter(key=str(key)).first()
    if ladder is not None:
        return ladder
    params = params_in_force()
    ladder, created = Ladder.objects.get_or_create(
        key=str(key), defaults={"family": key.family, "teams": key.teams, "params": params}
    )
    if created:
        now = clock.now()
        ladder.generation = Generation.objects.create(
            ladder=ladder,
            number=1,
            params=params,
            state=Generation.State.LIVE,
            cause="first game",
            created_at=now,
            switched_at=now,
        )
        ladder.save(update_fields=["generation"])
    return ladder


def locked(key: str) -> Ladder:
    """Return the ladder's row, locked until the end of the transaction."""
    return (
        Ladder.objects.select_for_update(of=("self",)).select_related("generation", "generation__params").get(key=key)
    )
