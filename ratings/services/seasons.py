"""The end of a season: the ranks of a ladder are frozen, and every uncertainty grows by the season's step.

An administrator ends a season for all ladders of a family; a worker does each ladder. The ranks of one moment are copied by
one statement, in the transaction that writes the season into the log. Names and margins, which the database cannot compute,
follow in parts. A worker that is killed goes on where it stopped; readers see a season once it is whole.
"""

from collections.abc import Sequence

from django.db import connection
from django.db.models import Q
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from ratings.core import eligibility
from ratings.core.params import Params
from ratings.core.score import interval
from ratings.models import Ladder, LadderSeason, Rating, SeasonSnapshot
from ratings.selectors.pairs import team_of
from ratings.selectors.rows import record_of
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, label, require
from tock_league.common import clock, outbox
from tock_league.common.errors import Refused
from tock_league.common.ids import new_slug
from tock_league.common.names import checked_name
from tock_league.common.statements import run
from tock_league.common.transactions import unhurried, writing
from tock_league.journal.services import OPEN, record

from .generations import rebuild_if_free
from .ladders import locked, params_of
from .live import expire_boards
from .log import log_season
from .states import members_of

TASK = "ratings.tasks.freeze_season"
PART = 500  # snapshots of a transaction
LONGEST = 60  # letters of a season's name
COPIED = ("kind", "subject_id", "score_milli", "sigma", "last_rated_at", "games", "wins")


def end_season(*, by: Person, family: str, name: str) -> list[LadderSeason]:
    """End a season in every ladder of `family`; return the seasons, whose boards a worker freezes within seconds.

    For administrators; recorded in the journal. Raises Refused on `family` when no ladder is of it, on `name` when it is empty
    or too long, and when a ladder has a season of that name already.
    """
    with writing():
        require(by, "season.end", needed="administrator")
        ladders = list(Ladder.objects.select_for_update().filter(family=family).order_by("key"))
        if not ladders:
            raise Refused("family", _("There is no ladder of these rules."), field="family")
        name = checked_name(name, field="name")
        if not name or len(name) > LONGEST:
            text = _("The name of a season has 1 to %(most)d letters.") % {"most": LONGEST}
            raise Refused("season_name", text, field="name")
        slug = slugify(name).strip("-") or new_slug(8)
        if LadderSeason.objects.filter(Q(slug=slug) | Q(name=name), ladder__in=ladders).exists():
            taken = _("A season of that name has ended already. Choose another name.")
            raise Refused("season_ended", taken, field="name")
        now = clock.now()
        made = [LadderSeason.objects.create(ladder=ladder, slug=slug, name=name, asked_at=now) for ladder in ladders]
        for season in made:
            outbox.enqueue(TASK, key=str(season.pk), season=season.pk)
        record(
            OPEN,
            "season.ended",
            actor=label(by),
            body={"season": name, "ladders": [ladder.key for ladder in ladders]},
        )
        return made


def ladder_of_season(season_id: int) -> str:
    """Return the key of the ladder of a season."""
    return LadderSeason.objects.select_related("ladder").get(pk=season_id).ladder.key


def freeze(season_id: int) -> bool:
    """Freeze the boards of a season, and begin the next one in its ladder; return whether it is done. Idempotent.

    The waiting results of the ladder are applied before, by the caller. False, with nothing done, while another worker
    recomputes the ladder.
    """
    season = LadderSeason.objects.select_related("ladder").get(pk=season_id)
    if season.frozen_at is None:
        is_dirty = season.ladder.dirty_from is not None
        if is_dirty and rebuild_if_free(ladder_key=season.ladder.key, cause="end of a season") is None:
            return False
        expire_boards()
        _copy(season)
    params = _params(season)
    while _fill(season, params):
        pass
    with writing():
        LadderSeason.objects.filter(pk=season.pk, done_at__isnull=True).update(done_at=clock.now())
    return True


def _copy(season: LadderSeason) -> None:
    """Copy the rows that have a rank now, with their ranks, and write the season into the log."""
    with writing():
        ladder = locked(season.ladder.key)
        season.refresh_from_db()
        if season.frozen_at is not None:
            return
        unhurried()
        snapshots, ratings = SeasonSnapshot._meta.db_table, Rating._meta.db_table
        columns = ", ".join(f'"{name}"' for name in COPIED)
        true = "TRUE" if connection.vendor == "postgresql" else "1"
        run(
            f'INSERT INTO "{snapshots}" ("season_id", "rank", {columns}) '  # nosec B608: names of models
            f'SELECT %s, RANK() OVER (PARTITION BY "kind" ORDER BY "score_milli" DESC), {columns} '
            f'FROM "{ratings}" WHERE "generation_id" = %s AND "on_global" = {true}',
            [season.pk, ladder.generation_id],
        )
        season.frozen_at = clock.now()
        season.save(update_fields=["frozen_at"])
        log_season(ladder=ladder, name=season.slug, at=season.frozen_at)


def _params(season: LadderSeason) -> Params:
    ladder = Ladder.objects.select_related("params").get(pk=season.ladder_id)
    return params_of(ladder.params)


def _fill(season: LadderSeason, params: Params) -> bool:
    """Complete the next PART snapshots; return whether there were some."""
    assert season.frozen_at is not None
    waiting = SeasonSnapshot.objects.filter(season=season, margin__isnull=True)
    with writing():
        rows = list(waiting.order_by("pk").select_related("subject")[:PART])
        subjects = [members_of(row.subject.key) for row in rows]
        names = names_of(subjects)
        teams = team_of(members for members in subjects if len(members) > 1)
        for row, members in zip(rows, subjects, strict=True):
            record_then = record_of(row.subject.size, _as_rating(row))
            row.margin = interval(eligibility.sigma_at(record_then, season.frozen_at, params.idle_per_day))
            row.names = names[members]
            row.team = teams[members].name if members in teams else ""
        SeasonSnapshot.objects.bulk_update(rows, ["margin", "names", "team"], batch_size=100)
    return bool(rows)


def _as_rating(row: SeasonSnapshot) -> Rating:
    """Return the figures on which a margin depends."""
    return Rating(
        kind=row.kind,
        mu=0.0,
        sigma=row.sigma,
        games=row.games,
        last_rated_at=row.last_rated_at,
        opponents=0,
        partners=0,
    )


def names_of(subjects: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], dict[str, str]]:
    """Return {player id as text: name} of each subject, sorted as boards show the names. One query."""
    people = {person for members in subjects for person in members}
    known = dict(Player.objects.filter(pk__in=people).values_list("pk", "display_name"))
    return {
        members: {str(pk): known[pk] for pk in sorted(members, key=lambda pk: (known[pk], pk))} for members in subjects
    }
