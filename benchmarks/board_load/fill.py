"""Fill an empty database with clubs, players, pairs, ladders and ratings, as a federation has after some seasons.

The first ladder has a log of games and gets its ratings from a recomputation. The others have drawn ratings without a
log. All numbers follow from a seed.
"""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction

from ratings.core.engines import ClosedForm
from ratings.core.gaussian import Estimate
from ratings.core.params import DEFAULT
from ratings.models import Generation, Ladder, RankBucket, RatedResult, Rating, Subject
from ratings.services.ladders import params_in_force
from tock_league.accounts.models import Player
from tock_league.clubs.models import Club, Membership, Team, TeamPlayer
from tock_league.common import bulk, clock

FIRST = ("shawinigan", 2)
LADDERS = [FIRST, *((f"regles-{number}", teams) for number in range(1, 11) for teams in (2, 3))]
PAIRS = 0.6  # of the ratings of a ladder; the others are players'
OF_LARGE_CLUB = 180  # members of every fiftieth club
SYLLABLES = ["ba", "cé", "da", "fé", "ga", "lo", "mi", "né", "ro", "sa", "tré", "vi", "zo", "mar", "bel", "gau"]


def fill(*, ratings: int, clubs: int, ladders: int, games: int, seed: int = 1) -> None:
    """Write about `ratings` ratings in `ladders` ladders (at most 21), and `games` games into the first one's log."""
    dice = random.Random(seed)
    now = clock.now()
    each = ratings // ladders
    people = max(int(each * (1 - PAIRS)) * 5, 4)
    pairs = int(each * PAIRS)
    ContentType.objects.clear_cache()
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL statement_timeout = 0")  # the site's own is five seconds
        _people(people, clubs, now, dice)
        _pairs(people, pairs, now, dice)
        params = params_in_force()
        for family, teams in LADDERS[:ladders]:
            ladder = Ladder.objects.create(key=f"{family}:{teams}", family=family, teams=teams, params=params)
            ladder.generation = Generation.objects.create(
                ladder=ladder, number=1, params=params, state="live", cause="benchmark", created_at=now
            )
            ladder.save()
        kept = list(Ladder.objects.order_by("pk"))
        _log(kept[0], int(each * (1 - PAIRS)), pairs, people, games, now, dice)
        for number, ladder in enumerate(kept[1:], start=1):
            _ratings(ladder, number, people, pairs, each, now, dice)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _name(dice: random.Random) -> str:
    return "".join(dice.choices(SYLLABLES, k=3)).capitalize() + " " + "".join(dice.choices(SYLLABLES, k=4)).capitalize()


def _people(people: int, clubs: int, now: datetime, dice: random.Random) -> None:
    Club.objects.bulk_create(
        [Club(pk=n, slug=f"club-{n}", name=f"Club {n} {_name(dice)}"[:60], town="Shawinigan", created_at=now, updated_at=now)
         for n in range(1, clubs + 1)], batch_size=500,
    )  # fmt: skip
    made = (Player(pk=n, slug=f"p{n}", display_name=_name(dice), created_at=now, updated_at=now)
            for n in range(1, people + 1))  # fmt: skip
    Player.objects.bulk_create(made, batch_size=500)
    sizes = [OF_LARGE_CLUB if n % 50 == 1 else 0 for n in range(1, clubs + 1)]
    large = [n for n, size in enumerate(sizes, start=1) for _ in range(size)]
    homes = (large + [dice.randrange(1, clubs + 1) for _ in range(people)])[:people]
    dice.shuffle(homes)
    bulk.insert(
        Membership,
        ["club", "player", "home", "since"],
        ((club, n, True, now - timedelta(days=400)) for n, club in enumerate(homes, start=1)),
    )
    Subject.objects.bulk_create(
        (Subject(pk=n, kind="player", key=str(n), size=1, listed=True) for n in range(1, people + 1)), batch_size=500
    )
    bulk.insert(Subject.members.through, ["subject", "player"], ((n, n) for n in range(1, people + 1)))


def _pairs(people: int, pairs: int, now: datetime, dice: random.Random) -> None:
    sets: set[tuple[int, int]] = set()
    while len(sets) < pairs:
        a = dice.randrange(1, people + 1)
        b = dice.randrange(1, people + 1)
        if a != b:
            sets.add((min(a, b), max(a, b)))
    ordered = sorted(sets)
    Subject.objects.bulk_create(
        (
            Subject(pk=people + n, kind="team", key=f"{a}-{b}", size=2, listed=True)
            for n, (a, b) in enumerate(ordered, 1)
        ),
        batch_size=500,
    )
    bulk.insert(
        Subject.members.through,
        ["subject", "player"],
        ((people + n, who) for n, both in enumerate(ordered, 1) for who in both),
    )
    named = ordered[::3]
    Team.objects.bulk_create(
        (Team(pk=n, slug=f"t{n}", name=f"Les {_name(dice)} {n}", size=2, created_at=now, updated_at=now)
         for n in range(1, len(named) + 1)), batch_size=500,
    )  # fmt: skip
    bulk.insert(
        TeamPlayer,
        ["team", "player", "slot", "joined"],
        ((n, who, slot, now) for n, both in enumerate(named, 1) for slot, who in enumerate(both, 1)),
    )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for model in (Club, Player, Subject, Team):
                table = model._meta.db_table
                cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))")


def _log(ladder: Ladder, players: int, pairs: int, people: int, games: int, now: datetime, dice: random.Random) -> None:
    """Write a log of games of the first `players` people, one every three minutes until now, half of them by fixed pairs."""
    begin = now - timedelta(minutes=3 * games)

    def rows() -> Iterator[tuple[object, ...]]:
        for n in range(games):
            if n % 2:
                four = dice.sample(range(1, players + 1), 4)
            else:
                a, b = dice.sample(range(players // 2), 2)
                four = [2 * a + 1, 2 * a + 2, 2 * b + 1, 2 * b + 2]
            sides, ranks = [four[:2], four[2:]], dice.choice([[0, 1], [1, 0]])
            at = begin + timedelta(minutes=3 * n)
            yield ladder.pk, f"paper:g{n:07d}", 1, "result", at, sides, ranks, True, "all_home", "", at

    bulk.insert(
        RatedResult,
        [
            "ladder",
            "source",
            "revision",
            "kind",
            "completed_at",
            "sides",
            "ranks",
            "rated",
            "reason",
            "ruling",
            "created_at",
        ],
        rows(),
    )


def _ratings(
    ladder: Ladder, number: int, people: int, pairs: int, each: int, now: datetime, dice: random.Random
) -> None:
    engine = ClosedForm(DEFAULT)
    of_players = int(each * (1 - PAIRS))
    first = (number * 7919) % people
    subjects = [("player", 1, (first + n) % people + 1) for n in range(of_players)]
    subjects += [("team", 2, people + n) for n in range(1, pairs + 1)]
    counts: dict[tuple[str, int], int] = {}
    extra = [name for name in ("listed",) if any(field.name == name for field in Rating._meta.concrete_fields)]

    def rows() -> Iterator[tuple[object, ...]]:
        for kind, size, subject in subjects:
            placed = dice.random() < 0.9
            estimate = Estimate(dice.gauss(25 * size, 6 * size), dice.uniform(1.0, 2.3 if placed else 6.0) * size**0.5)
            score = engine.score(estimate, size)
            if placed:
                step = (kind, score // 4000)
                counts[step] = counts.get(step, 0) + 1
            played = dice.randrange(8, 200) if placed else dice.randrange(1, 8)
            last = now - timedelta(days=dice.uniform(0, 20))
            yield (
                ladder.generation_id, subject, kind, estimate.mu, estimate.sigma, played, played // 2, last, score, 9,
                4, {}, placed, placed, now + timedelta(days=9) if placed else None, *(True for _ in extra),
            )  # fmt: skip

    bulk.insert(
        Rating,
        ["generation", "subject", "kind", "mu", "sigma", "games", "wins", "last_rated_at", "score_milli", "opponents",
         "partners", "meetings", "on_club", "on_global", "eligible_until", *extra],
        rows(),
    )  # fmt: skip
    RankBucket.objects.bulk_create(
        [RankBucket(generation=ladder.generation, kind=k, bucket=b, count=n) for (k, b), n in sorted(counts.items())]
    )
